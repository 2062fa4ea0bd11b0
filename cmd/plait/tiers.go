package main

import (
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
	c := &cobra.Command{
		Use:   "tiers",
		Short: "List, set and delete the tiers of tenants",
		Long: `List, set and delete the tiers of tenants.

A tier says what each of its tenants may use, and when their work is served. Work of the priorities 1 and 2 comes before that of 3 and 4,
and so on to 10. Within such a pair, tenants take turns by weight, and those of the second priority have a quarter of the turns. New tenants have the tier ` + records.DefaultTier + `, which has no limits at first.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newTiersList(a), newTiersSet(a), newTiersDelete(a))
	return c
}

func newTiersList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the tiers, those that are served first at the top",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRecords(c, a, func(s *records.Store) error {
				tiers, err := s.ListTiers(c.Context())
				if err != nil {
					return err
				}
				return printList(c.OutOrStdout(), asJSON, tiers, "TIER\tPRIORITY\tWEIGHT\tLIMITS", func(t records.Tier) string {
					return fmt.Sprintf("%s\t%d\t%d\t%s", t.Name, t.Priority, t.Weight, t.Limits)
				})
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a tier")
	return c
}

func newTiersSet(a *app) *cobra.Command {
	given := records.NewTier("")
	c := &cobra.Command{
		Use:     "set NAME",
		Short:   "Create a tier, or change the values that are given as flags",
		Example: "  plait tiers set gold --priority 1 --requests-per-minute 600 --running-tasks 20",
		Args:    oneArgument("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			given.Name = args[0]
			if err := given.Check(); err != nil {
				return usageError(c, err)
			}
			return withRecords(c, a, func(s *records.Store) error {
				t, err := s.Tier(c.Context(), given.Name)
				if core.CodeOf(err) == core.CodeNotFound {
					t, err = records.NewTier(given.Name), nil
				}
				if err != nil {
					return err
				}
				if t, err = s.SetTier(c.Context(), changedTier(c, t, given)); err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "tier %s: priority %d, weight %d, limits: %s\n", t.Name, t.Priority, t.Weight, t.Limits)
				return err
			})
		},
	}
	c.Flags().IntVar(&given.Priority, "priority", given.Priority, fmt.Sprintf("from %d (served first) to %d", records.FirstTierPriority, records.LastTierPriority))
	c.Flags().IntVar(&given.Weight, "weight", given.Weight, "share of a tenant among those of the same priority, from 1 to 1000")
	for _, l := range given.All() {
		c.Flags().Var(limitFlag{l.Value}, limitFlagName(l.Name), l.Bounds+", or "+withoutLimit)
	}
	return c
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

// limitFlag is a limit, or none.
type limitFlag struct{ value **int64 }

func (f limitFlag) Type() string { return "limit" }

func (f limitFlag) String() string {
	if f.value == nil || *f.value == nil {
		return ""
	}
	return strconv.FormatInt(**f.value, 10)
}

func (f limitFlag) Set(text string) error {
	if text == withoutLimit {
		*f.value = nil
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	*f.value = &n
	return err
}

func newTiersDelete(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a tier that no tenant has",
		Args:  oneArgument("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			return withRecords(c, a, func(s *records.Store) error { return s.DeleteTier(c.Context(), args[0]) })
		},
	}
}
