package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// A stored image whose bytes have changed is not given out as the result that it was.
func corruptResult(w *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "腐る")))).is(http.StatusAccepted).header.Get("Location"))
	hash := strings.Trim(c.get(task.Pages[0].Links["result"]).is(http.StatusOK).header.Get("ETag"), `"`)
	stored := filepath.Join(w.folder, hash[:2], hash)
	b, err := os.ReadFile(stored)
	require.NoError(t, err)
	b[len(b)-1]++
	require.NoError(t, os.WriteFile(stored, b, 0o600))

	c.get(task.Pages[0].Links["result"]).refused(http.StatusInternalServerError, core.CodeBlobCorrupt, hash)
	c.get(task.Links["result"]).refused(http.StatusInternalServerError, core.CodeBlobCorrupt, hash)
}
