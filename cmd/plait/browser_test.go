package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

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
	return s.send(method, path, "application/json", strings.NewReader(body))
}

// send is ask with a body of any type.
func (s *site) send(method, path, contentType string, body io.Reader) (status int, answer map[string]any) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, body)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", contentType)
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
	dropABook(b)
	watch(b)
	layered(b)
	damaged(b)
	compareAndCorrect(b, s)
	letterOtherwise(b, s)
	answersPassEachOther(b, s)
	drawMissed(b, s)
	arrange(b, s)
	twoPeople(b, s)
	killed(b, s)
	gone(b, s)
}

func signIn(b *browser, s *site, link string) {
	b.do(chromedp.Navigate(s.address + "/"))
	b.shows("Sign in to Plait")
	b.accessible()
	b.do(chromedp.EmulateViewport(360, 780))
	b.press("简体中文")
	b.shows("登录 Plait")
	b.until(`document.documentElement.scrollWidth <= 360`)
	b.accessible()
	b.screen("sign-in-narrow")
	b.press("English")
	b.do(chromedp.EmulateViewport(1280, 860))
	b.screen("sign-in")
	b.do(chromedp.Navigate(link))
	b.shows("Drop a book here")
	b.accessible()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	b.until(`location.hash === "#/"`)
	b.shows("Drop a book here")
	var script float64
	b.do(chromedp.Evaluate(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".js")).reduce((sum, e) => sum + e.encodedBodySize, 0)`, &script))
	require.Positive(b.t, script)
	require.Less(b.t, script, 250_000.0, "the compressed script of the first view")
}

const pageCards = `[...document.querySelectorAll("ol > li.card")]`

func dropABook(b *browser) {
	t := b.t.(*testing.T)
	broken := filepath.Join(t.TempDir(), "broken.cbz")
	require.NoError(t, os.WriteFile(broken, []byte("this is no archive"), 0o600))
	b.choose("#files", broken)
	b.shows("broken.cbz cannot be opened")
	huge := filepath.Join(t.TempDir(), "huge.pdf")
	require.NoError(t, os.WriteFile(huge, nil, 0o600))
	require.NoError(t, os.Truncate(huge, 2<<30))
	b.choose("#files", huge)
	b.shows("The book has 2.1 GB. This server takes 1.1 GB.")
	b.accessible()
	b.press("Discard")
	b.until(`location.hash === "#/"`)

	// Two files of one name are two pages.
	one, other := filepath.Join(t.TempDir(), "01.png"), filepath.Join(t.TempDir(), "01.png")
	for path, from := range map[string]string{one: "01.png", other: "02.png"} {
		content, err := os.ReadFile(example("small", from))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
	b.choose("#files", one, other)
	b.until(pageCards + `.length === 2 && ` + pageCards + `.every((c) => c.querySelector("img")?.naturalWidth > 0)`)
	b.press("Discard")
	b.until(`location.hash === "#/"`)
	b.shows("Drop a book here")

	book := smallBook(t)
	b.choose("#files", book)
	b.until(pageCards + `.length === 3 && ` + pageCards + `.every((c) => c.querySelector("img")?.naturalWidth > 0)`)
	b.shows("No model is configured")
	b.accessible()
	b.screen("new")

	// The order, which a reload keeps.
	names := `[...document.querySelectorAll("ol > li.card .name")].map((e) => e.innerText).join(" ")`
	b.carry(`ol > li.card:nth-child(3)`, `ol > li.card:nth-child(1)`)
	b.until(names + ` === "03.png 01.png 02.png"`)
	b.press("Move 03.png back")
	b.press("Move 03.png back")
	b.until(names + ` === "01.png 02.png 03.png"`)
	b.press("Move 01.png back")
	first := `document.querySelector("ol > li.card .name").innerText`
	b.until(first + ` === "02.png"`)
	b.kept()
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
	b.until(pageCards + `.every((c) => c.querySelector("[data-shown=true]"))`)
	b.everyWay("task", "Download CBZ", "下载 CBZ")
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
	originalWhileHeld(b)
	fitted(b)
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

// originalWhileHeld holds a key, which shows the original as long.
func originalWhileHeld(b *browser) {
	const pixels = `document.querySelector(".canvas canvas").toDataURL()`
	press := func(kind input.KeyType) chromedp.Action {
		return input.DispatchKeyEvent(kind).WithKey("o").WithCode("KeyO").WithText("o")
	}
	b.until(`performance.getEntriesByType("resource").some((e) => e.name.includes("/items/0/result?version=") && e.responseEnd > 0)`)
	// Until two looks are alike, the picture is still being drawn.
	b.until(`((now) => { const same = now === window.result; window.result = now; return same; })(` + pixels + `)`)
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil), press(input.KeyDown))
	b.until(pixels + ` !== window.result`)
	b.do(press(input.KeyUp))
	b.until(pixels + ` === window.result`)
}

// fitted turns the window, as a person turns a phone: the whole page stays in sight, and fills it. A page that was enlarged stays so.
func fitted(b *browser) {
	const fills = `(() => {
		const [page, sight] = [".marks", ".canvas"].map((s) => document.querySelector(s).getBoundingClientRect());
		const whole = page.top >= sight.top && page.bottom <= sight.bottom && page.left >= sight.left && page.right <= sight.right;
		return whole && Math.max(page.width / sight.width, page.height / sight.height) > 0.9;
	})()`
	b.until(fills)
	for _, size := range [][2]int64{{1280, 480}, {760, 1200}, {1280, 860}} {
		b.in(size[0], size[1], 1)
		b.until(fills)
	}
	b.do(chromedp.Evaluate(`document.querySelector('[aria-label="Zoom in"]').click()`, nil))
	b.until(`!` + fills)
	b.in(1280, 700, 1)
	b.in(1280, 860, 1)
	b.until(`!` + fills)
	b.press("Fit")
	b.until(fills)
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
	b.lightAndDark("lettering")
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

// drawMissed draws a region around a text, which is then read, and takes it back. There is no model, so a person translates it.
func drawMissed(b *browser, s *site) {
	item := "/v1/tasks/" + strings.Split(b.hash(), "/")[2] + "/items/0"
	before := textsOf(s, item)
	count := func(n int) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelectorAll("li[data-region]").length === %d`, n))
	}
	last := fmt.Sprintf(`[data-region="%d"]`, len(before))
	b.press("Draw a text")
	b.shows("Drag a rectangle")
	b.accessible()
	b.screen("draw")
	b.do(chromedp.KeyEvent("\u001b"))
	b.until(`!document.querySelector("rect.sheet")`)
	b.do(chromedp.KeyEvent("n"))
	b.dragAround(".marks rect", 12)
	b.until(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%s)`, last, quoted(before[0]["source"].(string))))
	b.set(last+" textarea", "Drawn")
	b.until(fmt.Sprintf(`document.querySelector(%q)?.dataset.state === "saved"`, last))
	b.until(allSaved)
	now := textsOf(s, item)
	require.Equal(b.t, []any{before[0]["source"], "Drawn", "done"}, []any{now[len(before)]["source"], now[len(before)]["translation"], now[len(before)]["drawn"]})
	b.accessible()
	b.press("Undo")
	b.until(fmt.Sprintf(`document.querySelector(%q).value === ""`, last+" textarea"))
	b.press("Undo")
	count(len(before))
	b.press("Redo")
	count(len(before) + 1)
	b.until(allSaved)
	b.reload()
	count(len(before) + 1)
	b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).focus()`, last+" textarea"), nil), chromedp.KeyEvent("\u001b"), chromedp.KeyEvent("\u007f"))
	count(len(before))
	b.until(allSaved)
	require.Equal(b.t, true, textsOf(s, item)[len(before)]["deleted"])
}

// arrange divides the first text, moves the second part before the first, joins them, and takes all of it back.
func arrange(b *browser, s *site) {
	item := "/v1/tasks/" + strings.Split(b.hash(), "/")[2] + "/items/0"
	before := textsOf(s, item)
	value := func(index int, text string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('[data-region="%d"] textarea')?.value === %s`, index, quoted(text)))
	}
	order := func(want string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll("li[data-region]")].map((e) => e.dataset.region).join() === %q`, want))
	}
	const whole = "The stars are lovely tonight."
	value(0, whole)
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const e = document.querySelector(%q); e.focus(); e.setSelectionRange(9, 9);
		e.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true })); }`, firstText), nil))
	part := len(before)
	value(part, "are lovely tonight.")
	value(0, "The stars")
	order(fmt.Sprintf("0,%d", part))
	b.until(allSaved)
	texts := textsOf(s, item)
	require.Equal(b.t, before[0]["source"], texts[0]["source"].(string)+texts[part]["source"].(string))
	b.until(`document.querySelector("li.selected .arrange")`)
	b.accessible()
	b.screen("arrange")
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("["))
	order(fmt.Sprintf("%d,0", part))
	b.do(chromedp.KeyEvent("m"))
	order(fmt.Sprint(part))
	value(part, "are lovely tonight. The stars")
	b.until(allSaved)
	require.EqualValues(b.t, part, textsOf(s, item)[0]["joined_into"])
	for range 3 {
		b.press("Undo")
	}
	order("0")
	value(0, whole)
	b.until(allSaved)
	require.Equal(b.t, []any{before[0]["source"], whole}, []any{textsOf(s, item)[0]["source"], textOf(s, item)})
	for range 3 {
		b.press("Redo")
	}
	order(fmt.Sprint(part))
	b.until(allSaved)
	b.reload()
	order(fmt.Sprint(part))
	_, _ = s.ask(http.MethodPatch, "/v1/comic/translations/"+strings.Split(b.hash(), "/")[2]+"/items/0/regions", fmt.Sprintf(
		`{"regions": [{"region_index": 0, "joined_into": -1, "cut": 0, "translation": %s}, {"region_index": %d, "deleted": true}]}`, quoted(whole), part))
	order("0")
	value(0, whole)
}

// textsOf are the texts of a page, as other clients see them.
func textsOf(s *site, item string) (list []map[string]any) {
	s.t.Helper()
	_, answer := s.ask(http.MethodGet, item, "")
	for _, text := range answer["details"].(map[string]any)["texts"].([]any) {
		list = append(list, text.(map[string]any))
	}
	return list
}

// textOf is the translation of the first text of a page, as other clients see it.
func textOf(s *site, item string) string {
	s.t.Helper()
	return regionOf(s, item)["translation"].(string)
}

// regionOf is the first text of a page, as other clients see it.
func regionOf(s *site, item string) map[string]any {
	s.t.Helper()
	return textsOf(s, item)[0]
}

// twoPeople edit one text: the second is told, also after a reload, and decides.
func twoPeople(b *browser, s *site) {
	task := strings.Split(b.hash(), "/")[2]
	item := "/v1/tasks/" + task + "/items/0"
	edit := func(text string, erased bool) {
		b.t.Helper()
		status, _ := s.ask(http.MethodPatch, "/v1/comic/translations/"+task+"/items/0/regions",
			fmt.Sprintf(`{"regions": [{"region_index": 0, "translation": %s, "erased": %t}]}`, quoted(text), erased))
		require.Equal(b.t, http.StatusAccepted, status)
	}
	const erased = `[...document.querySelectorAll('[data-region="0"] .mark')].some((e) => e.innerText === "Erased")`
	edit("By Bob", false)
	b.until(fmt.Sprintf(`document.querySelector(%q).value === "By Bob"`, firstText))
	b.until(allSaved)
	b.expectFailures(true) // the browser logs the conflict as a failed request
	// Ann goes on typing until she sees what else Bob has done. One script does it: her text is sent as soon as no key follows.
	b.do(chromedp.Evaluate(fmt.Sprintf(`{ const e = document.querySelector(%q), type = () => e.dispatchEvent(new Event("input", { bubbles: true }));
		e.focus(); e.value = "From Ann"; type(); window.typing = setInterval(type, 20); }`, firstText), nil))
	edit("From Bob", true)
	b.until(erased)
	b.do(chromedp.Evaluate(`clearInterval(window.typing)`, nil))
	inConflict := func() {
		b.t.Helper()
		b.until(textState("conflict"))
		b.shows("From Bob")
		b.until(fmt.Sprintf(`document.querySelector(%q).value === "From Ann"`, firstText))
		require.Equal(b.t, "From Bob", textOf(s, item))
	}
	inConflict()
	b.accessible()
	b.reload()
	inConflict()
	b.expectFailures(false)
	b.press("Keep mine")
	b.until(textState("saved"))
	require.Equal(b.t, "From Ann", textOf(s, item))
	edit("From Ann", false)
	b.until("!" + erased)
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
