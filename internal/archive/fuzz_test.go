package archive_test

import (
	"bytes"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
	"plait/internal/core"
)

func FuzzArchive(f *testing.F) {
	var plain bytes.Buffer
	require.NoError(f, archive.Write(f.Context(), &plain, []archive.File{file("1.jpg", "page", true), file("a/2.png", "page", false)}))
	f.Add(plain.Bytes())
	f.Add([]byte("PK\x05\x06" + string(make([]byte, 18))))
	limits := archive.Limits{MaxEntries: 50, MaxEntryBytes: 1 << 16, MaxTotalBytes: 1 << 18}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := open(b, limits)
		if err != nil {
			require.Contains(t, []core.Code{core.CodeInvalidArchive, core.CodeTooLarge}, core.CodeOf(err), "%v", err)
			return
		}
		require.NotEmpty(t, pages(a))
		for _, e := range a.Entries() {
			require.True(t, utf8.ValidString(e.Name))
			require.NoError(t, archive.CheckName(e.Name))
			r, err := a.Open(e.Name)
			if err != nil {
				require.Equal(t, core.CodeInvalidArchive, core.CodeOf(err))
				continue
			}
			n, err := io.Copy(io.Discard, r)
			if closed := r.Close(); closed != nil {
				require.Equal(t, core.CodeInvalidArchive, core.CodeOf(closed))
				require.Error(t, err)
			}
			require.LessOrEqual(t, n, e.Size)
			if err == nil {
				require.Equal(t, e.Size, n)
			} else {
				require.Equal(t, core.CodeInvalidArchive, core.CodeOf(err))
			}
		}
	})
}
