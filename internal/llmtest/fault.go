package llmtest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault changes an answer into a wrong one or a failure. Segments are counted from 1, as in the prompt; numbers that the prompt does not
// have are ignored.
type Fault func(*reply)

// All combines several faults in one call.
func All(faults ...Fault) Fault {
	return func(r *reply) {
		for _, fault := range faults {
			fault(r)
		}
	}
}

// Honest is the absence of a fault, as an entry in a queue.
func Honest() Fault { return func(*reply) {} }

func (r *reply) edit(numbers []int, change func(*line)) {
	for _, n := range numbers {
		for i := range r.lines {
			if r.lines[i].number == strconv.Itoa(n) {
				change(&r.lines[i])
			}
		}
	}
}

func (r *reply) place(n int) int {
	return slices.IndexFunc(r.lines, func(l line) bool { return l.number == strconv.Itoa(n) })
}

// Missing omits segments.
func Missing(numbers ...int) Fault {
	return func(r *reply) {
		r.lines = slices.DeleteFunc(r.lines, func(l line) bool {
			return slices.ContainsFunc(numbers, func(n int) bool { return l.number == strconv.Itoa(n) })
		})
	}
}

// Empty answers segments with their markers but without text.
func Empty(numbers ...int) Fault {
	return func(r *reply) { r.edit(numbers, func(l *line) { l.text = "" }) }
}

// Double answers a segment twice, with different texts.
func Double(n int) Fault {
	return func(r *reply) {
		if i := r.place(n); i >= 0 {
			r.lines = append(r.lines, line{number: r.lines[i].number, text: r.lines[i].text + " again"})
		}
	}
}

// Merge moves segment n+1 into segment n and omits n+1.
func Merge(n int) Fault {
	return func(r *reply) {
		if i := r.place(n); i >= 0 && i+1 < len(r.lines) {
			r.lines[i].text += " " + r.lines[i+1].text
			r.lines = slices.Delete(r.lines, i+1, i+2)
		}
	}
}

// MergeAndRenumber merges n and n+1 and renumbers the rest, so that only the last number is missing and all after n are wrong.
func MergeAndRenumber(n int) Fault {
	return func(r *reply) {
		Merge(n)(r)
		for i := range r.lines {
			r.lines[i].number = strconv.Itoa(i + 1)
		}
	}
}

// MergeMarkers answers segments n and n+1 under one marker, <|n-n+1|>.
func MergeMarkers(n int) Fault {
	return func(r *reply) {
		Merge(n)(r)
		r.edit([]int{n}, func(l *line) { l.number += "-" + strconv.Itoa(n+1) })
	}
}

// Extra adds a segment that is not in the prompt.
func Extra() Fault {
	return func(r *reply) {
		r.lines = append(r.lines, line{number: strconv.Itoa(len(r.call.Segments) + 1), text: "An extra line."})
	}
}

// Echo returns segments untranslated.
func Echo(numbers ...int) Fault {
	return func(r *reply) {
		for _, n := range numbers {
			r.edit([]int{n}, func(l *line) { l.text = r.call.Segments[n-1] })
		}
	}
}

// EchoPrompt answers the last segment with the instructions.
func EchoPrompt() Fault {
	return func(r *reply) {
		if len(r.lines) > 0 {
			r.lines[len(r.lines)-1].text = strings.Join(strings.Fields(r.call.System), " ")
		}
	}
}

// Say answers segment n with text.
func Say(n int, text string) Fault {
	return func(r *reply) { r.edit([]int{n}, func(l *line) { l.text = text }) }
}

// Repeat answers segment n with endless repetition.
func Repeat(n int) Fault { return Say(n, strings.Repeat("ha ", 40)+"ha") }

// Answer answers with text instead of segments.
func Answer(text string) Fault { return func(r *reply) { r.text = &text } }

// RefuseInWords answers with an apology instead of segments.
func RefuseInWords() Fault { return Answer("I'm sorry, but I can't help with that.") }

// Think puts reasoning before the answer, between <think> and </think>.
func Think(text string) Fault {
	return func(r *reply) { r.before = "<think>\n" + text + "\n</think>\n\n" + r.before }
}

// ThinkUnopened puts reasoning before the answer with only the closing tag, like models whose template contains the opening tag.
func ThinkUnopened(text string) Fault {
	return func(r *reply) { r.before = text + "\n</think>\n\n" + r.before }
}

// ThinkUnclosed answers with reasoning that never ends.
func ThinkUnclosed(text string) Fault { return Answer("<think>\n" + text) }

// Fence puts the answer into a code fence.
func Fence() Fault {
	return func(r *reply) { r.before, r.after = r.before+"```text\n", "\n```"+r.after }
}

// Chatter puts sentences around the answer.
func Chatter(before, after string) Fault {
	return func(r *reply) { r.before, r.after = before+"\n\n"+r.before, r.after+"\n\n"+after }
}

// Length stops in the middle of segment n with the finish reason for the token limit.
func Length(n int) Fault {
	return func(r *reply) {
		r.finish = finishLength
		if n < 1 || n > len(r.lines) {
			return
		}
		r.lines = r.lines[:n]
		text := []rune(r.lines[n-1].text)
		r.lines[n-1].text = string(text[:len(text)/2])
	}
}

// ContentFilter ends the answer with the finish reason of the provider's content filter.
func ContentFilter() Fault { return func(r *reply) { r.finish = finishFilter } }

// NoUsage omits the token counts.
func NoUsage() Fault { return func(r *reply) { r.usage = false } }

// Usage reports token counts that are independent of the texts.
func Usage(input, output int) Fault {
	return func(r *reply) { r.counts = &[2]int{input, output} }
}

// Status answers an HTTP error.
func Status(code int) Fault { return Reject(code, "", "") }

// Reject answers an HTTP error with the provider's own code and the name of the parameter that caused it.
func Reject(status int, code, parameter string) Fault {
	return func(r *reply) { r.failure = failure{status: status, code: code, param: parameter} }
}

// RateLimit answers 429 with the header Retry-After, in seconds or as an HTTP date; an empty one is omitted.
func RateLimit(retryAfter string) Fault { return Busy(http.StatusTooManyRequests, retryAfter) }

// Busy answers an HTTP error with the header Retry-After.
func Busy(status int, retryAfter string) Fault {
	return func(r *reply) { r.failure = failure{status: status, retryAfter: retryAfter} }
}

// Redirect answers 307 to another address.
func Redirect() Fault { return Status(http.StatusTemporaryRedirect) }

// Hang delays the answer until Release, or until the client disconnects; after Release the answer is correct.
func Hang() Fault { return func(r *reply) { r.delivery.hang = true } }

// Drip sends the answer in pieces of 16 bytes with gaps between them.
func Drip(gap time.Duration) Fault { return func(r *reply) { r.delivery.gap = gap } }

// Cut closes the connection in the middle of the answer.
func Cut() Fault { return func(r *reply) { r.delivery.cut = true } }

// Huge answers with at least this many bytes.
func Huge(bytes int) Fault { return func(r *reply) { r.delivery.huge = bytes } }

// WrongJSON answers 200 with something that is not JSON.
func WrongJSON() Fault { return func(r *reply) { r.delivery.wrongJSON = true } }
