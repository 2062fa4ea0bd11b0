package batch_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/core"
)

func TestARecordOfAPageWithoutTextHasNoRegionsAndAnErasedOneItsChange(t *testing.T) {
	t.Parallel()
	found := comic.DetectOutput{Width: 10, Height: 20, FromLang: "ja", Elapsed: core.ElapsedMS{"total": 3}}
	for want, record := range map[string]batch.Record{
		`{"page":"1.png","width":10,"height":20,"from_lang":"ja","elapsed_ms":{"total":3},"regions":[]}`: batch.RecordRead("1.png", found),
		`{"page":"1.png","file":"out/1.png","width":10,"height":20,"from_lang":"ja","elapsed_ms":{"total":3},"changed_pixels":0,"regions":[]}`: batch.RecordErased(
			"1.png", batch.ErasedPage{DetectOutput: found, File: "out/1.png"}),
	} {
		b, err := json.Marshal(record)
		require.NoError(t, err)
		require.JSONEq(t, want, string(b))
	}
}
