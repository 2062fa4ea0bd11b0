package translate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/glossary"
	"plait/internal/translate/provider"
)

// Shortener shortens translations. Translators by language models are shorteners.
type Shortener interface {
	// Shorten asks the model once, for all of the texts in one call, which is recorded and looked up like every other call. It returns the
	// translations for which it has a shorter acceptable text. It fails as Translate does.
	Shorten(ctx context.Context, r ShortenRequest) (Result, error)
}

// ShortenRequest is a request for shorter translations of regions of a page.
type ShortenRequest struct {
	// Page, From and To are as in Request.
	Page     core.Item
	From, To string
	// Glossary is as in Request: a shorter text that contradicts it is rejected.
	Glossary []glossary.Entry
	// Texts are the translations that do not fit, each region once.
	Texts []LongText
	// Slot is as in Request.
	Slot Slot
}

// LongText is a translation that does not fit into its region.
type LongText struct {
	Segment
	Translation string
	// Room is the number of characters that would fit.
	Room int
}

const (
	// roomKept is the share of the room that a shorter text may use. The estimate of the room is the longest beginning of the text that
	// fits, but other words break lines elsewhere: where lines break between words, a twentieth is reserved for that.
	roomKept = 0.95
	// minRoom is the least room of a shorter text, in characters; nothing can be said in less.
	minRoom = 4
)

// Shorten does nothing for a model that accepts only texts.
func (m *model) Shorten(ctx context.Context, r ShortenRequest) (Result, error) {
	result := Result{Provider: m.Name(), Model: m.first.Model()}
	if m.first.Name() == provider.DeepL {
		return result, nil
	}
	texts := r.Texts[:min(len(r.Texts), maxSegments)]
	request := Request{Page: r.Page, From: r.From, To: r.To, Glossary: r.Glossary, Slot: r.Slot}
	for _, t := range texts {
		request.Segments = append(request.Segments, t.Segment)
	}
	j := newJob(m, request)
	chunk := slices.Clone(j.pending)
	for n, i := range chunk {
		j.page.long = append(j.page.long, texts[i].line(n+1, r.To))
	}
	if len(chunk) == 0 {
		return result, nil
	}
	answer, err := m.ask(ctx, m.first, j, chunk, sample{temperature: m.config.temperature(0)}, &result)
	if err != nil {
		return Result{}, err
	}
	j.take(chunk, answer)
	for i, t := range texts {
		short := j.translations[i]
		if short != "" && utf8.RuneCountInString(short) < utf8.RuneCountInString(t.Translation) {
			result.Translations = append(result.Translations, core.Translation{Index: t.Index, Text: short})
		}
	}
	return result, nil
}

// line tells the model which text is too long, and by how much.
func (t LongText) line(number int, to string) string {
	room := t.Room
	if !languages.IsCJK(to) {
		room = int(roomKept * float64(room))
	}
	return fmt.Sprintf("Segment %d has room for %d characters, and this has %d: %s",
		number, max(room, minRoom), utf8.RuneCountInString(t.Translation), flatten(t.Translation))
}

// writeLong writes that the following segments were translated before, and that their translations were too long.
func (p page) writeLong(b *strings.Builder) {
	if len(p.long) == 0 {
		return
	}
	b.WriteString("These translations do not fit into their places on the page:\n")
	for _, line := range p.long {
		b.WriteString(line + "\n")
	}
	b.WriteString("\nSay the same again in fewer words, each within its number of characters, spaces counted; leave out what matters least.\n")
}
