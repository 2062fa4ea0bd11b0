package workflows

import (
	"fmt"
	"unicode/utf8"

	"plait/internal/core"
)

// maxSummary bounds what is shown beside an event or a workflow: the server refuses summaries over 400 bytes, and with
// them the whole workflow task.
const maxSummary = 300

// stepSummary tells an operator which page and stage a line of the history is: "page 3 of 12 · detect · 003.png".
func stepSummary(p core.Item, total int, stage core.Stage) string {
	return clip(fmt.Sprintf("page %d of %d · %s · %s", p.Index+1, total, stage, p.Name))
}

// clip cuts s to what may be shown, at a rune.
func clip(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	const mark = "…"
	cut := maxSummary - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
