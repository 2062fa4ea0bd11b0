package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/activities/comic/enginetest"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/glossary"
)

// TestTasks follows tasks through a real worker; each part is a tenant.
func TestTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]func(*world, caller){
		"archive": archiveToResult, "images": imagesToResult, "unified": unifiedMode, "blobs": blobsToResult, "partial": oneBadPage,
		"no result": noGoodPage, "progress": progressOfPages, "edit": editPages, "edit again": editsAreKept, "overrides": overrides, "draw": drawARegion, "arrange": arrangeRegions, "alternatives": askForAlternatives, "edit example": exampleOfAnEdit, "cancel": cancelRunning, "script": scriptRoundTrip, "tenants": tenantsApart, "corrupt": corruptResult,
		"retry": retryFailed, "pause": pauseAndResume, "running tasks": startAsOthersEnd, "links": signedLinks, "no links": linksThatAreRefused, "parts": partsOfFiles, "generated": generatedRequests, "python": pythonClient,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := *w.rig
			own.t, own.http = t, conforming(t)
			t.Cleanup(own.http.CloseIdleConnections)
			test(w, own.caller(strings.ReplaceAll(name, " ", "_")))
		})
	}
}

func archiveToResult(_ *world, c caller) {
	t := c.t
	comicInfo := "<?xml version=\"1.0\"?><ComicInfo><LanguageISO>ja</LanguageISO></ComicInfo>"
	cbz := zipOf(t, entry{"b/10.png", page(t, "さようなら")}, entry{"ComicInfo.xml", []byte(comicInfo)}, entry{"b/2.png", page(t, "はい", "いいえ")}, entry{"b/3.png", page(t)})
	posted := c.post(toEnglish(image("第1巻.cbz", cbz))).is(http.StatusAccepted)
	path := posted.header.Get("Location")
	require.Equal(t, path, posted.task().Links["self"])
	require.Equal(t, core.StatusQueued, posted.task().Status)
	require.Equal(t, "第1巻", posted.task().Title)

	task := c.untilEnded(path)
	require.Equal(t, core.StatusSuccess, task.Status)
	require.Equal(t, []string{"b/2.png", "b/3.png", "b/10.png"}, []string{task.Pages[0].Name, task.Pages[1].Name, task.Pages[2].Name})
	require.Equal(t, schema.Progress{Done: 3, Total: 3, ElapsedMS: task.Progress.ElapsedMS}, task.Progress)
	require.Equal(t, comicschema.TaskDetails{Detected: 3, Translated: 3}, task.Details)
	require.Equal(t, comic.NoText, task.Pages[1].NoChangeReason)
	require.Equal(t, comic.ModeSplit, task.Pages[0].Mode)

	first := c.get(task.Pages[0].Links["self"]).is(http.StatusOK).page()
	require.Equal(t, "はい", first.Texts[0].Source)
	require.Equal(t, "[いいえ]", first.Texts[1].Translation)

	result := c.get(task.Links["result"]).is(http.StatusOK)
	require.Equal(t, "application/vnd.comicbook+zip", result.header.Get("Content-Type"))
	require.Equal(t, "attachment; filename*=utf-8''%E7%AC%AC1%E5%B7%BB.en.cbz", result.header.Get("Content-Disposition"))
	files := unzip(t, result.body)
	require.Equal(t, []string{"b/10.png", "ComicInfo.xml", "b/2.png", "b/3.png"}, []string{files[0].name, files[1].name, files[2].name, files[3].name}, "the order of the archive")
	require.Equal(t, "さようなら -> [さようなら]\n", enginetest.TextOf(files[0].content))
	require.Contains(t, string(files[1].content), "<LanguageISO>en</LanguageISO>")
	require.Equal(t, page(t), files[3].content)
	head := c.do(http.MethodHead, task.Links["result"], nil).is(http.StatusOK)
	require.Empty(t, head.body)
	require.Equal(t, result.header.Get("Content-Disposition"), head.header.Get("Content-Disposition"))

	c.do(http.MethodDelete, path, nil).is(http.StatusNoContent)
	c.get(path).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
	c.do(http.MethodDelete, path, nil).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
}

func imagesToResult(_ *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("10.png", page(t, "十")), image("9.png", page(t, "九")), field("title", "Nine/ten"))).is(http.StatusAccepted).header.Get("Location"))
	require.Equal(t, []string{"9.png", "10.png"}, []string{task.Pages[0].Name, task.Pages[1].Name})
	require.Contains(t, c.get(task.Links["result"]).is(http.StatusOK).header.Get("Content-Disposition"), `filename=Nine_ten.en.cbz`)

	img := c.get(task.Pages[0].Links["result"]).is(http.StatusOK)
	require.Equal(t, "image/png", img.header.Get("Content-Type"))
	require.Equal(t, "九 -> [九]\n", enginetest.TextOf(img.body))
	require.Equal(t, `inline; filename=9.png`, img.header.Get("Content-Disposition"))
	etag := img.header.Get("ETag")
	for _, condition := range []string{etag, `"other", W/` + etag, "*"} {
		same := c.get(task.Pages[0].Links["result"], "If-None-Match: "+condition).is(http.StatusNotModified)
		require.Empty(t, same.body)
		require.Equal(t, etag, same.header.Get("ETag"))
	}
	c.get(task.Pages[0].Links["result"], `If-None-Match: "other"`).is(http.StatusOK)
	head := c.do(http.MethodHead, task.Pages[0].Links["result"], nil).is(http.StatusOK)
	require.Equal(t, fmt.Sprint(len(img.body)), head.header.Get("Content-Length"))
	require.Equal(t, page(t, "九"), c.get(task.Pages[0].Links["input"]).is(http.StatusOK).body)

	for _, n := range []string{"2", "-1", "+1", "01", "x", "1%2F", "%00", "999999999999999999999"} {
		c.get(task.Links["self"]+"/items/"+n).refused(http.StatusNotFound, core.CodeNotFound, "items 0 to 1")
	}
}

func unifiedMode(w *world, c caller) {
	t := c.t
	path := c.post(toEnglish(field("mode", "unified"), image("1.png", page(t, "はい")), image("2.png", page(t, "gate:unified")))).is(http.StatusAccepted).header.Get("Location")
	task := c.until(path, func(t chapter) bool { return t.Progress.Done == 1 && t.Pages[1].Stage == comic.StagePage })
	require.Equal(t, 1, task.Details.Detected, "a page in its one stage has left none")
	require.NotNil(t, task.Progress.EstimatedMS)
	close(w.engine.gates.gate("unified"))
	task = c.untilEnded(path)
	require.Equal(t, core.StatusSuccess, task.Status)
	require.Equal(t, comic.ModeUnified, task.Pages[0].Mode)
}

func (c caller) upload(content []byte) schema.Blob {
	c.t.Helper()
	var b schema.Blob
	c.do(http.MethodPost, "/v1/blobs", reader(content), "Content-Type: application/octet-stream").is(http.StatusCreated).into(&b)
	require.Equal(c.t, int64(len(content)), b.Size)
	return b
}

func blobsToResult(_ *world, c caller) {
	t := c.t
	same := c.upload(page(t, "はい"))
	require.Equal(t, same, c.upload(page(t, "はい")), "uploading again changes nothing")
	translations := c.upload([]byte(`{"pages":[{"page":"1.png","regions":[{"source":"はい","translation":"Yes"}]},{"page":"2.png","regions":[{"source":"はい","translation":"Yeah"}]}]}`))
	body := fmt.Sprintf(`{"from":"ja","to":"en","files":[{"name":"1.png","blob":%q},{"name":"2.png","blob":%q}],"script":%q,"strict":true,"fast":true,"sounds":"keep","priority":4}`,
		same.Blob, same.Blob, translations.Blob)
	task := c.untilEnded(c.postJSON(body).is(http.StatusAccepted).header.Get("Location"))
	require.Equal(t, core.StatusSuccess, task.Status)
	require.Equal(t, comicschema.Options{
		From: "ja", To: "en", Mode: comic.ModeSplit, Translator: core.TranslatorScript, Strict: true, Sounds: comic.SoundsKeep, Fast: true,
	}, task.Options)
	require.Equal(t, 4, task.Priority)
	require.Equal(t, "はい -> Yeah\n", enginetest.TextOf(c.get(task.Pages[1].Links["result"]).body))
}

func oneBadPage(_ *world, c caller) {
	t := c.t
	good := page(t, "はい")
	task := c.untilEnded(c.post(toEnglish(image("1.png", good[:len(good)-20]), image("2.png", good))).is(http.StatusAccepted).header.Get("Location"))
	require.Equal(t, core.StatusPartial, task.Status)
	require.Equal(t, []int{1, 1}, []int{task.SuccessCount, task.FailedCount})
	require.Equal(t, core.CodeInvalidImage, task.Pages[0].Failure.Code)
	require.Equal(t, comic.StageDetect, task.Pages[0].Failure.Stage)
	require.NotContains(t, task.Pages[0].Links, "image")
	c.get(task.Pages[0].Links["self"]+"/result").refused(http.StatusConflict, core.CodeConflict, "has no result")
	files := unzip(t, c.get(task.Links["result"]).is(http.StatusOK).body)
	require.Equal(t, good[:len(good)-20], files[0].content, "a page that failed is as it was")
	require.Equal(t, "はい -> [はい]\n", enginetest.TextOf(files[1].content))
}

func noGoodPage(_ *world, c caller) {
	t := c.t
	parts := toEnglish(image("1.png", page(t, "unknown to the script")), scriptPart(`{"pages":[{"page":"1.png","regions":[{"source":"はい","translation":"Yes"}]}]}`))
	drawn := c.untilEnded(c.post(parts).is(http.StatusAccepted).header.Get("Location"))
	require.Equal(t, core.StatusSuccess, drawn.Status, "a text that the script lacks stays as drawn")
	require.Equal(t, 1, drawn.Details.UntranslatedCount)
	task := c.untilEnded(c.post(append(parts, field("strict", "true"))).is(http.StatusAccepted).header.Get("Location"))
	require.True(t, task.Options.Strict)
	require.Equal(t, core.StatusError, task.Status)
	require.Equal(t, core.CodeScriptIncomplete, task.Failure.Code)
	require.NotContains(t, task.Links, "result")
	result := c.get(task.Links["self"]+"/result").refused(http.StatusConflict, core.CodeConflict, "no item succeeded")
	require.Empty(t, result.header.Get("Content-Disposition"))
	c.do(http.MethodHead, task.Links["self"]+"/result", nil).is(http.StatusConflict)
}

func progressOfPages(w *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい")), image("2.png", page(t, "gate:progress")))).is(http.StatusAccepted).header.Get("Location")
	task := c.until(path, func(t chapter) bool { return t.Progress.Done == 1 && t.Pages[1].Status == core.StatusRunning })
	require.Equal(t, core.StatusRunning, task.Status)
	require.Equal(t, []int{1, 1, 1, 2}, []int{task.Details.Detected, task.Details.Translated, task.Progress.Done, task.Progress.Total})
	require.NotNil(t, task.Progress.EstimatedMS)
	require.Equal(t, comic.StageDetect, task.Pages[1].Stage)
	c.get(path+"/result").refused(http.StatusConflict, core.CodeConflict, "it is running")
	var list schema.TaskList
	c.get(tasksRoute + "?status=running").is(http.StatusOK).into(&list)
	require.Len(t, list.Tasks, 1)
	require.Equal(t, 1, chapterOf(list.Tasks[0]).Details.Detected)
	require.Empty(t, list.Tasks[0].Items)
	close(w.engine.gates.gate("progress"))
	require.Equal(t, core.StatusSuccess, c.untilEnded(path).Status)
}

func cancelRunning(w *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい")), image("2.png", page(t, "gate:cancel")))).is(http.StatusAccepted).header.Get("Location")
	c.until(path, func(t chapter) bool { return t.Progress.Done == 1 && t.Pages[1].Status == core.StatusRunning })
	for range 2 {
		require.NotNil(t, c.do(http.MethodDelete, path, nil).is(http.StatusAccepted).task().CancelRequestedAt)
	}
	task := c.untilEnded(path)
	require.Equal(t, core.StatusCanceled, task.Status)
	require.Equal(t, []int{1, 1}, []int{task.SuccessCount, task.FailedCount})
	require.Equal(t, core.CodeCanceled, task.Pages[1].Failure.Code)
	require.Equal(t, "はい -> [はい]\n", enginetest.TextOf(unzip(t, c.get(task.Links["result"]).is(http.StatusOK).body)[0].content), "what was done is kept")
	c.do(http.MethodDelete, path, nil).is(http.StatusNoContent)
}

func scriptRoundTrip(_ *world, c caller) {
	t := c.t
	path := c.post([]part{field("to", "en"), image("1.png", page(t, "はい")), image("2.png", page(t))}).is(http.StatusAccepted).header.Get("Location")
	task := c.untilEnded(path)
	script := task.Links["script"]
	asJSON := c.get(script).is(http.StatusOK)
	require.JSONEq(t, `{"from":"auto","to":"en","pages":[{"page":"1.png","regions":[{"region":0,"source":"はい","translation":"[はい]"}]},{"page":"2.png","regions":[]}]}`, string(asJSON.body))
	require.Equal(t, "attachment; filename="+strings.TrimPrefix(path, tasksRoute+"/")+".en.json", asJSON.header.Get("Content-Disposition"))
	asCSV := c.get(script + "?format=csv").is(http.StatusOK)
	require.Contains(t, string(asCSV.body), "1.png,0,はい,[はい]")
	c.get(script+"?format=xml").refused(http.StatusBadRequest, core.CodeInvalidInput, "format is json or csv")
	for _, export := range [][]byte{asJSON.body, asCSV.body} {
		edited := bytes.ReplaceAll(export, []byte("[はい]"), []byte("Yes"))
		task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "はい")), scriptPart(string(edited)))).is(http.StatusAccepted).header.Get("Location"))
		require.Equal(t, "はい -> Yes\n", enginetest.TextOf(c.get(task.Pages[0].Links["result"]).is(http.StatusOK).body))
	}
}

func tenantsApart(_ *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "秘密"))), "Idempotency-Key: mine").is(http.StatusAccepted).header.Get("Location"))
	uploaded := c.upload(page(t, "秘密のアップロード"))
	stranger := c.caller("stranger")
	for _, path := range []string{"", "/result", "/items/0", "/items/0/result", "/items/0/input"} {
		stranger.get(task.Links["self"]+path).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
		stranger.do(http.MethodHead, task.Links["self"]+path, nil).is(http.StatusNotFound)
	}
	stranger.get(task.Links["script"]).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
	stranger.do(http.MethodDelete, task.Links["self"], nil).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
	for _, query := range []string{"", "?idempotency_key=mine"} {
		var list schema.TaskList
		stranger.get(tasksRoute + query).is(http.StatusOK).into(&list)
		require.Empty(t, list.Tasks)
	}
	named := fmt.Sprintf(`{"to":"en","files":[{"name":"1.png","blob":%q}]}`, uploaded.Blob)
	stranger.postJSON(named).refused(http.StatusBadRequest, core.CodeInvalidInput, "files[0].blob: there is no upload")
	stranger.post(toEnglish(image("1.png", page(t, "別"))), "Idempotency-Key: mine").is(http.StatusAccepted)
}

// Nothing runs these tasks: what is tested is that there is one.
// What a request says of names and of the story is kept with its task, whichever form it has, and is part of what it asks for.
func TestARequestBringsItsGlossaryAndSynopsis(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	image := image("1.png", page(t, "太郎だ"))
	form := func(term string) []part {
		return toEnglish(image, part{"glossary", "names.csv", []byte("source,target\n太郎," + term + "\n")}, field("synopsis", "A boy\nlooks for his dog."))
	}
	ids := []string{
		c.post(form("Taro"), "Idempotency-Key: one").is(http.StatusAccepted).task().ID,
		c.postJSON(fmt.Sprintf(`{"to":"en","files":[{"name":"1.png","blob":%q}],"synopsis":"A boy\nlooks for his dog.","glossary":[{"source":"太郎","target":"Taro"}]}`,
			c.upload(image.content).Blob)).is(http.StatusAccepted).task().ID,
	}
	for _, id := range ids {
		told, err := comicrecords.New(r.records).PromptContext(t.Context(), core.Item{TaskID: id, Tenant: "acme"}, "en", 3)
		require.NoError(t, err)
		require.Equal(t, "A boy\nlooks for his dog.", told.Synopsis)
		require.Equal(t, []glossary.Entry{{Source: "太郎", Target: "Taro"}}, told.Glossary)
	}
	require.Equal(t, ids[0], c.post(form("Taro"), "Idempotency-Key: one").is(http.StatusOK).task().ID)
	c.post(form("Tarou"), "Idempotency-Key: one").refused(http.StatusConflict, core.CodeConflict, "idempotency key")
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	parts := toEnglish(image("1.png", page(t, "はい")))
	first := c.post(parts, "Idempotency-Key: one").is(http.StatusAccepted)
	again := c.post(parts, "Idempotency-Key: one").is(http.StatusOK)
	require.Equal(t, first.header.Get("Location"), again.header.Get("Location"))
	require.Equal(t, first.task().ID, again.task().ID)
	c.post(toEnglish(image("1.png", page(t, "いいえ"))), "Idempotency-Key: one").refused(http.StatusConflict, core.CodeConflict, "idempotency key")
	var list schema.TaskList
	c.get(tasksRoute + "?idempotency_key=one").is(http.StatusOK).into(&list)
	require.Len(t, list.Tasks, 1)

	const callers = 6
	statuses, ids := make([]int, callers), make([]string, callers)
	var group errgroup.Group
	for i := range callers {
		body, kind := formOf(parts)
		group.Go(func() error {
			a, err := c.try(http.MethodPost, translations, body, "Content-Type: "+kind, "Idempotency-Key: at once")
			if err != nil {
				return err
			}
			var task schema.Task
			statuses[i] = a.status
			err = json.Unmarshal(a.body, &task)
			ids[i] = task.ID
			return err
		})
	}
	require.NoError(t, group.Wait())
	created := 0
	for i, status := range statuses {
		require.Equal(t, ids[0], ids[i])
		if status == http.StatusAccepted {
			created++
		} else {
			require.Equal(t, http.StatusOK, status)
		}
	}
	require.Equal(t, 1, created)
	rows, files := c.left()
	require.Equal(t, 2, rows["task"])
	require.Len(t, files, 1, "the refused request left nothing, and the others share")
}

func TestList(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	var ids []string
	for i := range 5 {
		ids = append([]string{c.post(toEnglish(image("1.png", page(t, fmt.Sprint(i))))).is(http.StatusAccepted).task().ID}, ids...)
	}
	var got []string
	next, pages := "", 0
	for {
		var list schema.TaskList
		c.get(tasksRoute + "?limit=2&kind=comic&status=queued&after=" + next).is(http.StatusOK).into(&list)
		for _, task := range list.Tasks {
			got = append(got, task.ID)
			require.Positive(t, task.Progress.QueuePosition)
		}
		next = list.Next
		if pages++; next == "" {
			break
		}
	}
	require.Equal(t, ids, got, "the newest first, each once")
	require.Equal(t, 3, pages)
	var none schema.TaskList
	c.get(tasksRoute + "?status=success").is(http.StatusOK).into(&none)
	require.Empty(t, none.Tasks)
	for query, what := range map[string]string{
		"limit=0": "limit", "limit=201": "limit", "limit=x": "limit", "status=done": `status "done" is none of`, "kind=tapestry": "not known", "after=x": "cursor", "page=1": `"page" is not known`,
		"limit=1&limit=2": "limit is given twice", "%zz": "query", "idempotency_key=": "idempotency key", "idempotency_key=a&limit=1": "cannot be combined",
		"idempotency_key=%00": "idempotency key",
	} {
		c.get(tasksRoute+"?"+query).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
	for _, id := range []string{uuid.NewString(), "%00", "%ff", "a%2Fb", "..%2f..", "x'--", strings.Repeat("a", 3000), "%F0%9F%98%80"} {
		c.get(tasksRoute+"/"+id).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
	}
}
