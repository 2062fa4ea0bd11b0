package translate

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

func TestParseReply(t *testing.T) {
	t.Parallel()
	ok := func(text string) answered { return answered{text: text} }
	bad := func(d defect) answered { return answered{defect: d} }
	for name, test := range map[string]struct {
		reply string
		want  []answered
	}{
		"plain":                    {"<|1|>One\n<|2|>Two", []answered{ok("One"), ok("Two")}},
		"one line":                 {"<|1|>One <|2|>Two", []answered{ok("One"), ok("Two")}},
		"spaces and wide forms":    {"< | 1 | > One\n＜｜2｜＞Two", []answered{ok("One"), ok("Two")}},
		"out of order":             {"<|2|>Two\n<|1|>One", []answered{ok("One"), ok("Two")}},
		"text on the next line":    {"<|1|>\nOne\n<|2|>\nTwo", []answered{ok("One"), ok("Two")}},
		"wrapped":                  {"<|1|>One\nmore\n<|2|>Two\nmore", []answered{ok("One more"), ok("Two more")}},
		"wrapped, Chinese":         {"<|1|>第一\n行\n<|2|>第二", []answered{ok("第一行"), ok("第二")}},
		"remark behind the end":    {"<|1|>One\n<|2|>Two\nHope this helps!", []answered{ok("One"), ok("Two")}},
		"remark after a blank":     {"<|1|>One\n<|2|>Two\n\n(Note: done)", []answered{ok("One"), ok("Two")}},
		"closing markers":          {"<|1|>One<|/1|>\n<|2|>Two<|/2|>", []answered{ok("One"), ok("Two")}},
		"tokens of a template":     {"<|im_start|><|1|>One\n<|2|>Two<|im_end|><|endoftext|>", []answered{ok("One"), ok("Two")}},
		"fence on the same line":   {"```<|1|>One\n<|2|>Two```", []answered{ok("One"), ok("Two")}},
		"twice the same":           {"<|1|>One\n<|2|>Two\n<|1|>One", []answered{ok("One"), ok("Two")}},
		"twice, different":         {"<|1|>One\n<|2|>Two\n<|1|>Uno", []answered{{"One", core.UntranslatedDouble}, ok("Two")}},
		"a range of numbers":       {"<|1-2|>Both", []answered{bad(core.UntranslatedMerged), bad(core.UntranslatedMerged)}},
		"a list of numbers":        {"<|1, 2|>Both", []answered{bad(core.UntranslatedMerged), bad(core.UntranslatedMerged)}},
		"markers in a row":         {"<|1|><|2|>Both", []answered{bad(core.UntranslatedEmpty), ok("Both")}},
		"a number too many":        {"<|1|>One\n<|2|>Two\n<|3|>Three", []answered{{"One", core.UntranslatedExtra}, {"Two", core.UntranslatedExtra}}},
		"counted from zero":        {"<|0|>One\n<|1|>Two", []answered{ok("One"), ok("Two")}},
		"counted from two":         {"<|2|>One\n<|3|>Two", []answered{ok("One"), ok("Two")}},
		"number zero too":          {"<|0|>Nil\n<|1|>One\n<|2|>Two", []answered{{"One", core.UntranslatedExtra}, {"Two", core.UntranslatedExtra}}},
		"zero and two":             {"<|0|>One\n<|2|>Two", []answered{bad(core.UntranslatedMissing), {"Two", core.UntranslatedExtra}}},
		"refused in words":         {"I’m sorry, but I can’t help with that.", []answered{bad(core.UntranslatedRefused), bad(core.UntranslatedRefused)}},
		"an apology on the page":   {"<|1|>I'm sorry!\n<|2|>I can't help you.", []answered{ok("I'm sorry!"), ok("I can't help you.")}},
		"nothing":                  {"", []answered{bad(core.UntranslatedMissing), bad(core.UntranslatedMissing)}},
		"thoughts in between":      {"<|1|>One\n<think>hm <|2|>no</think>\n<|2|>Two", []answered{ok("One"), ok("Two")}},
		"a page about <think>":     {"<|1|>One <think> of it\n<|2|>Two", []answered{ok("One <think> of it"), ok("Two")}},
		"a huge number":            {"<|99999999999999999999|>One", []answered{bad(core.UntranslatedMissing), bad(core.UntranslatedMissing)}},
		"control characters":       {"<|1|>O\x00n\x1be\n<|2|>T\xffwo", []answered{ok("One"), ok("Two")}},
		"missing last is doubtful": {"<|1|>One", []answered{{"One", core.UntranslatedMerged}, bad(core.UntranslatedMissing)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, parseReply(test.reply, 2, false, false))
		})
	}
}

func FuzzParseReply(f *testing.F) {
	for _, seed := range []string{"<|1|>One\n<|2|>Two", "<think>x</think>```\n<|1-3|>a\n```", "<|1|>a\n\nb<|2|><|/2|>", "＜｜１｜＞", "<|3|>\xff<|2"} {
		f.Add(seed, 3, false)
		f.Add(seed, 1, true)
	}
	f.Fuzz(func(t *testing.T, reply string, n int, cut bool) {
		n = 1 + (n&0xff)%100
		answers := parseReply(reply, n, false, cut)
		require.Len(t, answers, n)
		for _, a := range answers {
			require.True(t, utf8.ValidString(a.text))
			require.NotRegexp(t, marker, a.text)
			for _, r := range a.text {
				require.False(t, unicode.IsControl(r))
			}
			if a.defect == "" {
				require.NotEmpty(t, a.text)
			}
		}
	})
}

func FuzzFlatten(f *testing.F) {
	for _, seed := range []string{"a\r\nb", "<|1|>", "< \t|2｜>", "<\x00|3|>", "漢\n字"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		flat := flatten(text)
		require.NotContains(t, flat, "<|")
		for _, r := range flat {
			require.False(t, unicode.IsControl(r) || isLineBreak(r))
		}
		require.Equal(t, flat, flatten(flat))
		require.True(t, isFlat(flat) || strings.ContainsAny(flat, "<＜\uFFFD"))
	})
}
