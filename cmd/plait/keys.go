package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/records"
)

func newKeys(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Create, list and revoke API keys",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newKeysCreate(a), newKeysList(a), newKeysRevoke(a))
	return c
}

// withRecords runs f on the records that the configuration names.
func withRecords(ctx context.Context, a *app, f func(*records.Store) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if l.Database.URL == "" {
		if err := installation.Locate(ctx, l); err != nil {
			return err
		}
	}
	store, err := installation.OpenRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	return f(store)
}

func newKeysCreate(a *app) *cobra.Command {
	var tenant, name string
	c := &cobra.Command{
		Use:   "create",
		Short: "Make an API key and print it, once",
		Long: `Make an API key and print it. Only its hash is stored: what is printed cannot be shown again.

Tasks belong to the tenant of the key that made them.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRecords(c.Context(), a, func(s *records.Store) error {
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
	c.Flags().StringVar(&tenant, "tenant", installation.LocalTenant, "tenant that the key acts for")
	c.Flags().StringVar(&name, "name", "", "what the key is for")
	return c
}

// keyLine is a key as --json shows it.
type keyLine struct {
	ID         int64      `json:"id"`
	Tenant     string     `json:"tenant"`
	Name       string     `json:"name"`
	Prefix     string     `json:"prefix"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
}

func newKeysList(a *app) *cobra.Command {
	var tenant string
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List API keys",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRecords(c.Context(), a, func(s *records.Store) error {
				keys, err := s.ListKeys(c.Context(), tenant)
				if err != nil {
					return err
				}
				show := printKeys
				if asJSON {
					show = encodeKeys
				}
				return show(c.OutOrStdout(), keys)
			})
		},
	}
	c.Flags().StringVar(&tenant, "tenant", "", "only keys of this tenant")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a key")
	return c
}

func encodeKeys(out io.Writer, keys []records.Key) error {
	e := lineEncoder(out)
	for _, k := range keys {
		if err := e.Encode(keyLine(k)); err != nil {
			return err
		}
	}
	return nil
}

func printKeys(out io.Writer, keys []records.Key) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tTENANT\tNAME\tBEGINS\tCREATED\tLAST USED\tREVOKED")
	for _, k := range keys {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s…\t%s\t%s\t%s\n", k.ID, k.Tenant, k.Name, k.Prefix,
			k.CreatedAt.Format(time.DateOnly), day(k.LastUsedAt), day(k.RevokedAt))
	}
	return t.Flush()
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
		Args:  oneArgument("ID"),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usageError(c, fmt.Errorf("%q is not the number of a key", args[0]))
			}
			return withRecords(c.Context(), a, func(s *records.Store) error {
				if err := s.RevokeKey(c.Context(), id); err != nil {
					return err
				}
				_, err := fmt.Fprintf(c.OutOrStdout(), "key %d revoked\n", id)
				return err
			})
		},
	}
}
