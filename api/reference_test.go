package api_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page loads its own files alone, all of which its policy allows, and needs no key.
func TestThePageOfTheDescription(t *testing.T) {
	t.Parallel()
	c := caller{newRig(t), "", ""}
	page := c.get("/docs").is(http.StatusOK)
	require.Equal(t, "text/html; charset=utf-8", page.header.Get("Content-Type"))
	policy := page.header.Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'; script-src 'self'")
	require.NotContains(t, policy, "unsafe-eval")
	require.NotRegexp(t, `<script[^>]*>[^<]`, string(page.body), "no script is inline")
	require.NotRegexp(t, `https?://`, string(page.body), "nothing comes from another host")
	files := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(string(page.body), -1)
	require.Len(t, files, 3)
	for _, file := range files {
		got := c.get("/" + file[1]).is(http.StatusOK)
		require.NotEmpty(t, got.body)
		require.Regexp(t, `^(text/css|text/javascript|application/javascript)`, got.header.Get("Content-Type"), file[1])
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
	}
}
