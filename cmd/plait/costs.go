package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/core"
)

func newCosts(a *app) *cobra.Command {
	var asJSON bool
	var filter client.CostFilter
	c := &cobra.Command{
		Use:   "costs",
		Short: "List what models cost, by day and model",
		Long: `List what models cost, by day and model, and the sum. Costs are in the currency of translator.prices; a model without a price costs 0.
Failed calls and those of deleted tasks are included. Days are those of UTC, 366 at most.

The costs are those of the tenant of the key. With --all they are those of all tenants together, and with --tenant those of one; both
need a key of the scope admin.`,
		Example: `  plait costs --from 2026-01-01 --to 2026-01-31
  plait costs --all --json`,
		PreRunE: func(c *cobra.Command, _ []string) error {
			if filter.All && filter.Tenant != "" {
				return usageError(c, errors.New("--all and --tenant exclude each other"))
			}
			return nil
		},
	}
	c.Flags().StringVar(&filter.From, "from", "", "first day, as YYYY-MM-DD (default: 30 days with the last one)")
	c.Flags().StringVar(&filter.To, "to", "", "last day, as YYYY-MM-DD (default: today)")
	c.Flags().StringVar(&filter.Tenant, "tenant", "", "costs of this tenant")
	c.Flags().BoolVar(&filter.All, "all", false, "costs of all tenants together")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a day and model")
	return onAPI(a, c, func(ctx context.Context, api *client.Client, _ []string) error {
		costs, err := api.Costs(ctx, filter)
		if err != nil {
			return err
		}
		rows := costs.Costs
		if !asJSON {
			rows = append(rows, totalOf(costs))
		}
		return costTable.print(c.OutOrStdout(), asJSON, rows)
	})
}

var costTable = table[schema.Cost]{"DAY\tPROVIDER\tMODEL\tCALLS\tFAILED\tINPUT TOKENS\tOUTPUT TOKENS\tCOST", func(r schema.Cost) string {
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.4f", r.Day, core.Printable(r.Provider), core.Printable(r.Model), r.Calls, r.FailedCalls, r.InputTokens,
		r.OutputTokens, float64(r.CostMicros)/1e6)
}}

// totalOf is the sum of costs.
func totalOf(costs schema.Costs) schema.Cost {
	total := schema.Cost{Day: "total", Provider: "-", Model: "-"}
	for _, c := range costs.Costs {
		total.Calls += c.Calls
		total.FailedCalls += c.FailedCalls
		total.InputTokens += c.InputTokens
		total.OutputTokens += c.OutputTokens
		total.CostMicros += c.CostMicros
	}
	return total
}
