package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/records"
)

func newKeys(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Create, list and revoke API keys",
		Long: `Create, list and revoke API keys.

A key belongs to a tenant, and so do the tasks that are created with it: the keys of one tenant see the same tasks, and no tasks of
others.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newKeysCreate(a), newKeysList(a), newKeysRevoke(a))
	return c
}

// withRecords calls work with the database of the installation.
func withRecords(c *cobra.Command, a *app, work func(*records.Store) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	return installation.WithRecords(c.Context(), l, work)
}

func newKeysCreate(a *app) *cobra.Command {
	var tenant, name string
	c := &cobra.Command{
		Use:     "create",
		Short:   "Create an API key and print it",
		Long:    `Create an API key and print it. It cannot be printed again: the database contains only its hash.`,
		Example: "  plait keys create --tenant press --name newsroom",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := records.CheckKey(tenant, name); err != nil {
				return usageError(c, err)
			}
			return withRecords(c, a, func(s *records.Store) error {
				plain, key, err := s.CreateKey(c.Context(), tenant, name)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.ErrOrStderr(), "key %d of tenant %s, shown this once:\n", key.ID, key.Tenant)
				_, err = fmt.Fprintln(c.OutOrStdout(), plain)
				return err
			})
		},
	}
	c.Flags().StringVar(&tenant, "tenant", installation.LocalTenant, `tenant of the key: letters, digits, "_", "-" and "."`)
	c.Flags().StringVar(&name, "name", "", "what the key is for")
	return c
}

func newKeysList(a *app) *cobra.Command {
	var tenant string
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the API keys, also the revoked ones",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRecords(c, a, func(s *records.Store) error {
				keys, err := s.ListKeys(c.Context(), tenant)
				if err != nil {
					return err
				}
				return printList(c.OutOrStdout(), asJSON, keys, "ID\tTENANT\tNAME\tBEGINS\tCREATED\tLAST USED\tREVOKED", func(k records.Key) string {
					return fmt.Sprintf("%d\t%s\t%s\t%s…\t%s\t%s\t%s", k.ID, k.Tenant, k.Name, k.Prefix, day(&k.CreatedAt), day(k.LastUsedAt), day(k.RevokedAt))
				})
			})
		},
	}
	c.Flags().StringVar(&tenant, "tenant", "", "only keys of this tenant")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a key")
	return c
}

func day(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Format(time.DateOnly)
}

func newKeysRevoke(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke an API key",
		Long: `Revoke an API key: from now on, requests with it are refused. ID is the number of the key in "plait keys list". The tasks of the key
remain.`,
		Args: oneArgument("ID"),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usageError(c, fmt.Errorf("%q is not the number of a key", args[0]))
			}
			return withRecords(c, a, func(s *records.Store) error {
				if err := s.RevokeKey(c.Context(), id); err != nil {
					return err
				}
				k, err := s.Key(c.Context(), id)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "key %d (%s…) %q of tenant %s revoked\n", k.ID, k.Prefix, k.Name, k.Tenant)
				return err
			})
		},
	}
}
