package llmtest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is one way to lie or to fail. Segments are counted from 1, as in the prompt; a number that the prompt does not
// have is ignored.
type Fault func(*reply)

// All is several faults on one call.
func All(faults ...Fault) Fault {
	return func(r *reply) {
		for _, fault := range faults {
			fault(r)
		}
	}
}

// Honest is no fault: it takes a place in a queue.
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

// Missing leaves segments out.
func Missing(numbers ...int) Fault {
	return func(r *reply) {
		r.lines = slices.DeleteFunc(r.lines, func(l line) bool {
			return slices.ContainsFunc(numbers, func(n int) bool { return l.number == strconv.Itoa(n) })
		})
	}
}

// Empty gives the markers of segments without a text.
func Empty(numbers ...int) Fault {
	return func(r *reply) { r.edit(numbers, func(l *line) { l.text = "" }) }
}

// Double gives a segment twice, with different texts.
func Double(n int) Fault {
	return func(r *reply) {
		if i := r.place(n); i >= 0 {
			r.lines = append(r.lines, line{number: r.lines[i].number, text: r.lines[i].text + " again"})
		}
	}
}

// Merge puts segment n+1 into segment n and leaves n+1 out.
func Merge(n int) Fault {
	return func(r *reply) {
		if i := r.place(n); i >= 0 && i+1 < len(r.lines) {
			r.lines[i].text += " " + r.lines[i+1].text
			r.lines = slices.Delete(r.lines, i+1, i+2)
		}
	}
}

// MergeAndRenumber merges and numbers the rest anew, so that only the last number is missing and all after n are wrong.
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

// Extra adds a segment that nobody asked for.
func Extra() Fault {
	return func(r *reply) {
		r.lines = append(r.lines, line{number: strconv.Itoa(len(r.call.Segments) + 1), text: "An extra line."})
	}
}

// Echo gives segments back untranslated.
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

// Repeat loses itself in repetition in segment n.
func Repeat(n int) Fault { return Say(n, strings.Repeat("ha ", 40)+"ha") }

// Answer answers with text instead of segments.
func Answer(text string) Fault { return func(r *reply) { r.text = &text } }

// RefuseInWords answers with an apology instead of segments.
func RefuseInWords() Fault { return Answer("I'm sorry, but I can't help with that.") }

// Think reasons before the answer, between <think> and </think>.
func Think(text string) Fault {
	return func(r *reply) { r.before = "<think>\n" + text + "\n</think>\n\n" + r.before }
}

// ThinkUnopened reasons before the answer with only the closing tag, as models do whose template opens it.
func ThinkUnopened(text string) Fault {
	return func(r *reply) { r.before = text + "\n</think>\n\n" + r.before }
}

// ThinkUnclosed reasons without end and never answers.
func ThinkUnclosed(text string) Fault { return Answer("<think>\n" + text) }

// Fence puts the answer into a code fence.
func Fence() Fault {
	return func(r *reply) { r.before, r.after = r.before+"```text\n", "\n```"+r.after }
}

// Chatter puts sentences around the answer.
func Chatter(before, after string) Fault {
	return func(r *reply) { r.before, r.after = before+"\n\n"+r.before, r.after+"\n\n"+after }
}

// Length stops after n segments, in the middle of the last, for want of tokens.
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

// ContentFilter ends the answer by the provider's filter.
func ContentFilter() Fault { return func(r *reply) { r.finish = finishFilter } }

// NoUsage leaves the token counts out.
func NoUsage() Fault { return func(r *reply) { r.usage = false } }

// Usage gives token counts that have nothing to do with the texts.
func Usage(input, output int) Fault {
	return func(r *reply) { r.counts = &[2]int{input, output} }
}

// Status answers an HTTP error.
func Status(code int) Fault { return Reject(code, "", "") }

// Reject answers an HTTP error with the provider's own code and the name of the parameter that it is about.
func Reject(status int, code, parameter string) Fault {
	return func(r *reply) { r.failure = failure{status: status, code: code, param: parameter} }
}

// RateLimit answers 429 with the header Retry-After, seconds or an HTTP date; an empty one is left out.
func RateLimit(retryAfter string) Fault { return Busy(http.StatusTooManyRequests, retryAfter) }

// Busy answers an HTTP error with the header Retry-After.
func Busy(status int, retryAfter string) Fault {
	return func(r *reply) { r.failure = failure{status: status, retryAfter: retryAfter} }
}

// Redirect answers 307 to another address.
func Redirect() Fault { return Status(http.StatusTemporaryRedirect) }

// Hang does not answer until Release, or until the client leaves; then the answer is honest.
func Hang() Fault { return func(r *reply) { r.delivery.hang = true } }

// Drip writes the answer in drops of 16 bytes with gaps between them.
func Drip(gap time.Duration) Fault { return func(r *reply) { r.delivery.gap = gap } }

// Cut breaks the connection in the middle of the answer.
func Cut() Fault { return func(r *reply) { r.delivery.cut = true } }

// Huge answers with at least so many bytes.
func Huge(bytes int) Fault { return func(r *reply) { r.delivery.huge = bytes } }

// WrongJSON answers 200 with something that is not JSON.
func WrongJSON() Fault { return func(r *reply) { r.delivery.wrongJSON = true } }
