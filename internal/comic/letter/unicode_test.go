package letter_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-text/typesetting/segmenter"
	"github.com/stretchr/testify/require"
)

// TestLineBreakingConforms runs the Unicode conformance test of UAX 14, which is in the module of the library, against the library: the
// house rules start from its result.
func TestLineBreakingConforms(t *testing.T) {
	t.Parallel()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-text/typesetting").Output()
	require.NoError(t, err)
	file, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "segmenter", "test", "LineBreakTest.txt"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	cases := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		data, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(data)
		if len(fields) == 0 {
			continue
		}
		var text []rune
		want := map[int]bool{}
		for _, f := range fields {
			switch f {
			case "×":
			case "÷":
				want[len(text)] = true
			default:
				code, err := strconv.ParseUint(f, 16, 32)
				require.NoError(t, err)
				text = append(text, rune(code))
			}
		}
		require.Equal(t, want, breaks(text), data)
		cases++
	}
	require.Greater(t, cases, 10000)
}

// breaks returns the places where the library allows a line to end, including the end of the text.
func breaks(text []rune) map[int]bool {
	out := map[int]bool{}
	var seg segmenter.Segmenter
	seg.Init(text)
	for it := seg.LineIterator(); it.Next(); {
		l := it.Line()
		out[l.Offset+len(l.Text)] = true
	}
	return out
}
