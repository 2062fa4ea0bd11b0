package llmtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// reply is the answer to a call before a protocol encodes it. Faults change it.
type reply struct {
	call  Call
	lines []line
	// before and after surround the segments; text, when set, replaces all of them.
	before, after string
	text          *string
	finish        finish
	usage         bool
	// counts, when set, replace the numbers of the usage.
	counts *[2]int

	// failure, when its status is set, is the answer.
	failure  failure
	delivery delivery
}

// line is one segment of the answer; number is the text in its marker.
type line struct{ number, text string }

type finish int

const (
	finishStop finish = iota
	finishLength
	finishFilter
)

// failure is an error answer.
type failure struct {
	status      int
	code, param string
	retryAfter  string
}

// delivery describes how the bytes of an answer are sent.
type delivery struct {
	hang      bool
	gap       time.Duration
	cut       bool
	huge      int
	wrongJSON bool
}

func (s *Server) honest(call Call) *reply {
	r := &reply{call: call, usage: true}
	rooms := roomsOf(call.User)
	for i, segment := range call.Segments {
		text := s.translate(segment)
		if room, limited := rooms[i+1]; limited {
			text = within(text, room)
		}
		r.lines = append(r.lines, line{number: fmt.Sprint(i + 1), text: text})
	}
	return r
}

// content is the text of the answer.
func (r *reply) content() string {
	if r.text != nil {
		return *r.text
	}
	var b strings.Builder
	b.WriteString(r.before)
	if r.call.Schema {
		b.Write(encode(map[string]any{"segments": r.entries()}))
		b.WriteString(r.after)
		return b.String()
	}
	for i, l := range r.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "<|%s|>%s", l.number, l.text)
	}
	b.WriteString(r.after)
	return b.String()
}

// entry is a segment of an answer in JSON.
type entry struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

func (r *reply) entries() []entry {
	entries := []entry{}
	for _, l := range r.lines {
		first, _, _ := strings.Cut(l.number, "-") // of merged segments
		n, err := strconv.Atoi(first)
		if err != nil {
			n = -1
		}
		entries = append(entries, entry{Number: n, Text: l.text})
	}
	return entries
}

// tokens returns the numbers of the usage: by default a quarter of the bytes, so that tests can distinguish it from zero.
func (r *reply) tokens() (input, output int) {
	if r.counts != nil {
		return r.counts[0], r.counts[1]
	}
	return (len(r.call.System)+len(r.call.User))/4 + 1, len(r.content())/4 + 1
}

// dripBytes is the size of one piece of a slow answer.
const dripBytes = 16

// wait waits for the latency of the answer. It reports false when the client has disconnected meanwhile.
func (d delivery) wait(request *http.Request, latency time.Duration, release <-chan struct{}) bool {
	hung := release
	if !d.hang {
		done := make(chan struct{})
		close(done)
		hung = done
	}
	select {
	case <-hung:
	case <-request.Context().Done():
		return false
	}
	if latency <= 0 {
		return true
	}
	select {
	case <-time.After(latency):
		return true
	case <-request.Context().Done():
		return false
	}
}

// deliver sends the body as specified, and reports whether all of it was sent.
func (d delivery) deliver(w http.ResponseWriter, request *http.Request, body []byte) bool {
	flush := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case d.wrongJSON:
		body = append([]byte("<html>not JSON</html>"), body...)
	case d.huge > 0:
		chunk := []byte(strings.Repeat("a", 64<<10))
		written := 0
		for _, err := w.Write([]byte(`{"filler":"`)); err == nil && written < d.huge; _, err = w.Write(chunk) {
			written += len(chunk)
		}
		return false
	case d.cut:
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		// The connection is closed next, so errors do not matter.
		_, _ = w.Write(body[:len(body)/2])
		_ = flush.Flush()
		panic(http.ErrAbortHandler)
	case d.gap > 0:
		for len(body) > dripBytes {
			if _, err := w.Write(body[:dripBytes]); err != nil || flush.Flush() != nil {
				return false
			}
			body = body[dripBytes:]
			select {
			case <-request.Context().Done():
				return false
			case <-time.After(d.gap):
			}
		}
	}
	_, err := w.Write(body)
	return err == nil && flush.Flush() == nil
}
