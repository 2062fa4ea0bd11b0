package flow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

func TestSourceCodeStays(t *testing.T) {
	const fixed = math + 1
	page := func(prose int) *sheet {
		s := newSheet()
		s.page.Fonts = append(s.page.Fonts, document.Font{Name: "Courier", Fixed: true, Mapped: true})
		s.write(50, 700, 10, prose, "The program that starts the lamp every evening is short:")
		s.write(50, 676, 10, fixed, "for lamp in lamps:").write(70, 664, 10, fixed, "if lamp.oil < 0.2:").write(90, 652, 10, fixed, "lamp.fill()")
		return s.write(50, 628, 10, prose, "The keeper runs it at dusk, and goes to bed.")
	}
	got := page(regular).read()
	require.Contains(t, got, "(no_text): for lamp in lamps: if lamp.oil < 0.2: lamp.fill()\n")
	require.Equal(t, 2, strings.Count(got, "text start: The"))
	require.NotContains(t, page(fixed).read(), "(no_text)", "a typewritten page")
	s := page(regular)
	s.write(50, 600, 10, fixed, "Words in a typewriter face").write(50, 588, 10, fixed, "are no code by themselves.")
	require.Contains(t, s.read(), "text start: Words in a typewriter face are no code by themselves.\n")
}

// The first line of a program may have no sign of code, and what a command prints none either.
func TestSourceCodeStaysWhole(t *testing.T) {
	const fixed = math + 1
	page := func(code ...string) string {
		s := newSheet()
		s.page.Fonts = append(s.page.Fonts, document.Font{Name: "Courier", Fixed: true, Mapped: true})
		s.lines(50, 700, "The program that starts the lamps every evening is so short that the", "keeper writes it down once more as soon as somebody asks him for it,",
			"and each time he finds a better way to say what the lamps have to do.")
		for i, text := range code {
			s.write(50, 640-12*float64(i), 10, fixed, text)
		}
		return s.read()
	}
	got := page("from house import lamps", "", "for lamp in lamps:", "  lamp.fill()", "  lamp.trim()")
	require.Contains(t, got, "(no_text): from house import lamps\n")
	got = page("$ fill lamps", "Two lamps were empty and are full")
	require.Contains(t, got, "(no_text): $ fill lamps Two lamps were empty and are full\n")
	got = page("Two lamps were empty", "and are full")
	require.Contains(t, got, "text start: Two lamps were empty and are full\n")
}
