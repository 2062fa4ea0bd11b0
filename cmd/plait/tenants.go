package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/internal/core"
	"plait/internal/records"
)

func newTenants(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "tenants", Short: "List the tenants with their use, and set their tiers"}, newTenantsList(a), newTenantsSet(a))
}

var tenantTable = table[records.Tenant]{
	"TENANT\tTIER\tRUNNING\tWAITING\tBYTES\tREQUESTS/MIN\tTOKENS/MIN\tCREATED\tDISABLED",
	func(t records.Tenant) string {
		u := t.Usage
		return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s", t.Name, t.Tier, u.RunningTasks, u.WaitingTasks, u.StoredBytes, u.RequestsPerMinute,
			u.TokensPerMinute, day(&t.CreatedAt), day(t.DisabledAt))
	},
}

func newTenantsList(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "list", Short: "List the tenants with what they use now; requests and tokens are counted where their tier limits them",
	}
	return onRecords(a, c, printed(c, tenantTable, func(ctx context.Context, s *records.Store, _ []string) ([]records.Tenant, error) {
		return s.ListTenants(ctx)
	}))
}

func newTenantsSet(a *app) *cobra.Command {
	var tier string
	var disabled bool
	c := &cobra.Command{
		Use:     "set NAME",
		Short:   "Create a tenant, or change what is given as flags",
		Example: "  plait tenants set press --tier gold",
		Args:    oneArgument("NAME"),
	}
	c.Flags().StringVar(&tier, "tier", records.DefaultTier, `tier of the tenant, of those in "plait tiers list"`)
	c.Flags().BoolVar(&disabled, "disabled", false, "refuse the keys of the tenant; its tasks continue (--disabled=false ends it)")
	return onRecords(a, c, printed(c, tenantTable, func(ctx context.Context, s *records.Store, args []string) ([]records.Tenant, error) {
		t, err := s.SetTenant(ctx, args[0], records.TenantChange{Tier: given(c, "tier", tier), Disabled: given(c, "disabled", disabled)})
		return []records.Tenant{t}, err
	}))
}

func newAudit(a *app) *cobra.Command {
	var limit int
	var before int64
	c := &cobra.Command{Use: "audit", Short: "List changes of tenants, tiers and keys, the newest first"}
	c.Flags().IntVarP(&limit, "limit", "n", 20, fmt.Sprintf("number of entries at most, up to %d", records.MaxAuditEntries))
	c.Flags().Int64Var(&before, "before", 0, "only entries with lower numbers (default: the newest)")
	return onRecords(a, c, printed(c, table[records.AuditEntry]{
		"ID\tAT\tACTION\tOBJECT\tACTOR\tCHANGES",
		func(e records.AuditEntry) string {
			return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", e.ID, e.At.Local().Format(time.DateTime), e.Action, e.Object, core.Printable(e.Actor), e.Changes)
		},
	}, func(ctx context.Context, s *records.Store, _ []string) ([]records.AuditEntry, error) {
		return s.AuditLog(ctx, before, limit)
	}))
}
