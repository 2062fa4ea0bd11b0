package comicrecords_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/translate/ledger"
)

// BenchmarkPage is all that one page costs in records: three stages begun and ended, the slot, the pages before, the
// ledger.
func BenchmarkPage(b *testing.B) {
	store, opened := recordstest.NewFixture(b)
	f := fixture{comicrecords.New(store), opened}
	ctx := b.Context()
	n := f.running(b.N)
	out := comic.DetectOutput{Width: 800, Height: 1200, FromLang: "ja", Regions: regions("一", "二", "三", "四", "五", "六", "七", "八")}
	translations := translated("1", "2", "3", "4", "5", "6", "7", "8")
	b.ResetTimer()
	for _, page := range n.Items {
		detect, translate, render := runOf(page, comic.StageDetect, 1), runOf(page, comic.StageTranslate, 1), runOf(page, comic.StageRender, 1)
		f.Begin(detect)
		require.NoError(b, f.SaveDetect(ctx, detect, out))
		f.Begin(translate)
		slot, err := f.AcquireSlot(ctx, "translate", 1)
		require.NoError(b, err)
		_, err = f.PromptContext(ctx, page, "en", 3)
		require.NoError(b, err)
		_, _, err = f.LookupCall(ctx, page.Name)
		require.NoError(b, err)
		require.NoError(b, f.RecordCall(ctx, ledger.Call{
			Key: page.Name, Tenant: tenant, TaskID: page.TaskID, Provider: "openai", Model: "m1", StartedAt: time.Now(), Outcome: ledger.OutcomeOK,
			Answer: ledger.Answer{Text: "answer"},
		}))
		slot.Release()
		require.NoError(b, f.SaveTranslations(ctx, translate, translations))
		f.Begin(render)
		require.NoError(b, f.HoldBlobs(ctx, page.TaskID, []core.BlobRef{resultOf(page, "").Result}))
		require.NoError(b, f.FinishPage(ctx, render, resultOf(page, comic.ModeSplit)))
	}
}
