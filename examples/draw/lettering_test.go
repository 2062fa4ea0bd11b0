package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/examples/draw/ink"
)

// where returns the box that a text covers when it is lettered at the middle of
// an empty page of 600 by 600 pixels.
func where(t *testing.T, d Direction, lines ...string) [4]int {
	t.Helper()
	p := NewPage("test.png", 600, 600, faces(t))
	require.NoError(t, p.Letter(p.spoken(Text{Lines: lines, Dir: d, Size: 100}), 300, 300, nil))
	return p.Blocks[0].Box
}

func TestLinesDownHaveTheirOwnPunctuation(t *testing.T) {
	t.Parallel()
	stop := where(t, Down, "。")
	require.Greater(t, stop[0], 300, "a full stop stands right of the middle")
	require.Less(t, stop[3], 300, "and above it")

	long := where(t, Down, "ー")
	require.Greater(t, long[3]-long[1], 3*(long[2]-long[0]), "a long-vowel mark stands upright")

	across, small := where(t, Across, "ょ"), where(t, Down, "ょ")
	require.Greater(t, small[0], across[0], "a small kana leans right")
	require.Less(t, small[1], across[1], "and up")
}

func TestFirstLineDownStandsAtTheRight(t *testing.T) {
	t.Parallel()
	one, two := where(t, Down, "ああ"), where(t, Down, "ああ", "い")
	require.Greater(t, two[2], one[2])
}

func TestLetterRefusesARuneWithoutGlyph(t *testing.T) {
	t.Parallel()
	p := NewPage("test.png", 100, 100, faces(t))
	err := p.Letter(p.spoken(Text{Lines: []string{"𓀀"}}), 50, 50, nil)
	require.ErrorContains(t, err, "𓀀")
}

func TestBalloonsThatTouchShareOneBody(t *testing.T) {
	t.Parallel()
	p := NewPage("test.png", 400, 200, faces(t))
	require.NoError(t, p.Say(
		Balloon{X: 140, Y: 100, RX: 90, RY: 60, Text: Text{Lines: []string{"あ"}}},
		Balloon{X: 260, Y: 100, RX: 90, RY: 60, Text: Text{Lines: []string{"い"}}},
	))
	for x := 185; x < 215; x++ {
		require.Equal(t, white, colorAt(p, x, 100), "no line where the balloons meet, at x = %d", x)
	}
}

func colorAt(p *Page, x, y int) ink.Color {
	c := p.Image().RGBAAt(x, y)
	return ink.Color{R: c.R, G: c.G, B: c.B, A: c.A}
}
