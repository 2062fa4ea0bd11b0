package translate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
	"plait/internal/translate/provider"
)

// Every lie about segments, on the first call; the second is honest. What was asked the second time says what was doubted.
func TestLies(t *testing.T) {
	t.Parallel()
	sources := []string{"おはよう！", "遅刻だぞ", "ドカン", "行こう"}
	for name, test := range map[string]struct {
		fault llmtest.Fault
		again []string // nil: the first answer was taken
	}{
		"honest":               {llmtest.Honest(), nil},
		"thinking":             {llmtest.Think("<|1|>a draft\n<|2|>of it"), nil},
		"thinking, unopened":   {llmtest.ThinkUnopened("let me see <|1|>a draft"), nil},
		"thinking without end": {llmtest.ThinkUnclosed("<|1|>a\n<|2|>b\n<|3|>c\n<|4|>d"), sources},
		"code fence":           {llmtest.Fence(), nil},
		"chatter":              {llmtest.Chatter("Sure! Here you are:", "Let me know if you need more."), nil},
		"fence and chatter":    {llmtest.All(llmtest.Fence(), llmtest.Chatter("Sure:", "Done.")), nil},
		"no usage":             {llmtest.NoUsage(), nil},
		"missing":              {llmtest.Missing(3), []string{"遅刻だぞ", "ドカン"}},
		"missing first":        {llmtest.Missing(1), []string{"おはよう！"}},
		"missing last":         {llmtest.Missing(4), sources},
		"empty":                {llmtest.Empty(3), []string{"遅刻だぞ", "ドカン"}},
		"double":               {llmtest.Double(2), []string{"遅刻だぞ"}},
		"merged":               {llmtest.Merge(2), []string{"遅刻だぞ", "ドカン"}},
		"merged markers":       {llmtest.MergeMarkers(2), []string{"遅刻だぞ", "ドカン"}},
		"merged, renumbered":   {llmtest.MergeAndRenumber(1), sources},
		"extra":                {llmtest.Extra(), sources},
		"untranslated":         {llmtest.Echo(2), []string{"遅刻だぞ"}},
		"all untranslated":     {llmtest.Echo(1, 2, 3, 4), sources},
		"wrong script":         {llmtest.Say(2, "你迟到了"), []string{"遅刻だぞ"}},
		"echo of the prompt":   {llmtest.EchoPrompt(), []string{"おはよう！", "遅刻だぞ", "行こう"}},
		"said twice":           {llmtest.Say(2, "You're late again. You're late again."), []string{"遅刻だぞ"}},
		"the example":          {llmtest.Say(2, "translation of segment 2"), []string{"遅刻だぞ"}},
		"repeated words":       {llmtest.Repeat(2), []string{"遅刻だぞ"}},
		"repeated character":   {llmtest.Say(2, "No"+strings.Repeat("o", 30)), []string{"遅刻だぞ"}},
		"repeated phrase":      {llmtest.Say(2, strings.Repeat("a b c d e f g h i j ", 3)), []string{"遅刻だぞ"}},
		"explanation":          {llmtest.Say(2, strings.Repeat("This means something else. Or so. ", 12)), []string{"遅刻だぞ"}},
		"refusal in words":     {llmtest.RefuseInWords(), sources},
		"cut for length":       {llmtest.Length(3), []string{"ドカン", "行こう"}},
		"empty answer":         {llmtest.Answer(""), sources},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, llmtest.WithTable(table), llmtest.WithFaults(test.fault))
			l := &memory{}
			got, err := newTranslator(t, s, l).Translate(t.Context(), request(sources...))
			require.NoError(t, err)
			require.Equal(t, []string{"Good morning!", "You're late.", "Boom", "Let's go."}, texts(got))
			require.NoError(t, core.CheckTranslations(len(sources), got.Translations))
			calls := s.Calls()
			require.Equal(t, len(calls), got.Paid)
			require.Zero(t, got.Reused)
			require.Len(t, l.recorded(), len(calls))
			if test.again == nil {
				require.Len(t, calls, 1)
				return
			}
			require.Len(t, calls, 2)
			require.Equal(t, test.again, calls[1].Segments)
			require.InDelta(t, 0.1, *calls[0].Temperature, 1e-6)
			require.InDelta(t, 0.3, *calls[1].Temperature, 1e-6)
		})
	}
}

// Answers by a schema are doubted as lines are, and so are those of DeepL, which is asked once: it would only say the same.
func TestAnswersInOtherForms(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithTable(table), llmtest.WithFaults(llmtest.All(llmtest.Merge(1), llmtest.Think("hm")), llmtest.Length(1)))
	got, err := newTranslator(t, s, &memory{}, func(c *translate.Config) { c.Schema = true }).Translate(t.Context(), request("おはよう！", "ドカン", "行こう"))
	require.NoError(t, err)
	require.Equal(t, []string{"Good morning!", "Boom", "Let's go."}, texts(got))
	calls := s.Calls()
	require.Equal(t, []string{"おはよう！", "ドカン"}, calls[1].Segments)
	require.Contains(t, calls[0].System, `{"segments"`)
	require.NotContains(t, calls[0].System, "<|1|>")

	s = llmtest.New(t, llmtest.WithModels(llmtest.DeepLModel), llmtest.WithTable(table), llmtest.WithFaults(llmtest.Say(2, "ドカン")))
	r := request("おはよう！", "ドカン")
	r.Context = []translate.PageText{{Pairs: []translate.Pair{{Source: "前の頁", Translation: "the page before"}}}}
	got, err = newTranslator(t, s, &memory{}, func(c *translate.Config) {
		c.Provider = provider.Config{Kind: provider.DeepL, BaseURL: s.URL(), Key: "k"}
	}).Translate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Text: "Good morning!"}, {Index: 1, Untranslated: core.UntranslatedWrongScript}}, got.Translations)
	require.Equal(t, 1, s.CallCount())
	require.Equal(t, "前の頁", s.Calls()[0].User)
}

func TestWhatMayStayAsItIs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to, source, want string
		calls                  int
	}{
		"no letters are not sent":           {"ja", "en", "……!?", "", 0},
		"blank":                             {"ja", "en", " \n", "", 0},
		"Latin text of a Japanese page":     {"ja", "en", "OK!", "OK!", 1},
		"a name, when the model insists":    {"de", "en", "Hans!", "Hans!", 2},
		"characters alike in two languages": {"ja", "zh-Hans", "東京", "東京", 2},
		"source language unknown":           {"auto", "en", "OK!", "OK!", 2},
		"one language":                      {"en", "en", "OK!", "OK!", 1},
		"a scream":                          {"en", "de", strings.Repeat("A", 40) + "!", strings.Repeat("A", 40) + "!", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, llmtest.WithTranslate(func(source string) string { return source }))
			r := request(test.source)
			r.From, r.To = test.from, test.to
			got, err := newTranslator(t, s, &memory{}).Translate(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, []string{test.want}, texts(got))
			require.Equal(t, test.calls, s.CallCount())
		})
	}
}

func TestWhatMayNotStayAsItIs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, source string }{{"en", "TOKYO TOWER 東京"}, {"zh-Hans", "東京へ行"}} {
		s := llmtest.New(t, llmtest.WithTranslate(func(source string) string { return source }))
		r := request(test.source)
		r.To = test.to
		got, err := newTranslator(t, s, &memory{}).Translate(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, []core.Translation{{Untranslated: core.UntranslatedSame}}, got.Translations)
	}
}
