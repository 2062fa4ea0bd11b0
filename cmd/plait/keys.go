package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/records"
)

func newKeys(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "keys",
		Short: "Create, list, rotate and revoke API keys",
		Long: `Create, list, rotate and revoke API keys.

A key belongs to a tenant, and so do the tasks that are created with it: the keys of one tenant see the same tasks, and no tasks of
others. Its scope says what it allows: read, write (which includes read), or admin (which includes write, and signs in to the Temporal
UI).`,
	}, newKeysCreate(a), newKeysList(a), newKeysRotate(a), newKeysRevoke(a))
}

func newKeysCreate(a *app) *cobra.Command {
	var n records.NewKey
	c := &cobra.Command{
		Use:     "create",
		Short:   "Create an API key and print it",
		Long:    `Create an API key and print it. It cannot be printed again: the database contains only its hash.`,
		Example: "  plait keys create --tenant press --name newsroom",
		PreRunE: func(c *cobra.Command, _ []string) error { return usageError(c, n.Check()) },
	}
	c.Flags().StringVar(&n.Tenant, "tenant", installation.LocalTenant, `tenant of the key: letters, digits, "_", "-" and "."`)
	c.Flags().StringVar(&n.Name, "name", "", "what the key is for")
	c.Flags().StringVar((*string)(&n.Scope), "scope", string(records.ScopeWrite), "what the key allows: read, write or admin")
	c.Flags().DurationVar(&n.Lifetime, "expires", 0, "time until the key expires, such as 720h (default: never)")
	return onRecords(a, c, func(ctx context.Context, s *records.Store, _ []string) error {
		plain, key, err := s.CreateKey(ctx, n)
		if err != nil {
			return err
		}
		return printKey(c, plain, key)
	})
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
	}
	c.Flags().DurationVar(&overlap, "overlap", 24*time.Hour, "time for which the other key still works")
	return onKey(a, c, func(ctx context.Context, s *records.Store, id int64) error {
		plain, key, err := s.RotateKey(ctx, id, overlap)
		if err != nil {
			return err
		}
		return printKey(c, plain, key)
	})
}

// onKey makes c a command on one key, whose number is its argument.
func onKey(a *app, c *cobra.Command, work func(context.Context, *records.Store, int64) error) *cobra.Command {
	var id int64
	c.Args = func(c *cobra.Command, args []string) (err error) {
		if err := oneArgument("ID")(c, args); err != nil {
			return err
		}
		if id, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return fmt.Errorf("%q is not the number of a key", args[0])
		}
		return nil
	}
	return onRecords(a, c, func(ctx context.Context, s *records.Store, _ []string) error { return work(ctx, s, id) })
}

func newKeysList(a *app) *cobra.Command {
	var tenant string
	c := &cobra.Command{Use: "list", Short: "List the API keys, also the revoked ones"}
	c.Flags().StringVar(&tenant, "tenant", "", "only keys of this tenant")
	return onRecords(a, c, printed(c, table[records.Key]{
		"ID\tTENANT\tNAME\tBEGINS\tSCOPE\tCREATED\tLAST USED\tEXPIRES\tREVOKED",
		func(k records.Key) string {
			return fmt.Sprintf("%d\t%s\t%s\t%s…\t%s\t%s\t%s\t%s\t%s", k.ID, k.Tenant, k.Name, k.Prefix, k.Scope,
				day(&k.CreatedAt), day(k.LastUsedAt), day(k.ExpiresAt), day(k.RevokedAt))
		},
	}, func(ctx context.Context, s *records.Store, _ []string) ([]records.Key, error) {
		return s.ListKeys(ctx, tenant)
	}))
}

func newKeysRevoke(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke an API key",
		Long: `Revoke an API key: from now on, requests with it are refused. ID is the number of the key in "plait keys list". The tasks of the key
remain.`,
	}
	return onKey(a, c, func(ctx context.Context, s *records.Store, id int64) error {
		if err := s.RevokeKey(ctx, id); err != nil {
			return err
		}
		k, err := s.Key(ctx, id)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "key %d (%s…) %q of tenant %s revoked\n", k.ID, k.Prefix, k.Name, k.Tenant)
		return err
	})
}
