package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

// An administrator sees what the installation does and costs, sets limits, makes keys, and has the parts checked. The console of the browser
// stays empty, and axe finds nothing.
func TestOperatingInABrowser(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	s := &site{sandbox: newUnwatched(t, append(usingModel(model), "PLAIT_HTTP_ADDRESS="+freeAddress(t), "PLAIT_TRANSLATOR_PRICES="+model.Model()+"=1/1")...)}
	b := openBrowser(t)
	defer b.saidNothing()
	b.do(chromedp.Navigate(s.start()))
	b.shows("Drop a book here")

	b.visit("#/operate/costs")
	b.shows("No model was called in these days.")
	b.accessible()
	limits(b)
	apiKeys(b)
	checks(b, s)
	dropAPDF(b, s)
	filters(b)
	f := s.plait("translate", example("small", "01.png"), "--from", "ja", "--to", "en", "-o", filepath.Join(s.dir, "out.png"))
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	now(b)
	costs(b, s)
}

// now is what the installation does, with the way to the Temporal UI.
func now(b *browser) {
	b.visit("#/operate")
	b.until(`[...document.querySelectorAll("[aria-labelledby=hosts] tbody tr")].some((r) => r.innerText.includes("Ready"))`)
	b.until(`document.querySelector("[aria-labelledby=queues] tbody tr")`)
	b.everyWay("operate", "Temporal UI", "队列")
	var address string
	b.do(chromedp.Evaluate(`[...document.querySelectorAll("main a")].find((a) => a.innerText.startsWith("Temporal UI")).href`, &address))
	require.Contains(b.t, address, "/namespaces/default/workflows")
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	require.NoError(b.t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(b.t, err)
	require.NoError(b.t, resp.Body.Close())
	require.Less(b.t, resp.StatusCode, http.StatusInternalServerError, "it asks for a key")
}

// limits makes a tier with limits, and gives it to the tenant.
func limits(b *browser) {
	b.visit("#/operate/tenants")
	b.press("New tier")
	b.set("#tier-name", "gold")
	b.set(`[data-limit="requests_per_minute"]`, "60000")
	b.set(`[data-limit="stored_bytes"]`, "5000")
	b.everyWay("tier", "Priority", "优先级")
	b.press("Save")
	b.until(`[...document.querySelectorAll("[aria-labelledby=tiers] tbody tr")].some((r) => r.innerText.includes("gold") && r.innerText.includes("60,000") && r.innerText.includes("5 GB"))`)
	b.set(`[aria-label="Tier of local"]`, "gold")
	b.until(`document.querySelector("[aria-labelledby=changes]").innerText.includes("tenant.change")`)
	b.reload()
	b.until(`document.querySelector('[aria-label="Tier of local"]')?.value === "gold"`)
	b.press("Change the tier gold")
	b.set(`[data-limit="requests_per_minute"]`, "")
	b.press("Save")
	b.until(`[...document.querySelectorAll("[aria-labelledby=tiers] tbody tr")].every((r) => !r.innerText.includes("60,000"))`)
}

// apiKeys makes a key and revokes it.
func apiKeys(b *browser) {
	b.shows("Keys of local")
	b.set("#key-name", "reader")
	b.press("Create a key")
	b.until(`document.querySelector("#secret")?.innerText.startsWith("plait_")`)
	b.press("Close")
	b.press("Revoke the key reader")
	b.shows("Who uses it is signed out at once")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll("dialog button")].find((e) => e.innerText === "Revoke").click()`, nil))
	b.shows("The key is revoked.")
	b.until(`!document.querySelector("[aria-labelledby=keys]").innerText.includes("reader")`)
	b.everyWay("tenants", "Tiers and limits", "等级与限额")
}

// checks has every part checked. What is found has no secret.
func checks(b *browser, s *site) {
	b.visit("#/operate/checks")
	b.press("Check every part")
	b.until(`document.querySelectorAll("li[data-part]").length > 5 && [...document.querySelectorAll("li[data-part]")].every((e) => e.dataset.state === "ok" || e.dataset.state === "bad")`)
	for _, part := range []string{"assets", "database", "temporal", "blobs", "device", "translator"} {
		b.until(`document.querySelector('li[data-part="` + part + `"]').dataset.state === "ok"`)
	}
	var shown string
	b.do(chromedp.Evaluate(`document.querySelector("main").innerText`, &shown))
	require.NotContains(b.t, shown, s.key)
	require.Contains(b.t, shown, "Every part works.")
	b.everyWay("checks", "Every part works.", "每个部分都正常。")
}

// dropAPDF has a PDF translated, and takes both files.
func dropAPDF(b *browser, s *site) {
	t := b.t.(*testing.T)
	path := filepath.Join(t.TempDir(), "paper.pdf")
	require.NoError(t, os.WriteFile(path, drawn(2), 0o600))
	b.visit("#/")
	b.choose("#files", path)
	b.shows("paper.pdf")
	b.set("#output", "both")
	b.press("Estimate tokens, cost and time")
	b.shows("Tokens")
	b.everyWay("pdf", "New book", "新书")
	b.press("Translate")
	b.until(`location.hash.startsWith("#/tasks/")`)
	b.shows("Done")
	b.shows("Workflow in the Temporal UI")
	b.until(`[...document.querySelectorAll("a")].find((a) => a.innerText === "Download")`)
	var kind string
	b.do(chromedp.Evaluate(`fetch([...document.querySelectorAll("a")].find((a) => a.innerText === "Download").href).then((r) => r.headers.get("Content-Type"))`, &kind, awaited))
	require.Equal(t, "application/zip", kind)
	b.accessible()
	f := s.plait("glossary", "suggest", strings.Split(b.hash(), "/")[2])
	require.Zero(t, f.status, f.stderr)
	require.True(t, strings.HasPrefix(f.stdout, "source,target"), f.stdout)
}

// filters lists tasks by status and kind.
func filters(b *browser) {
	b.visit("#/")
	b.shows("paper")
	b.everyWay("home", "Your books", "书架")
	b.set("#filter-status", "error")
	b.everyWay("home-none", "No task is like this.", "没有这样的任务。")
	b.press("Show all")
	b.shows("paper")
	b.set("#filter-kind", "document")
	b.shows("paper")
	b.set("#filter-kind", "comic")
	b.shows("No task is like this.")
	b.press("Show all")
}

// earlierCalls are calls of two more models on the twenty days before.
const earlierCalls = `INSERT INTO model_call (request_key, tenant, provider, model, input_tokens, output_tokens, cost_micros, started_at, outcome)
	SELECT model || days, 'local', 'openai', model, 9000 + 700 * days, 4000 + 300 * days,
		(20000 + 9000 * (days * 7 % 11)) * length(model), now() - days * interval '1 day', 'ok'
	FROM generate_series(1, 20) days, unnest(ARRAY['small', 'medium']) model`

// costs shows what models cost, in a plot and in tables.
func costs(b *browser, s *site) {
	_, err := s.database(s.located()).Exec(b.t.Context(), earlierCalls)
	require.NoError(b.t, err)
	b.visit("#/operate/costs")
	b.until(`document.querySelector("[aria-labelledby=costs] canvas")`)
	b.until(`[...document.querySelectorAll("[aria-labelledby=cost-models] tbody tr")].map((r) => r.cells[0].innerText).join() === "medium,small,test-model"`)
	b.until(`document.querySelector("[role=img]").getAttribute("aria-label").startsWith("Cost by day and model")`)
	b.set("#cost-measure", "calls")
	b.until(`document.querySelector("[role=img]").getAttribute("aria-label").startsWith("Calls by day and model")`)
	b.set("#cost-measure", "cost")
	b.set("#cost-tenant", "local")
	b.until(`document.querySelector("[aria-labelledby=costs] canvas")`)
	b.press("Every day")
	b.until(`document.querySelectorAll("details[open] tbody tr").length === 41`)
	b.press("Every day")
	b.everyWay("costs", "By model", "按模型")
	b.visit("#/costs")
	b.until(`document.querySelector("[aria-labelledby=costs] canvas")`)
	b.expectFailures(true)
	s.kill()
	b.set("#cost-days", "7")
	b.shows("The costs could not be loaded")
	s.start()
	b.press("Try again")
	b.until(`!document.body.innerText.includes("The costs could not be loaded")`)
	b.expectFailures(false)
}
