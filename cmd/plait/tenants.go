package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/internal/core"
	"plait/internal/records"
)

func newTenants(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "tenants",
		Short: "List the tenants with their use, and set their tiers",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newTenantsList(a), newTenantsSet(a))
	return c
}

const tenantHeader = "TENANT\tTIER\tRUNNING\tWAITING\tBYTES\tREQUESTS/MIN\tTOKENS/MIN\tCREATED\tDISABLED"

func tenantRow(t records.Tenant) string {
	u := t.Usage
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s", t.Name, t.Tier, u.RunningTasks, u.WaitingTasks, u.StoredBytes, u.RequestsPerMinute, u.TokensPerMinute,
		day(&t.CreatedAt), day(t.DisabledAt))
}

func newTenantsList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the tenants with what they use now; requests and tokens are counted where their tier limits them",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRecords(c, a, func(s *records.Store) error {
				tenants, err := s.ListTenants(c.Context())
				if err != nil {
					return err
				}
				return printList(c.OutOrStdout(), asJSON, tenants, tenantHeader, tenantRow)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a tenant")
	return c
}

func newTenantsSet(a *app) *cobra.Command {
	var tier string
	var disabled, asJSON bool
	c := &cobra.Command{
		Use:     "set NAME",
		Short:   "Create a tenant, or change what is given as flags",
		Example: "  plait tenants set press --tier gold",
		Args:    oneArgument("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			var change records.TenantChange
			if c.Flags().Changed("tier") {
				change.Tier = &tier
			}
			if c.Flags().Changed("disabled") {
				change.Disabled = &disabled
			}
			return withRecords(c, a, func(s *records.Store) error {
				t, err := s.SetTenant(c.Context(), args[0], change)
				if err != nil {
					return err
				}
				return printList(c.OutOrStdout(), asJSON, []records.Tenant{t}, tenantHeader, tenantRow)
			})
		},
	}
	c.Flags().StringVar(&tier, "tier", records.DefaultTier, `tier of the tenant, of those in "plait tiers list"`)
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	c.Flags().BoolVar(&disabled, "disabled", false, "refuse the keys of the tenant; its tasks continue (--disabled=false ends it)")
	return c
}

func newAudit(a *app) *cobra.Command {
	var limit int
	var before int64
	var asJSON bool
	c := &cobra.Command{
		Use:   "audit",
		Short: "List changes of tenants, tiers and keys, the newest first",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRecords(c, a, func(s *records.Store) error {
				entries, err := s.AuditLog(c.Context(), before, limit)
				if err != nil {
					return err
				}
				return printList(c.OutOrStdout(), asJSON, entries, "ID\tAT\tACTION\tOBJECT\tACTOR\tCHANGES", func(e records.AuditEntry) string {
					return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", e.ID, e.At.Local().Format(time.DateTime), e.Action, e.Object, core.Printable(e.Actor), e.Changes)
				})
			})
		},
	}
	c.Flags().IntVarP(&limit, "limit", "n", 20, fmt.Sprintf("number of entries at most, up to %d", records.MaxAuditEntries))
	c.Flags().Int64Var(&before, "before", 0, "only entries with lower numbers (default: the newest)")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object an entry")
	return c
}
