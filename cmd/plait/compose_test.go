package main

import (
	"context"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

func loadCompose(t *testing.T, environ ...string) (*types.Project, error) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{moduleRoot() + "/docker-compose.yml"}, cli.WithEnv(environ))
	require.NoError(t, err)
	return options.LoadProject(context.Background())
}

// The file is read as docker compose reads it, whether or not docker is there.
func TestComposeIsTheTopologyOfServers(t *testing.T) {
	t.Parallel()
	project, err := loadCompose(t, "POSTGRES_PASSWORD=chosen")
	require.NoError(t, err)
	for _, name := range []string{"postgres", "temporal", "temporal-ui", "api", "worker-gpu", "worker-flow"} {
		service, err := project.GetService(name)
		require.NoError(t, err)
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, "%s is published on loopback only", name)
		}
		if name != "temporal-ui" { // its image has nothing to ask with
			require.NotNil(t, service.HealthCheck, name)
		}
	}
	roles := map[string]bool{}
	for _, name := range []string{"api", "worker-gpu", "worker-flow", "migrate"} {
		service, err := project.GetService(name)
		require.NoError(t, err)
		require.Equal(t, "plait", service.Image)
		require.True(t, service.ReadOnly, name)
		for _, arg := range service.Command {
			roles[arg] = true
		}
	}
	require.True(t, roles["gpu"] && roles["control,translate"] && roles["api"])
}

func TestComposeHasNoDefaultSecret(t *testing.T) {
	t.Parallel()
	_, err := loadCompose(t)
	require.ErrorContains(t, err, "POSTGRES_PASSWORD")
}
