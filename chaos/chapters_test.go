package chaos_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"

	"plait/activities/comic/enginetest"
	"plait/api/client"
	comicclient "plait/api/comic/client"
	"plait/internal/comic"
	"plait/internal/core"
)

// chapter is what a client sends, and what he does with it then.
type chapter struct {
	number int
	mode   core.Mode
	pages  [][]byte
	// lettered are the indexes of the pages that have text.
	lettered []int
	wish     wish
}

const (
	minPages, maxPages = 2, 6
	maxLines           = 4
	// Of so many pages or chapters, one is of the rarer kind.
	oneBlank, oneBroken, oneUnified = 12, 20, 5
)

var sayings = []string{"雨が降ってきた", "待ってくれ", "誰もいない", "ここはどこだ", "約束したはずだ", "もう遅い", "静かにしろ", "夜が明ける"}

// newChapters draws chapters, and a wish for each. No two pages are alike, so that what happens to a blob happens to one page.
func newChapters(seed uint64, n int) []chapter {
	r, wishes := rand.New(rand.NewPCG(seed, 0)), newWishes(seed, n)
	chapters := make([]chapter, n)
	for i := range chapters {
		c := chapter{number: i + 1, mode: comic.ModeSplit, wish: wishes[i]}
		if r.IntN(oneUnified) == 0 {
			c.mode = comic.ModeUnified
		}
		for range minPages + r.IntN(maxPages-minPages+1) {
			c.addPage(r)
		}
		if c.wish.what == wishRetry { // which takes a page that fails
			c.pages = append(c.pages, brokenPage(c.number, len(c.pages)))
		}
		chapters[i] = c
	}
	return chapters
}

// pageText names a page within its text; the model server hears of it by that.
const pageText = "%d話%d頁、%s"

func (c *chapter) addPage(r *rand.Rand) {
	page := len(c.pages)
	if page > 0 && r.IntN(oneBroken) == 0 {
		c.pages = append(c.pages, brokenPage(c.number, page))
		return
	}
	var lines []string
	if r.IntN(oneBlank) > 0 {
		for range 1 + r.IntN(maxLines) {
			lines = append(lines, fmt.Sprintf(pageText, c.number, page, sayings[r.IntN(len(sayings))]))
		}
	}
	image, err := enginetest.Picture(lines...)
	if err != nil {
		panic(err) // it was encoded to memory
	}
	if len(lines) == 0 {
		image = append(image, fmt.Sprintf("%d/%d", c.number, page)...) // what follows the image is not read
	} else {
		c.lettered = append(c.lettered, page)
	}
	c.pages = append(c.pages, image)
}

func brokenPage(chapter, page int) []byte {
	return fmt.Appendf(nil, "chapter %d, page %d is no image", chapter, page)
}

func (c chapter) request(key string) comicclient.Request {
	r := comicclient.Request{From: "ja", To: "en", Mode: c.mode, Title: fmt.Sprintf("chapter %d", c.number), IdempotencyKey: key}
	for i, page := range c.pages {
		r.Files = append(r.Files, client.File{
			Name: fmt.Sprintf("%03d.png", i+1),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(page)), nil },
		})
	}
	return r
}
