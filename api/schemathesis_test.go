package api_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
)

// Schemathesis sends what openapi.yaml allows and what it does not, for a minute. No answer is a fault of the server, each is as
// openapi.yaml describes it, and none comes without a key. `make build/tools/schemathesis` installs it.
func generatedRequests(_ *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "はい")))).is(http.StatusAccepted).header.Get("Location"))
	dir := t.TempDir()
	// Requests for a task go to one that exists, but for those that delete it.
	config := fmt.Sprintf(`
parameters = { "path.id" = %q, "path.item" = 0 }
[[operations]]
include-operation-id = "deleteTask"
parameters = { "path.id" = "none" }
`, task.ID)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "schemathesis.toml"), []byte(config), 0o600))
	checks := []string{
		"not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance", "response_schema_conformance",
		"ignored_auth", "allow_header_conformance", "unsupported_method",
	}
	// One worker, as Python 3.11 fails to compile deep code in several threads.
	cmd := exec.CommandContext(t.Context(), "python3", "-m", "schemathesis.cli", "run", c.address+"/openapi.yaml",
		"--header", "Authorization: Bearer "+c.key, "--max-time", "60", "--request-timeout", "30", "--workers", "1",
		"--checks", strings.Join(checks, ","), "--exclude-path", "/metrics",
		"--exclude-path", "/v1/events", "--no-color") // its answer does not end
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "PYTHONPATH="+filepath.Join(assetstest.ModuleRoot(), "build", "tools", "schemathesis"))
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		t.Log(line[:min(len(line), 300)])
	}
	require.NoError(t, err)
}
