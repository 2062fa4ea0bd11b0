package api_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/assets/assetstest"
)

// The example of the Python client sends pages, waits for them and fetches the result; a second run finds the same task.
// `make python-client` generates the client.
func pythonClient(_ *world, c caller) {
	t := c.t
	dir := t.TempDir()
	first, second, out := filepath.Join(dir, "1.png"), filepath.Join(dir, "2.png"), filepath.Join(dir, "out.cbz")
	require.NoError(t, os.WriteFile(first, page(t, "はい"), 0o600))
	require.NoError(t, os.WriteFile(second, page(t, "いいえ"), 0o600))
	root := assetstest.ModuleRoot()
	run := func(key string, pages ...string) (string, error) {
		args := append([]string{filepath.Join(root, "examples", "client.py"), c.address, key, "ja", "en", out}, pages...)
		cmd := exec.CommandContext(t.Context(), "python3", args...)
		cmd.Env = append(cmd.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+filepath.Join(root, "build", "python-client")+
			string(filepath.ListSeparator)+filepath.Join(root, "build", "tools", "pythonclient"))
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	said, err := run(c.key, first, second)
	require.NoError(t, err, said)
	require.Regexp(t, `^task [0-9a-f-]{36}: success, 2 of 2 pages\n$`, said)
	again, err := run(c.key, first, second)
	require.NoError(t, err, again)
	require.Equal(t, said, again)
	result, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, c.get(tasksRoute+"/"+said[len("task "):len("task ")+36]+"/result").is(http.StatusOK).body, result)
	require.Equal(t, "はい -> [はい]\n", enginetest.TextOf(unzip(t, result)[0].content))

	refused, err := run("wrong", first)
	require.Error(t, err)
	require.Regexp(t, `^UNAUTHORIZED: .*\(request [0-9a-f-]+\)\n$`, refused)
}
