package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
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
	return heard(&browser{t: tb, ctx: ctx})
}

// tab opens another tab of the browser, in the same session.
func (b *browser) tab() *browser {
	b.t.Helper()
	ctx, closeTab := chromedp.NewContext(b.ctx)
	b.t.Cleanup(closeTab)
	return heard(&browser{t: b.t, ctx: ctx})
}

// heard is a tab whose console is listened to.
func heard(b *browser) *browser {
	b.t.Helper()
	chromedp.ListenTarget(b.ctx, b.hear)
	b.do(log.Enable(), runtime.Enable())
	// Without a locale of the system, the browser has the language en-US@posix, which is no language tag.
	var agent string
	b.do(chromedp.Evaluate("navigator.userAgent", &agent), emulation.SetUserAgentOverride(agent).WithAcceptLanguage("en-US"))
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

// carry drags an element to another, where it is dropped.
func (b *browser) carry(from, to string) {
	b.t.Helper()
	middle := func(selector string) (at [2]float64) {
		b.do(chromedp.ScrollIntoView(selector), chromedp.Evaluate(fmt.Sprintf(
			`(({ x, y, width, height }) => [x + width / 2, y + height / 3])(document.querySelector(%q).getBoundingClientRect())`, selector), &at))
		return at
	}
	taken := make(chan *input.DragData, 1)
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*input.EventDragIntercepted); ok {
			taken <- e.Data
		}
	})
	start, end := middle(from), middle(to)
	b.do(input.SetInterceptDrags(true),
		chromedp.MouseEvent(input.MousePressed, start[0], start[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, start[0]-20, start[1], chromedp.ButtonLeft))
	data := <-taken
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		b.do(input.DispatchDragEvent(kind, end[0], end[1], data))
	}
	b.do(chromedp.MouseEvent(input.MouseReleased, end[0], end[1], chromedp.ButtonLeft), input.SetInterceptDrags(false))
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

// kept waits until the draft would survive a reload.
func (b *browser) kept() {
	b.t.Helper()
	b.until(`!document.querySelector("section.pages[aria-busy=true]")`)
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

// screen writes a picture of what is shown, without messages that are about to go, when the test was asked for pictures.
func (b *browser) screen(name string) {
	b.t.Helper()
	if *screensFlag == "" {
		return
	}
	var png []byte
	b.do(chromedp.Evaluate(`(async () => {
		for (const e of document.querySelectorAll(".toast button")) e.click();
		for (const a of document.getAnimations()) if (a.effect.getTiming().iterations !== Infinity) a.finish();
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	})()`, nil, awaited), chromedp.CaptureScreenshot(&png))
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

// drag moves what is shown of a selector with the mouse, in pixels of the screen.
func (b *browser) drag(selector string, dx, dy float64) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%s)", quoted(selector)))
	var at []float64
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const r = document.querySelector(%s).getBoundingClientRect(); [r.x + r.width / 2, r.y + r.height / 2] }`, quoted(selector)), &at))
	b.dragFrom(at[0], at[1], dx, dy)
}

// dragAround drags from beyond one corner of what is shown of a selector to beyond the other, in pixels of the screen.
func (b *browser) dragAround(selector string, margin float64) {
	b.t.Helper()
	var at []float64
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const r = document.querySelector(%s).getBoundingClientRect(); [r.x, r.y, r.width, r.height] }`, quoted(selector)), &at))
	b.dragFrom(at[0]-margin, at[1]-margin, at[2]+2*margin, at[3]+2*margin)
}

func (b *browser) dragFrom(x, y, dx, dy float64) {
	b.t.Helper()
	press := input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	move := input.DispatchMouseEvent(input.MouseMoved, x+dx, y+dy).WithButton(input.Left).WithButtons(1)
	release := input.DispatchMouseEvent(input.MouseReleased, x+dx, y+dy).WithButton(input.Left).WithClickCount(1)
	b.do(press, move, release)
}

// visit leads to another screen.
func (b *browser) visit(hash string) {
	b.t.Helper()
	b.do(chromedp.Evaluate("location.hash = "+quoted(hash), nil))
}

// everyWay checks what is shown in a window of 4K, at a zoom of 200 %, in a narrow window, and in Chinese, where it shows chinese: axe finds
// nothing, and nothing is wider than the window. It takes pictures of each in light and dark.
func (b *browser) everyWay(name, shown, chinese string) {
	b.t.Helper()
	b.shows(shown)
	b.accessible()
	b.lightAndDark(name)
	b.in(3840, 2160, 1)
	b.lightAndDark(name + "-4k")
	b.in(640, 430, 2)
	b.accessible()
	b.lightAndDark(name + "-zoomed")
	b.in(360, 780, 1)
	b.accessible()
	b.lightAndDark(name + "-narrow")
	b.speak("zh-Hans")
	b.shows(chinese)
	b.until(`document.documentElement.scrollWidth <= 360`)
	b.accessible()
	b.speak("en")
	b.shows(shown)
	b.do(chromedp.EmulateViewport(1280, 860))
}

// in shows the page in a window of a size, at a zoom, where nothing of it is wider than the window.
func (b *browser) in(width, height int64, zoom float64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height, chromedp.EmulateScale(zoom)))
	b.until(fmt.Sprintf("innerWidth === %d && document.documentElement.scrollWidth <= innerWidth", width))
}

// lightAndDark takes pictures of the whole page.
func (b *browser) lightAndDark(name string) {
	b.t.Helper()
	if *screensFlag == "" {
		return
	}
	for _, theme := range []string{"dark", "light"} {
		b.do(chromedp.Evaluate(fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme), nil))
		b.screen(name + "-" + theme)
	}
}

// speak chooses the language of the page, as its menu does.
func (b *browser) speak(language string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const e = document.querySelector("header select"); e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); }`, language), nil))
}

func (b *browser) hash() (hash string) {
	b.t.Helper()
	b.do(chromedp.Evaluate("location.hash", &hash))
	return hash
}
