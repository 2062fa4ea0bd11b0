package activities

import (
	"context"

	"plait/internal/comic"
)

// TranslateAlone translates a page that stands in no record: that of a caller without Temporal. It takes its turn among
// the translate slots, and its model calls are recorded and reused as all others are; there are no pages before it.
func (a *Activities) TranslateAlone(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	return guarded(func() (comic.TranslateOutput, error) { return a.newTranslation(ctx, in) })
}
