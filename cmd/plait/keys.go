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
		Short: "Create, list, rotate and revoke API keys",
		Long: `Create, list, rotate and revoke API keys.

A key belongs to a tenant, and so do the tasks that are created with it: the keys of one tenant see the same tasks, and no tasks of
others. Its scope says what it allows: read, write (which includes read), or admin (which includes write, and signs in to the Temporal
UI).`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newKeysCreate(a), newKeysList(a), newKeysRotate(a), newKeysRevoke(a))
	return c
}

// withRecords calls work with the database of the installation.
func withRecords(c *cobra.Command, a *app, work func(*records.Store) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	c.SetContext(installation.WithActor(c.Context(), c.CommandPath()))
	return installation.WithRecords(c.Context(), l, work)
}

func newKeysCreate(a *app) *cobra.Command {
	var n records.NewKey
	c := &cobra.Command{
		Use:     "create",
		Short:   "Create an API key and print it",
		Long:    `Create an API key and print it. It cannot be printed again: the database contains only its hash.`,
		Example: "  plait keys create --tenant press --name newsroom",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := n.Check(); err != nil {
				return usageError(c, err)
			}
			return withRecords(c, a, func(s *records.Store) error {
				plain, key, err := s.CreateKey(c.Context(), n)
				if err != nil {
					return err
				}
				return printKey(c, plain, key)
			})
		},
	}
	c.Flags().StringVar(&n.Tenant, "tenant", installation.LocalTenant, `tenant of the key: letters, digits, "_", "-" and "."`)
	c.Flags().StringVar(&n.Name, "name", "", "what the key is for")
	c.Flags().StringVar((*string)(&n.Scope), "scope", string(records.ScopeWrite), "what the key allows: read, write or admin")
	c.Flags().DurationVar(&n.Lifetime, "expires", 0, "time until the key expires, such as 720h (default: never)")
	return c
}

// printKey prints a new key, alone on standard output.
func printKey(c *cobra.Command, plain string, k records.Key) error {
	fmt.Fprintf(c.ErrOrStderr(), "key %d of tenant %s with scope %s, shown this once:\n", k.ID, k.Tenant, k.Scope)
	_, err := fmt.Fprintln(c.OutOrStdout(), plain)
	return err
}

func newKeysRotate(a *app) *cobra.Command {
	var overlap time.Duration
	c := &cobra.Command{
		Use:   "rotate ID",
		Short: "Create an API key to replace another",
		Long: `Create an API key with the tenant, name and scope of another and print it. The other key works until the overlap ends. ID is the
number of the key in "plait keys list".`,
		Example: "  plait keys rotate 3 --overlap 24h",
		Args:    oneArgument("ID"),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := keyID(c, args[0])
			if err != nil {
				return err
			}
			return withRecords(c, a, func(s *records.Store) error {
				plain, key, err := s.RotateKey(c.Context(), id, overlap)
				if err != nil {
					return err
				}
				return printKey(c, plain, key)
			})
		},
	}
	c.Flags().DurationVar(&overlap, "overlap", 24*time.Hour, "time for which the other key still works")
	return c
}

func keyID(c *cobra.Command, arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0, usageError(c, fmt.Errorf("%q is not the number of a key", arg))
	}
	return id, nil
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
				return printList(c.OutOrStdout(), asJSON, keys, "ID\tTENANT\tNAME\tBEGINS\tSCOPE\tCREATED\tLAST USED\tEXPIRES\tREVOKED", func(k records.Key) string {
					return fmt.Sprintf("%d\t%s\t%s\t%s…\t%s\t%s\t%s\t%s\t%s", k.ID, k.Tenant, k.Name, k.Prefix, k.Scope,
						day(&k.CreatedAt), day(k.LastUsedAt), day(k.ExpiresAt), day(k.RevokedAt))
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
			id, err := keyID(c, args[0])
			if err != nil {
				return err
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
