package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
)

var screensFlag = flag.String("screens", "", "folder into which the test of the page writes pictures of its screens")

// browser is one tab of a real browser, at the page that `plait up` serves.
type browser struct {
	t   testing.TB
	ctx context.Context //nolint:containedctx // chromedp keeps the tab in it

	mu sync.Mutex
	// said are errors on the console. While requests are expected to fail, those that the browser itself reports do not count.
	said    []string
	failing bool
}

// openBrowser starts a browser, which `make build/tools/chromium` unpacks. It shows the fonts of the assets beside those of the system.
func openBrowser(tb testing.TB) *browser {
	tb.Helper()
	tools := filepath.Join(assetstest.ModuleRoot(), "build", "tools", "chromium")
	require.FileExists(tb, filepath.Join(tools, "chromium"), "make build/tools/chromium unpacks the browser")
	fonts := filepath.Join(tb.TempDir(), "fonts.conf")
	require.NoError(tb, os.WriteFile(fonts, fmt.Appendf(nil, `<?xml version="1.0"?><fontconfig><dir>/usr/share/fonts</dir><dir>%s</dir><cachedir>%s</cachedir></fontconfig>`,
		filepath.Join(assetstest.Dir(tb), "fonts"), tb.TempDir()), 0o600))
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(filepath.Join(tools, "chromium")), chromedp.NoSandbox, chromedp.WindowSize(1280, 860), chromedp.Flag("lang", "en-US"), chromedp.Flag("disable-gpu", true),
		chromedp.Env("LD_LIBRARY_PATH="+filepath.Join(tools, "libraries", "lib"), "FONTCONFIG_FILE="+fonts))
	ctx, stop := chromedp.NewExecAllocator(tb.Context(), options...)
	tb.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx, chromedp.WithErrorf(tb.Logf)) // of events that this version does not know
	tb.Cleanup(closeTab)
	b := &browser{t: tb, ctx: ctx}
	chromedp.ListenTarget(ctx, b.hear)
	b.do(log.Enable(), runtime.Enable())
	return b
}

func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			b.said = append(b.said, fmt.Sprint(e.Args))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError && !b.failing {
			b.said = append(b.said, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// expectFailures sets whether requests are expected to fail.
func (b *browser) expectFailures(failing bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failing = failing
}

func (b *browser) saidNothing() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.said, "the console of the browser")
}

// do performs actions within a time that only what is stuck takes.
func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	done := make(chan error, 1)
	go func() { done <- chromedp.Run(b.ctx, actions...) }()
	select {
	case err := <-done:
		require.NoError(b.t, err, "%s", b.text())
	case <-time.After(2 * time.Minute):
		require.Fail(b.t, "an action of the browser is stuck", "%s", b.text())
	}
}

// text is what the page shows, for messages.
func (b *browser) text() (shown string) {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	_ = chromedp.Run(ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText`, &shown))
	return shown
}

// until waits until an expression of JavaScript is true.
func (b *browser) until(expression string) {
	b.t.Helper()
	eventuallySaying(b.t, func() bool {
		var ok bool
		return chromedp.Run(b.ctx, chromedp.Evaluate("!!("+expression+")", &ok)) == nil && ok
	}, func() string { return expression + "\n" + b.text() })
}

// shows waits until the page shows a text.
func (b *browser) shows(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.body.innerText.includes(%s)", quoted(text)))
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string
	return string(b)
}

// press clicks the visible button, link or summary with that text or label.
func (b *browser) press(name string) {
	b.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("button, a, summary")].find((e) => e.checkVisibility() && !e.disabled
		&& (e.innerText.trim() === %[1]s || e.getAttribute("aria-label") === %[1]s))`, quoted(name))
	b.until(find)
	b.do(chromedp.Evaluate(find+".click()", nil))
}

// choose gives files to an input.
func (b *browser) choose(selector string, paths ...string) {
	b.t.Helper()
	b.do(chromedp.SetUploadFiles(selector, paths, chromedp.ByQuery))
}

// set sets the value of a field as typing does.
func (b *browser) set(selector, value string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%s)", quoted(selector)))
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const e = document.querySelector(%s); e.focus(); e.value = %s;
		for (const type of ["input", "change"]) e.dispatchEvent(new Event(type, { bubbles: true })); }`, quoted(selector), quoted(value)), nil))
}

func (b *browser) reload() {
	b.t.Helper()
	b.do(chromedp.Reload())
}

// accessible checks what is shown with axe, by the rules of WCAG 2.2 A and AA, in light and in dark.
func (b *browser) accessible() {
	b.t.Helper()
	axe, err := os.ReadFile(filepath.Join(assetstest.ModuleRoot(), "build", "tools", "chromium", "axe.min.js"))
	require.NoError(b.t, err)
	b.do(chromedp.Evaluate(string(axe)+"; undefined", nil))
	for _, theme := range []string{"dark", "light"} {
		var found []string
		b.do(chromedp.Evaluate(fmt.Sprintf(`(async () => {
			document.documentElement.dataset.theme = %q;
			for (const a of document.getAnimations()) if (a.effect.getTiming().iterations !== Infinity) a.finish();
			const { violations } = await axe.run({ preload: false, runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
			return violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html + " " + n.failureSummary));
		})()`, theme), &found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		require.Empty(b.t, found, theme)
	}
}

// screen writes a picture of what is shown, when the test was asked for pictures.
func (b *browser) screen(name string) {
	b.t.Helper()
	if *screensFlag == "" {
		return
	}
	var png []byte
	b.do(chromedp.CaptureScreenshot(&png))
	require.NoError(b.t, os.WriteFile(filepath.Join(*screensFlag, name+".png"), png, 0o600))
}

// eventuallySaying is eventually with a message that is made when it fails.
func eventuallySaying(tb testing.TB, done func() bool, what func() string) {
	tb.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); <-tick.C {
		if done() {
			return
		}
	}
	require.Fail(tb, "it did not happen", "%s", what())
}

// freeAddress is an address that a server can take again after it was killed.
func freeAddress(tb testing.TB) string {
	tb.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	defer l.Close()
	return l.Addr().String()
}

// site is the installation of a test with its page.
type site struct {
	*sandbox
	address, key string
}

// start runs `plait up`, and returns the link that signs in.
func (s *site) start() (link string) {
	s.t.Helper()
	s.address = s.up()
	key, err := os.ReadFile(filepath.Join(s.data, "api-key"))
	require.NoError(s.t, err)
	s.key = strings.TrimSpace(string(key))
	said, err := os.ReadFile(filepath.Join(s.dir, "up.txt"))
	require.NoError(s.t, err)
	return regexp.MustCompile(`http\S+/sign-in\?token=\S+`).FindString(string(said))
}

// kill ends `plait up` at once.
func (s *site) kill() {
	s.t.Helper()
	require.NoError(s.t, syscall.Kill(s.owner, syscall.SIGKILL))
	<-s.ended
}

// ask sends a request as another client, and returns the answer.
func (s *site) ask(method, path, body string) (status int, answer map[string]any) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, strings.NewReader(body))
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	_ = json.NewDecoder(resp.Body).Decode(&answer) // some answers have no body
	return resp.StatusCode, answer
}

// A person takes a book from the drop to the download, with a reload, a killed installation and a second editor in between. The console of
// the browser stays empty, and axe finds nothing.
func TestThePageInABrowser(t *testing.T) {
	t.Parallel()
	s := &site{sandbox: newUnwatched(t, "PLAIT_HTTP_ADDRESS="+freeAddress(t))}
	link := s.start()
	b := openBrowser(t)
	defer b.saidNothing()

	signIn(b, s, link)
	operate(b)
	dropABook(b)
	watch(b)
	damaged(b)
	compareAndCorrect(b, s)
	letterOtherwise(b, s)
	twoPeople(b, s)
	killed(b, s)
	gone(b, s)
}

func signIn(b *browser, s *site, link string) {
	b.do(chromedp.Navigate(s.address + "/"))
	b.shows("Sign in to Plait")
	b.accessible()
	b.press("简体中文")
	b.shows("登录 Plait")
	b.press("English")
	b.do(chromedp.Navigate(link))
	b.shows("Drop a book here")
	b.accessible()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	b.until(`location.hash === "#/"`)
	b.shows("Drop a book here")
}

// operate makes a key and revokes it.
func operate(b *browser) {
	b.press("Operate")
	b.shows("Keys of local")
	b.until(`[...document.querySelectorAll("[aria-labelledby=hosts] tbody tr")].some((r) => r.innerText.includes("Ready"))`)
	b.until(`document.querySelector("[aria-labelledby=queues] tbody tr")`)
	b.screen("operate")
	b.set("#key-name", "reader")
	b.press("Create a key")
	b.until(`document.querySelector("#secret")?.innerText.startsWith("plait_")`)
	b.press("Close")
	b.accessible()
	b.press("Revoke the key reader")
	b.shows("Who uses it is signed out at once")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll("dialog button")].find((e) => e.innerText === "Revoke").click()`, nil))
	b.shows("The key is revoked.")
	b.do(chromedp.Evaluate(`location.hash = "#/"`, nil))
	b.shows("Drop a book here")
}

const pageCards = `[...document.querySelectorAll("ol > li.card")]`

func dropABook(b *browser) {
	t := b.t.(*testing.T)
	broken := filepath.Join(t.TempDir(), "broken.cbz")
	require.NoError(t, os.WriteFile(broken, []byte("this is no archive"), 0o600))
	b.choose("#files", broken)
	b.shows("broken.cbz cannot be opened")

	book := smallBook(t)
	b.choose("#files", book)
	b.until(pageCards + `.length === 3 && ` + pageCards + `.every((c) => c.querySelector("img")?.naturalWidth > 0)`)
	b.shows("No model is configured")
	b.accessible()
	b.screen("new")

	// The order, which a reload keeps.
	b.press("Move 01.png back")
	first := `document.querySelector("ol > li.card .name").innerText`
	b.until(first + ` === "02.png"`)
	b.reload()
	b.until(first + ` === "02.png"`)
	b.press("Discard")
	b.until(`location.hash === "#/"`)
	b.shows("Drop a book here")

	b.choose("#files", book)
	b.shows("3 pages")
	b.choose("#script", example("small", "script.en.json"))
	b.shows("By the script script.en.json")
	b.set("form select", "ja")
	b.press("Translate")
}

func watch(b *browser) {
	b.until(`location.hash.startsWith("#/tasks/")`)
	b.until(pageCards + `.length === 3`)
	b.reload()
	b.until(pageCards + `.filter((c) => c.dataset.status === "success").length === 3`)
	b.shows("Download CBZ")
	b.until(pageCards + `.every((c) => c.querySelector("img")?.naturalWidth > 0)`)
	b.accessible()
	b.screen("task")
	var saved map[string]any
	b.do(chromedp.Evaluate(`fetch([...document.querySelectorAll("a")].find((a) => a.innerText === "Download CBZ").href)
		.then(async (r) => ({ status: r.status, type: r.headers.get("Content-Type"), size: (await r.blob()).size }))`, &saved, awaited))
	require.Equal(b.t, "application/vnd.comicbook+zip", saved["type"])
	require.Greater(b.t, saved["size"], 10_000.0)
}

// damaged is a book with a page that cannot be read: it says why, and the others are done. Its deletion leads back to the first book.
func damaged(b *browser) {
	t := b.t.(*testing.T)
	dir, first := t.TempDir(), b.hash()
	good, err := os.ReadFile(example("small", "01.png"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "1.png"), good, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "2.png"), good[:len(good)/2], 0o600))
	b.expectFailures(true) // there is no preview of what is no picture
	defer b.expectFailures(false)
	b.press("New book")
	b.choose("#files", zipOf(t, dir, "1.png", "2.png"), example("small", "script.en.json"))
	b.shows("2 pages")
	b.press("Translate")
	b.until(pageCards + `.filter((c) => c.dataset.status === "error" && c.querySelector(".why")).length === 1`)
	b.shows("1 page failed")
	b.press("Show them alone")
	b.until(pageCards + `.length === 1`)
	b.press("Show all pages")
	b.accessible()
	b.press("Try failed pages again")
	b.until(pageCards + `.filter((c) => c.dataset.status === "error").length === 0`)
	b.until(pageCards + `.filter((c) => c.dataset.status === "error").length === 1`)
	b.press("Delete")
	b.shows("This cannot be undone")
	b.accessible()
	b.do(chromedp.Evaluate(`[...document.querySelectorAll("dialog button")].find((e) => e.innerText === "Delete").click()`, nil))
	b.shows("The book is deleted.")
	b.do(chromedp.Evaluate("location.hash = "+quoted(first), nil))
	b.until(pageCards + `.length === 3`)
}

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

const (
	firstText = `[data-region="0"] textarea`
	allSaved  = `document.querySelector("aside [role=status]").innerText === "All edits are saved"`
)

func textState(state string) string {
	return fmt.Sprintf(`document.querySelector('[data-region="0"]')?.dataset.state === %q`, state)
}

func compareAndCorrect(b *browser, s *site) {
	b.do(chromedp.Evaluate(pageCards+`[0].querySelector("a").click()`, nil))
	b.until(`document.querySelectorAll("[data-region]").length > 0 && document.querySelector(".canvas canvas")`)
	b.accessible()
	for _, view := range []string{"Slider", "Side by side", "Original", "Result"} {
		b.press(view)
		b.until(fmt.Sprintf(`document.querySelector("button[aria-pressed=true]").innerText === %q`, view))
		b.screen(strings.ToLower(strings.Fields(view)[0]))
	}
	b.do(chromedp.KeyEvent("?"))
	b.shows("Turn the page")
	b.do(chromedp.Evaluate(`document.querySelector("dialog [aria-label=Close]").click()`, nil))
	b.until(`!document.querySelector("dialog[open]")`)

	task := strings.Split(b.hash(), "/")[2]
	item := "/v1/tasks/" + task + "/items/0"
	before := textOf(s, item)
	b.set(firstText, "Look out!")
	b.until(textState("saved"))
	b.until(allSaved)
	require.Equal(b.t, "Look out!", textOf(s, item))
	b.screen("correct")
	b.press("Undo")
	b.until(fmt.Sprintf(`document.querySelector(%q).value === %s`, firstText, quoted(before)))
	b.until(allSaved)
	require.Equal(b.t, before, textOf(s, item))
}

// letterOtherwise chooses how the first text is lettered and where, that it is none, and takes all of it back.
func letterOtherwise(b *browser, s *site) {
	item := "/v1/tasks/" + strings.Split(b.hash(), "/")[2] + "/items/0"
	saved := func(is func(text map[string]any) bool) {
		b.t.Helper()
		b.until(textState("saved"))
		b.until(allSaved)
		text := regionOf(s, item)
		require.True(b.t, is(text), "%v", text)
	}
	b.do(chromedp.Evaluate(`document.querySelector('[data-region="0"] textarea').focus()`, nil))
	b.press("Lettering")
	b.set(`[data-style="size"]`, "64")
	b.set(`[data-style="color"]`, "#ff0080")
	b.set(`[data-style="bold"]`, "yes")
	b.set(`[data-style="kind"]`, "free")
	saved(func(text map[string]any) bool {
		style := text["style"].(map[string]any)
		return style["size"] == 64.0 && style["color"] == "#ff0080" && style["bold"] == true && text["kind"] == "free"
	})
	b.accessible()
	b.do(chromedp.Evaluate(`for (const name of ["ArrowDown", "ArrowLeft"]) document.querySelector(".tools a").dispatchEvent(
		new KeyboardEvent("keydown", { key: name, altKey: true, bubbles: true, cancelable: true }))`, nil))
	saved(func(text map[string]any) bool { return text["area"] != nil })
	area := regionOf(s, item)["area"].([]any)
	b.drag("rect.place", -40, 20)
	saved(func(text map[string]any) bool { return text["area"].([]any)[0].(float64) < area[0].(float64) })
	area = regionOf(s, item)["area"].([]any)
	b.drag("circle.se", 20, 10)
	saved(func(text map[string]any) bool {
		now := text["area"].([]any)
		return now[0] == area[0] && now[2].(float64) > area[2].(float64)
	})
	b.screen("lettering")
	b.do(chromedp.Evaluate(`document.documentElement.dataset.theme = "dark"`, nil))
	b.screen("lettering-dark")
	b.do(chromedp.Evaluate(`document.documentElement.dataset.theme = "light"`, nil))
	b.press("Erase, without text")
	saved(func(text map[string]any) bool { return text["erased"] == true })
	b.press("This is no text")
	b.shows("Bring it back")
	saved(func(text map[string]any) bool { return text["deleted"] == true })
	b.accessible()
	b.press("Bring it back")
	saved(func(text map[string]any) bool { return text["deleted"] == nil })
	for range 9 { // the steps that were close together count as one
		b.do(chromedp.Evaluate(`document.querySelector('aside [aria-label="Undo"]:not(:disabled)')?.click()`, nil))
	}
	saved(func(text map[string]any) bool {
		return text["style"] == nil && text["area"] == nil && text["erased"] == nil && text["kind"] == "dialogue"
	})
}

// drag moves what is shown of a selector with the mouse, in pixels of the screen.
func (b *browser) drag(selector string, dx, dy float64) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%s)", quoted(selector)))
	var at []float64
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const r = document.querySelector(%s).getBoundingClientRect(); [r.x + r.width / 2, r.y + r.height / 2] }`, quoted(selector)), &at))
	press := input.DispatchMouseEvent(input.MousePressed, at[0], at[1]).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	move := input.DispatchMouseEvent(input.MouseMoved, at[0]+dx, at[1]+dy).WithButton(input.Left).WithButtons(1)
	release := input.DispatchMouseEvent(input.MouseReleased, at[0]+dx, at[1]+dy).WithButton(input.Left).WithClickCount(1)
	b.do(press, move, release)
}

func (b *browser) hash() (hash string) {
	b.t.Helper()
	b.do(chromedp.Evaluate("location.hash", &hash))
	return hash
}

// textOf is the translation of the first text of a page, as other clients see it.
func textOf(s *site, item string) string {
	s.t.Helper()
	return regionOf(s, item)["translation"].(string)
}

// regionOf is the first text of a page, as other clients see it.
func regionOf(s *site, item string) map[string]any {
	s.t.Helper()
	_, answer := s.ask(http.MethodGet, item, "")
	return answer["details"].(map[string]any)["texts"].([]any)[0].(map[string]any)
}

// twoPeople edit one text: the second is told, and decides.
func twoPeople(b *browser, s *site) {
	task := strings.Split(b.hash(), "/")[2]
	item := "/v1/tasks/" + task + "/items/0"
	edit := func(text string) {
		b.t.Helper()
		status, _ := s.ask(http.MethodPatch, "/v1/comic/translations/"+task+"/items/0/regions", `{"regions": [{"region_index": 0, "translation": "`+text+`"}]}`)
		require.Equal(b.t, http.StatusAccepted, status)
	}
	edit("By Bob")
	b.until(fmt.Sprintf(`document.querySelector(%q).value === "By Bob"`, firstText))
	b.until(allSaved)
	b.expectFailures(true) // the browser logs the conflict as a failed request
	b.set(firstText, "From Ann")
	// Ann goes on typing, so that her text is not sent before Bob's.
	b.do(chromedp.Evaluate(fmt.Sprintf(`window.typing = setInterval(() => document.querySelector(%q).dispatchEvent(new Event("input", { bubbles: true })), 20)`, firstText), nil))
	edit("From Bob")
	b.do(chromedp.Evaluate(`clearInterval(window.typing)`, nil))
	b.until(textState("conflict"))
	b.shows("From Bob")
	b.accessible()
	b.expectFailures(false)
	b.press("Keep mine")
	b.until(textState("saved"))
	require.Equal(b.t, "From Ann", textOf(s, item))
}

// killed is an installation that dies while somebody edits: the edit is kept and sent when it is back.
func killed(b *browser, s *site) {
	task := strings.Split(b.hash(), "/")[2]
	b.until(allSaved)
	b.expectFailures(true)
	s.kill()
	b.shows("The server does not answer")
	b.set(firstText, "After the storm")
	b.until(textState("waiting"))
	s.start()
	b.until(textState("saved"))
	b.until(`!document.body.innerText.includes("The server does not answer")`)
	b.expectFailures(false)
	require.Equal(b.t, "After the storm", textOf(s, "/v1/tasks/"+task+"/items/0"))
	b.reload()
	b.until(fmt.Sprintf(`document.querySelector(%q)?.value === "After the storm"`, firstText))
}

// gone are a book that somebody else deleted, and a session that ended: a sentence on the page, never a blank one.
func gone(b *browser, s *site) {
	task := strings.Split(b.hash(), "/")[2]
	b.press("Back to the book")
	b.press("Texts")
	b.set("input[type=search]", "After the storm")
	b.shows("1 text")
	b.accessible()
	status, _ := s.ask(http.MethodDelete, "/v1/tasks/"+task, "")
	require.Equal(b.t, http.StatusNoContent, status)
	b.expectFailures(true) // the browser logs answers of 404 and 401
	b.reload()
	b.shows("This book is not here")
	b.press("To your books")
	b.shows("Drop a book here")
	b.do(chromedp.Evaluate(`fetch("/v1/session", { method: "DELETE" })`, nil, awaited))
	b.do(chromedp.Evaluate(`location.hash = "#/tasks/another"`, nil))
	b.shows("Your session has ended")
	b.expectFailures(false)
}
