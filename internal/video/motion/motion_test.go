package motion_test

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/video/motion"
)

const side = 64

// quarters is a picture with a color in each quarter.
func quarters() image.Image {
	m := image.NewRGBA(image.Rect(0, 0, 4*side, 4*side))
	for y := range 4 * side {
		for x := range 4 * side {
			m.Set(x, y, color.RGBA{R: byte(x), G: byte(y), B: 128, A: 255})
		}
	}
	return m
}

func render(t *testing.T, s motion.Shot, frames int) (all [][]byte) {
	t.Helper()
	require.NoError(t, motion.Render(t.Context(), quarters(), side, side, frames, s, func(frame []byte) error {
		all = append(all, append([]byte{}, frame...))
		return nil
	}))
	return all
}

// corner is the color at the top left of a frame, and last that at the bottom right: red grows to the right, green downwards.
func corner(frame []byte) []byte { return frame[:3] }
func last(frame []byte) []byte   { return frame[len(frame)-3:] }

func TestTheCameraMovesAsThePromptSays(t *testing.T) {
	t.Parallel()
	for prompt, moved := range map[string]func(t *testing.T, from, to []byte){
		"Slowly zoom in on the whale": func(t *testing.T, from, to []byte) {
			t.Helper()
			require.Greater(t, corner(to)[0], corner(from)[0])
			require.Greater(t, corner(to)[1], corner(from)[1])
			require.Less(t, last(to)[0], last(from)[0])
		},
		"the camera pulls back": func(t *testing.T, from, to []byte) {
			t.Helper()
			require.Less(t, corner(to)[0], corner(from)[0])
		},
		"pan right": func(t *testing.T, from, to []byte) {
			t.Helper()
			require.Greater(t, corner(to)[0], corner(from)[0])
			require.Equal(t, corner(to)[1], corner(from)[1])
		},
		"カメラを左へ": func(t *testing.T, from, to []byte) {
			t.Helper()
			require.Less(t, corner(to)[0], corner(from)[0])
		},
		"镜头向下": func(t *testing.T, from, to []byte) {
			t.Helper()
			require.Greater(t, corner(to)[1], corner(from)[1])
			require.Equal(t, corner(to)[0], corner(from)[0])
		},
	} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			frames := render(t, motion.Plan(prompt, 7), 5)
			moved(t, frames[0], frames[4])
		})
	}
}

func TestAFlatViewShowsThePicture(t *testing.T) {
	t.Parallel()
	still := motion.Shot{From: motion.View{X: 0.5, Y: 0.5, Zoom: 1}, To: motion.View{X: 0.5, Y: 0.5, Zoom: 1}}
	frame := render(t, still, 1)[0]
	for y := range side {
		for x := range side {
			require.InDelta(t, 4*x+2, int(frame[3*(y*side+x)]), 3)
			require.InDelta(t, 4*y+2, int(frame[3*(y*side+x)+1]), 3)
		}
	}
}

func TestParallaxMovesTheMiddleAndLeavesTheEdges(t *testing.T) {
	t.Parallel()
	flat := motion.Shot{From: motion.View{X: 0.5, Y: 0.5, Zoom: 1.1}, To: motion.View{X: 0.5, Y: 0.5, Zoom: 1.1}}
	bent := flat
	bent.Parallax = 0.05
	a, b := render(t, flat, 2)[1], render(t, bent, 2)[1]
	require.Equal(t, corner(a), corner(b))
	between := 3 * ((side/2)*side + side/4) // halfway to the left edge
	require.Greater(t, b[between], a[between], "the middle is larger")
}

func TestASeedChoosesWhereThePromptDoesNot(t *testing.T) {
	t.Parallel()
	first, again := motion.Plan("a whale", 3), motion.Plan("a whale", 3)
	require.Equal(t, first, again)
	frames, repeated := render(t, first, 3), render(t, again, 3)
	require.Equal(t, frames, repeated)
	shots := map[motion.Shot]bool{}
	for seed := range int64(50) {
		s := motion.Plan("", seed)
		shots[s] = true
		for _, v := range []motion.View{s.From, s.To} {
			require.GreaterOrEqual(t, v.Zoom, 1.0)
			require.GreaterOrEqual(t, v.X-0.5/v.Zoom, -1e-9, "the window is inside of the picture")
			require.LessOrEqual(t, v.X+0.5/v.Zoom, 1+1e-9)
			require.GreaterOrEqual(t, v.Y-0.5/v.Zoom, -1e-9)
			require.LessOrEqual(t, v.Y+0.5/v.Zoom, 1+1e-9)
		}
	}
	require.Greater(t, len(shots), 6)
}

func TestTheContextEndsARendering(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := motion.Render(ctx, quarters(), side, side, 1000, motion.Plan("", 0), func([]byte) error {
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
}

func BenchmarkFrame(b *testing.B) {
	for _, prompt := range []string{"zoom in", "zoom in parallax"} {
		b.Run(prompt, func(b *testing.B) {
			err := motion.Render(b.Context(), quarters(), 832, 480, b.N, motion.Plan(prompt, 0), func([]byte) error { return nil })
			require.NoError(b, err)
		})
	}
}
