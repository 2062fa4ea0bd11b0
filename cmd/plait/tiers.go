package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plait/internal/core"
	"plait/internal/records"
)

// withoutLimit is the value of a flag that removes a limit.
const withoutLimit = "none"

func newTiers(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "tiers",
		Short: "List, set and delete the tiers of tenants",
		Long: `List, set and delete the tiers of tenants.

A tier says what each of its tenants may use, and when their work is served. Work of the priorities 1 and 2 comes before that of 3 and 4,
and so on to 10. Within such a pair, tenants take turns by weight, and those of the second priority have a quarter of the turns. New tenants have the tier ` + records.DefaultTier + `, which has no limits at first.`,
	}, newTiersList(a), newTiersSet(a), newTiersDelete(a))
}

func newTiersList(a *app) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List the tiers, those that are served first at the top"}
	return onRecords(a, c, printed(c, table[records.Tier]{
		"TIER\tPRIORITY\tWEIGHT\tLIMITS",
		func(t records.Tier) string {
			return fmt.Sprintf("%s\t%d\t%d\t%s", t.Name, t.Priority, t.Weight, t.Limits)
		},
	}, func(ctx context.Context, s *records.Store, _ []string) ([]records.Tier, error) {
		return s.ListTiers(ctx)
	}))
}

func newTiersSet(a *app) *cobra.Command {
	given := records.NewTier("")
	c := &cobra.Command{
		Use:     "set NAME",
		Short:   "Create a tier, or change the values that are given as flags",
		Example: "  plait tiers set gold --priority 1 --requests-per-minute 600 --running-tasks 20",
		Args:    oneArgument("NAME"),
		PreRunE: func(c *cobra.Command, args []string) error {
			given.Name = args[0]
			return usageError(c, given.Check())
		},
	}
	c.Flags().IntVar(&given.Priority, "priority", given.Priority, fmt.Sprintf("from %d (served first) to %d", records.FirstTierPriority, records.LastTierPriority))
	c.Flags().IntVar(&given.Weight, "weight", given.Weight, "share of a tenant among those of the same priority, from 1 to 1000")
	for _, l := range given.All() {
		c.Flags().Var(reading(l.Value, "limit", "", parseLimit), limitFlagName(l.Name), l.Bounds+", or "+withoutLimit)
	}
	return onRecords(a, c, func(ctx context.Context, s *records.Store, _ []string) error {
		t, err := s.Tier(ctx, given.Name)
		if core.CodeOf(err) == core.CodeNotFound {
			t, err = records.NewTier(given.Name), nil
		}
		if err == nil {
			t, err = s.SetTier(ctx, changedTier(c, t, given))
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "tier %s: priority %d, weight %d, limits: %s\n", t.Name, t.Priority, t.Weight, t.Limits)
		return err
	})
}

// changedTier is the tier with the values of the flags that were given.
func changedTier(c *cobra.Command, t, given records.Tier) records.Tier {
	if c.Flags().Changed("priority") {
		t.Priority = given.Priority
	}
	if c.Flags().Changed("weight") {
		t.Weight = given.Weight
	}
	for i, l := range given.All() {
		if c.Flags().Changed(limitFlagName(l.Name)) {
			*t.All()[i].Value = *l.Value
		}
	}
	return t
}

func limitFlagName(limit string) string { return strings.ReplaceAll(limit, "_", "-") }

// parseLimit reads a limit, or none.
func parseLimit(text string) (*int64, error) {
	if text == withoutLimit {
		return nil, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return &n, err
}

func newTiersDelete(a *app) *cobra.Command {
	c := &cobra.Command{Use: "delete NAME", Short: "Delete a tier that no tenant has", Args: oneArgument("NAME")}
	return onRecords(a, c, func(ctx context.Context, s *records.Store, args []string) error { return s.DeleteTier(ctx, args[0]) })
}
