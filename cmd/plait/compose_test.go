package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"

	"plait/api/temporalui"
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
	project, err := loadCompose(t, "POSTGRES_PASSWORD=chosen", "PLAIT_TEMPORAL_PAYLOAD_KEYS=chosen")
	require.NoError(t, err)
	project, err = project.WithProfiles([]string{"observability"})
	require.NoError(t, err)
	for _, name := range []string{"postgres", "temporal", "temporal-ui", "api", "worker-gpu", "worker-flow", "prometheus", "jaeger", "grafana"} {
		service, err := project.GetService(name)
		require.NoError(t, err)
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, "%s is published on loopback only", name)
		}
		if name != "temporal-ui" && name != "jaeger" { // their images have nothing to ask with
			require.NotNil(t, service.HealthCheck, name)
		}
	}
	ui, err := project.GetService("temporal-ui")
	require.NoError(t, err)
	require.Empty(t, ui.Ports, "the UI asks nobody who they are: plait api does")
	require.Equal(t, temporalui.CodecPath, *ui.Environment["TEMPORAL_CODEC_ENDPOINT"])
	roles := map[string]bool{}
	for _, name := range []string{"api", "worker-gpu", "worker-flow", "migrate"} {
		service, err := project.GetService(name)
		require.NoError(t, err)
		require.Equal(t, "plait", service.Image)
		require.True(t, service.ReadOnly, name)
		require.Equal(t, "chosen", *service.Environment["PLAIT_TEMPORAL_PAYLOAD_KEYS"], name)
		for _, arg := range service.Command {
			roles[arg] = true
		}
	}
	require.True(t, roles["gpu"] && roles["control,translate"] && roles["api"])
}

// The image fetches the assets in a layer that knows only what is copied before it.
func TestTheImagesAssetLayerHasWhatItNeeds(t *testing.T) {
	t.Parallel()
	dockerfile, err := os.ReadFile(filepath.Join(moduleRoot(), "Dockerfile"))
	require.NoError(t, err)
	before, _, found := strings.Cut(string(dockerfile), "RUN make assets")
	require.True(t, found)
	dir := t.TempDir()
	for line := range strings.Lines(before) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != "COPY" || strings.HasPrefix(fields[1], "--") {
			continue
		}
		for _, from := range fields[1 : len(fields)-1] {
			copyInto(t, filepath.Join(moduleRoot(), from), filepath.Join(dir, fields[len(fields)-1]), from)
		}
	}
	for _, args := range [][]string{{"scripts/need"}, {"make", "-n", "assets"}, {"go", "vet", "./assets/fetch"}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
	}
}

// copyInto copies as COPY does: a folder's content into to, a file to the name to, or into it when to is a folder.
func copyInto(t *testing.T, from, to, name string) {
	t.Helper()
	info, err := os.Stat(from)
	require.NoError(t, err)
	if info.IsDir() {
		require.NoError(t, os.CopyFS(to, os.DirFS(from)))
		return
	}
	if filepath.Base(to) != filepath.Base(name) {
		to = filepath.Join(to, filepath.Base(name))
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
	b, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, b, info.Mode()))
}

func TestObservabilityIsAskedFor(t *testing.T) {
	t.Parallel()
	project, err := loadCompose(t, "POSTGRES_PASSWORD=chosen", "PLAIT_TEMPORAL_PAYLOAD_KEYS=chosen")
	require.NoError(t, err)
	for _, name := range []string{"prometheus", "jaeger", "grafana"} {
		_, err := project.GetService(name)
		require.Error(t, err, name)
	}
	project, err = project.WithProfiles([]string{"observability"})
	require.NoError(t, err)
	for _, name := range []string{"prometheus", "jaeger", "grafana"} {
		service, err := project.GetService(name)
		require.NoError(t, err)
		for _, volume := range service.Volumes {
			if volume.Type == types.VolumeTypeBind {
				_, err := os.Stat(volume.Source)
				require.NoError(t, err)
			}
		}
	}
}

func TestComposeHasNoDefaultSecret(t *testing.T) {
	t.Parallel()
	_, err := loadCompose(t)
	require.ErrorContains(t, err, "POSTGRES_PASSWORD")
}
