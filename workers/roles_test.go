package workers_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"plait/activities"
	"plait/internal/core"
	"plait/workers"
	"plait/workflows"
)

// allRoles are those of an installation with comics.
var allRoles = []workers.Role{workers.RoleControl, workers.RoleGPU, workers.RoleTranslate}

func TestParseRoles(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		names []string
		want  []workers.Role
		code  core.Code
	}{
		"none is all": {nil, allRoles, ""},
		"one":         {[]string{"gpu"}, []workers.Role{workers.RoleGPU}, ""},
		"twice":       {[]string{"translate", "control", "translate"}, []workers.Role{workers.RoleTranslate, workers.RoleControl}, ""},
		"unknown":     {[]string{"gpu", "cpu"}, nil, core.CodeInvalidInput},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := workers.ParseRoles(c.names, allRoles)
			require.Equal(t, c.code, core.CodeOf(err))
			require.Equal(t, c.want, got)
		})
	}
}

func TestNamesOfAProcess(t *testing.T) {
	t.Parallel()
	require.Equal(t, "gpu-7/a1b2c3d4 (control+gpu)",
		workers.Identity("gpu-7", "a1b2c3d4", []workers.Role{workers.RoleControl, workers.RoleGPU}))
	require.Equal(t, "plait-host:gpu-7:a1b2c3d4", workflows.HostQueue("gpu-7", "a1b2c3d4"))
	before, after := workers.NewInstance(), workers.NewInstance()
	require.NotEqual(t, before, after)
}

func TestAGPURoleWithoutLeasesIsRefused(t *testing.T) {
	t.Parallel()
	err := workers.Run(t.Context(), workers.Config{Roles: allRoles, Host: activities.New(activities.Deps{})})
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
}

func TestATemporalThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	c, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:1", Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	err = workers.Run(t.Context(), workers.Config{
		Client: c, Roles: []workers.Role{workers.RoleControl}, Host: activities.New(activities.Deps{}),
	})
	require.Equal(t, core.CodeUnavailable, core.CodeOf(err))
}

func TestMetricsOfTemporalAreServedWithAllTheirLabels(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	handler, err := workers.NewMetricsHandler(registry, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	handler.WithTags(map[string]string{"task_queue": "a"}).Counter("temporal_request").Inc(2)
	handler.WithTags(map[string]string{"operation": "b"}).Counter("temporal_request").Inc(3)
	families, err := registry.Gather()
	require.NoError(t, err)
	sum := 0.0
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "temporal_request") {
			require.Len(t, family.GetMetric(), 2)
			for _, metric := range family.GetMetric() {
				sum += metric.GetCounter().GetValue()
			}
		}
	}
	require.InDelta(t, 5, sum, 0)
}
