package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const (
	costsPath = "/costs"
	// defaultCostDays is the number of days of an answer when a request names none, and maxCostDays the largest.
	defaultCostDays, maxCostDays = 30, 366
	oneDay                       = 24 * time.Hour
)

// routeCosts adds what models cost: a tenant, and for administrators all of them.
func (s *Server) routeCosts(group *echo.Group, quick echo.MiddlewareFunc) {
	get(group, costsPath, func(c echo.Context) error { return s.answerCosts(c, tenantOf(c)) }, s.keyed(quick, allowQuery("from", "to"))...)
	get(group, adminPath+costsPath, s.getAllCosts, s.keyed(quick, allowQuery("from", "to", "tenant"))...)
}

// getAllCosts answers with the costs of all tenants together, or of the one that the query names.
func (s *Server) getAllCosts(c echo.Context) error {
	tenant := c.QueryParam("tenant")
	if tenant == "" && c.QueryParams().Has("tenant") || tenant != "" && !records.IsName(tenant) {
		return core.Errorf(core.CodeInvalidInput, "tenant %q is not the name of a tenant", clip(tenant))
	}
	return s.answerCosts(c, tenant)
}

func (s *Server) answerCosts(c echo.Context, tenant string) error {
	from, to, err := costDays(c.QueryParam("from"), c.QueryParam("to"), time.Now())
	if err != nil {
		return err
	}
	found, err := s.Records.Costs(c.Request().Context(), tenant, from, to.Add(oneDay))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.Costs{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly), Costs: viewAll(found, viewCost)})
}

func viewCost(c records.Cost) schema.Cost {
	return schema.Cost{
		Day: c.Day.UTC().Format(time.DateOnly), Provider: c.Provider, Model: c.Model, Calls: c.Calls, FailedCalls: c.FailedCalls,
		InputTokens: c.InputTokens, OutputTokens: c.OutputTokens, CostMicros: c.CostMicros,
	}
}

// costDays returns the first and the last day of a request, as their beginnings in UTC.
func costDays(fromText, toText string, now time.Time) (from, to time.Time, err error) {
	to = now.UTC().Truncate(oneDay)
	if toText != "" {
		if to, err = parseDay("to", toText); err != nil {
			return from, to, err
		}
	}
	from = to.Add(-(defaultCostDays - 1) * oneDay)
	if fromText != "" {
		if from, err = parseDay("from", fromText); err != nil {
			return from, to, err
		}
	}
	switch {
	case to.Before(from):
		err = core.Errorf(core.CodeInvalidInput, "from %s is after to %s", from.Format(time.DateOnly), to.Format(time.DateOnly))
	case to.Sub(from) >= maxCostDays*oneDay:
		err = core.Errorf(core.CodeInvalidInput, "from %s to %s are more than %d days", from.Format(time.DateOnly), to.Format(time.DateOnly), maxCostDays)
	}
	return from, to, err
}

func parseDay(field, text string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1970 {
		return day, core.Errorf(core.CodeInvalidInput, "%s %q is not a day such as 2026-01-31", field, clip(text))
	}
	return day, nil
}
