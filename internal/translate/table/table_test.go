package table_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/translate/table"
)

func TestARowIsTooWide(t *testing.T) {
	t.Parallel()
	most, more := strings.Repeat(",", table.MaxColumns-1), strings.Repeat(",", table.MaxColumns)
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"nothing":             {"", 0},
		"the most":            {most + "\n" + most, 0},
		"the first line":      {more, 1},
		"a later line":        {"a\nb\n" + more, 3},
		"quoted":              {`"` + more + `"`, 0},
		"quoted, with quotes": {`"""` + more + `"",` + more + `"`, 0},
		"quoted, with lines":  {"\"a\nb\"\n" + more, 3},
		"after a quoted cell": {`"a"` + more, 1},
		"CRLF":                {"\"a\"\r\n" + more, 2},
		"a quote in a cell":   {`a"` + more, 1},
		"other separators":    {strings.Repeat(";", 1000), 0},
	} {
		require.Equal(t, c.line, table.TooWide([]byte(c.text), ','), name)
	}
}

func TestValuesAreCounted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		``: 0, `{}`: 0, `[1,2,3]`: 2, `{"a":",,","b":[{},{}]}`: 2, `"\",","\\",1`: 2,
	} {
		require.Equal(t, want, table.Values([]byte(text)), text)
	}
}

// Whatever package csv reads within the bound is not too wide, and what it reads beyond is.
func FuzzTooWide(f *testing.F) {
	f.Add([]byte("a,b\n\"c\r\n\"\"\",d\"\n"), true)
	f.Add([]byte("\"a\" ,"+strings.Repeat(",", 300)+"\n"), true)
	f.Add([]byte("a\""+strings.Repeat(",", 300)+"\n\""), false)
	f.Fuzz(func(t *testing.T, b []byte, lazy bool) {
		line := table.TooWide(b, ',')
		r := csv.NewReader(bytes.NewReader(b))
		r.FieldsPerRecord, r.LazyQuotes = -1, lazy
		for {
			row, err := r.Read()
			if errors.Is(err, io.EOF) {
				require.Zero(t, line)
				return
			}
			if err != nil {
				return
			}
			if len(row) > table.MaxColumns {
				require.NotZero(t, line)
				return
			}
		}
	})
}
