package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/api"
	"plait/installation"
	"plait/internal/lease"
	"plait/internal/ranks"
	"plait/internal/translators"
	"plait/tasks"
	"plait/workers"
)

// own are the metrics that are Plait's, and those of Temporal.
var own = regexp.MustCompile(`(plait|temporal)_[a-z_]+`)

// registered are the names of the metrics of all processes.
func registered(t *testing.T) map[string]bool {
	t.Helper()
	registry := installation.NewRegistry()
	activities.NewMetrics(registry, lease.New(lease.Config{}))
	comicsteps.NewMetrics(registry)
	translators.NewMetrics(registry)
	tasks.NewMetrics(registry)
	ranks.NewMetrics(registry)
	temporal, err := workers.NewMetricsHandler(registry, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	temporal.Timer("temporal_activity_schedule_to_start_latency").Record(time.Second) // the SDK's; those exist once used
	api.New(api.Deps{Tasks: &tasks.Service{}, Registry: registry, Log: slog.New(slog.DiscardHandler), Version: "v1"})
	gathered, err := registry.Gather()
	require.NoError(t, err)
	names := map[string]bool{}
	for _, family := range gathered {
		if own.MatchString(family.GetName()) {
			names[family.GetName()] = true
		}
	}
	descriptions := make(chan *prometheus.Desc)
	go func() {
		registry.Describe(descriptions)
		close(descriptions)
	}()
	fqName := regexp.MustCompile(`fqName: "(plait_[a-z_]+)"`)
	for d := range descriptions {
		if found := fqName.FindStringSubmatch(d.String()); found != nil {
			names[found[1]] = true
		}
	}
	return names
}

// A panel of a metric that nobody writes stays empty, and nobody notices. A metric that no panel shows is one to think of.
func TestTheDashboardShowsTheMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join(moduleRoot(), "deploy", "grafana", "dashboards", "plait.json"))
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(b, &dashboard))
	shown := map[string]bool{"plait_build_info": true} // a label, and no figure
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			for _, metric := range own.FindAllString(target.Expr, -1) {
				shown[strings.TrimSuffix(strings.TrimSuffix(metric, "_bucket"), "_count")] = true
			}
		}
	}
	require.Equal(t, registered(t), shown)
}

// An alert about a metric that nobody writes never fires.
func TestAlertsAreAboutMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join(moduleRoot(), "deploy", "prometheus-alerts.yaml"))
	require.NoError(t, err)
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	require.NoError(t, yaml.Unmarshal(b, &file))
	docs, err := os.ReadFile(filepath.Join(moduleRoot(), "docs", "operations.md"))
	require.NoError(t, err)
	metrics := registered(t)
	require.Len(t, file.Groups, 1)
	for _, rule := range file.Groups[0].Rules {
		for _, metric := range own.FindAllString(rule.Expr, -1) {
			require.Contains(t, metrics, strings.TrimSuffix(strings.TrimSuffix(metric, "_bucket"), "_count"), rule.Alert)
		}
		require.Contains(t, string(docs), "`"+rule.Alert+"`", "the documentation says what to do")
	}
}
