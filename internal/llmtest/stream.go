package llmtest

import (
	"net/http"
	"time"
)

// pieceRunes is the length of the pieces of a streamed answer: about that of some tokens.
const pieceRunes = 12

// split parts text into pieces, at least one.
func split(text string) []string {
	runes := []rune(text)
	var parts []string
	for len(runes) > pieceRunes {
		parts = append(parts, string(runes[:pieceRunes]))
		runes = runes[pieceRunes:]
	}
	return append(parts, string(runes))
}

// stream sends server-sent events as specified, and reports whether all of them were sent.
func (d delivery) stream(w http.ResponseWriter, request *http.Request, events [][]byte) bool {
	if d.huge > 0 {
		return d.deliver(w, request, nil)
	}
	flush := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	for i, event := range events {
		if d.cut && i == len(events)/2 {
			_ = flush.Flush() // the connection is closed next, so errors do not matter
			panic(http.ErrAbortHandler)
		}
		if d.wrongJSON {
			event = append([]byte("<html>"), event...)
		}
		if _, err := w.Write(append(append([]byte("data: "), event...), "\n\n"...)); err != nil || flush.Flush() != nil {
			return false
		}
		if d.gap > 0 {
			select {
			case <-request.Context().Done():
				return false
			case <-time.After(d.gap):
			}
		}
	}
	return true
}
