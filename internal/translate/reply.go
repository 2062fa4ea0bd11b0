package translate

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"plait/internal/core"
)

// answered is the answer for one segment; text is valid only without a defect.
type answered struct {
	text   string
	defect defect
}

var (
	// thinking matches a block of reasoning with both its tags.
	thinking = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*?</(think|thinking|thought|reasoning)>`)
	// thoughtEnd and thoughtStart match single tags: some templates put the opening tag before the reply, and limits cut off the closing
	// one.
	thoughtEnd   = regexp.MustCompile(`(?is)^.*</(?:think|thinking|thought|reasoning)>`)
	thoughtStart = regexp.MustCompile(`(?is)<(?:think|thinking|thought|reasoning)>.*$`)
	// special matches tokens of chat templates that leak into replies, and closing forms of the markers.
	special = regexp.MustCompile(`<\|(?:[A-Za-z_]+|\s*/\s*\d+\s*)\|>`)
	// marker captures the numbers in one marker; more than one means that segments were merged.
	marker = regexp.MustCompile(`[<＜]\s*[|｜]\s*(\d{1,6}(?:\s*[-–—~,、&+/|｜]\s*\d{1,6})*)\s*[|｜]\s*[>＞]`)
	number = regexp.MustCompile(`\d+`)
	// apology matches a refusal in words, in the languages of prompts and texts.
	apology = regexp.MustCompile(`(?i)\b(?:sorry|apologi[sz]e|unable to|can(?:no|')t (?:help|assist|translate|comply|fulfil|provide)|as an ai\b|not able to)` +
		`|申し訳|できません|お手伝い|抱歉|对不起|對不起|无法|無法|죄송|할 수 없`)
)

// parseReply finds the texts of the segments 1..n in a reply; schema means that it should be JSON, and cut that the model stopped because
// of its length limit. It always returns n answers. Only defects in the form of the reply are detected here.
func parseReply(reply string, n int, schema, cut bool) []answered {
	reply = stripReasoning(strings.ToValidUTF8(reply, ""))
	reply = special.ReplaceAllString(reply, "")
	answers := make([]answered, n)
	var segments []segment
	if schema {
		segments = jsonSegments(reply)
	}
	if len(segments) == 0 {
		segments = splitSegments(reply)
	}
	if len(segments) == 0 && apology.MatchString(strings.ReplaceAll(reply, "’", "'")) {
		setAll(answers, core.UntranslatedRefused)
		return answers
	}
	setAll(answers, core.UntranslatedMissing)
	countFromOne(segments, n)
	extra := false
	lastNumber := 0
	for _, s := range segments {
		for _, k := range s.numbers {
			if k < 1 || k > n {
				extra = true
				continue
			}
			lastNumber = k
			place(&answers[k-1], s)
		}
	}
	switch {
	case extra:
		// With one segment too many, every number after the split may be off by one.
		setAll(answers, core.UntranslatedExtra)
	case cut:
		// The last segment may end in the middle.
		if lastNumber > 0 {
			answers[lastNumber-1].defect = core.UntranslatedMissing
		}
	default:
		suspectMerged(answers)
	}
	return answers
}

// countFromOne renumbers segments that are complete and in order, but start at zero or two.
func countFromOne(segments []segment, n int) {
	if len(segments) != n {
		return
	}
	off := segments[0].numbers[0] - 1
	if off != -1 && off != 1 {
		return
	}
	for i, s := range segments {
		if len(s.numbers) != 1 || s.numbers[0] != i+1+off {
			return
		}
	}
	for i := range segments {
		segments[i].numbers[0] = i + 1
	}
}

func stripReasoning(reply string) string {
	reply = thinking.ReplaceAllString(reply, "")
	reply = thoughtEnd.ReplaceAllString(reply, "")
	// After the first marker such a tag is text of the page.
	start, first := thoughtStart.FindStringIndex(reply), marker.FindStringIndex(reply)
	if start != nil && (first == nil || start[0] < first[0]) {
		return reply[:start[0]]
	}
	return reply
}

// segment is one marker of a reply and the text after it.
type segment struct {
	numbers []int
	text    string
}

func splitSegments(reply string) []segment {
	found := marker.FindAllStringSubmatchIndex(reply, -1)
	segments := make([]segment, 0, len(found))
	severalLines := false
	for i, at := range found {
		end := len(reply)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		lines := paragraph(reply[at[1]:end])
		if i+1 < len(found) {
			severalLines = severalLines || len(lines) > 1
		} else if !severalLines && len(lines) > 1 {
			// Only the last segment has a second line, so that line is a remark and not part of a translation.
			lines = lines[:1]
		}
		s := segment{text: flatten(strings.Join(lines, "\n"))}
		for _, digits := range number.FindAllString(reply[at[2]:at[3]], -1) {
			// Six digits always fit.
			k, _ := strconv.Atoi(digits)
			s.numbers = append(s.numbers, k)
		}
		segments = append(segments, s)
	}
	return segments
}

// entry matches one segment of a JSON answer. Entries are matched one by one, so that a truncated reply keeps those it has.
var entry = regexp.MustCompile(`\{\s*"number"\s*:\s*(\d{1,6})\s*,\s*"text"\s*:\s*("(?:[^"\\]|\\.)*")\s*\}`)

func jsonSegments(reply string) []segment {
	var segments []segment
	for _, match := range entry.FindAllStringSubmatch(reply, -1) {
		var text string
		if json.Unmarshal([]byte(match[2]), &text) != nil {
			continue
		}
		k, _ := strconv.Atoi(match[1]) // six digits always fit
		segments = append(segments, segment{numbers: []int{k}, text: flatten(text)})
	}
	return segments
}

// paragraph returns the lines up to the first empty one, without those of code fences: what follows is chatter.
func paragraph(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			continue
		case line == "":
			return lines
		}
		lines = append(lines, strings.TrimSuffix(line, "```"))
	}
	return lines
}

// place stores a segment's text at its number.
func place(a *answered, s segment) {
	switch {
	case len(s.numbers) > 1:
		a.defect = core.UntranslatedMerged
	case a.defect != core.UntranslatedMissing && a.text != s.text:
		a.defect = core.UntranslatedDouble
	case a.defect == core.UntranslatedMissing && s.text == "":
		a.defect = core.UntranslatedEmpty
	case a.defect == core.UntranslatedMissing:
		a.text, a.defect = s.text, ""
	}
}

// suspectMerged rejects answers that may contain a neighbor's text. Before a gap, this is the segment in front of it. When the end is
// missing, the model may have merged any two segments and renumbered the rest, so it is all of them.
func suspectMerged(answers []answered) {
	n := len(answers)
	if gone(answers[n-1]) {
		setAll(answers, core.UntranslatedMerged)
		return
	}
	for i := range n - 1 {
		if answers[i].defect == "" && gone(answers[i+1]) {
			answers[i].defect = core.UntranslatedMerged
		}
	}
}

func gone(a answered) bool {
	return a.defect == core.UntranslatedMissing || a.defect == core.UntranslatedEmpty
}

// setAll sets d on the answers without a defect.
func setAll(answers []answered, d defect) {
	for i := range answers {
		if answers[i].defect == "" {
			answers[i].defect = d
		}
	}
}
