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

func render(t *testing.T, frames int, shots ...motion.Shot) (all [][]byte) {
	t.Helper()
	require.NoError(t, motion.Render(t.Context(), quarters(), side, side, frames, shots, func(frame []byte) error {
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
			frames := render(t, 5, motion.Plan(prompt, 7)...)
			moved(t, frames[0], frames[4])
		})
	}
}

func TestAFlatViewShowsThePicture(t *testing.T) {
	t.Parallel()
	still := motion.Shot{From: motion.View{X: 0.5, Y: 0.5, Zoom: 1}, To: motion.View{X: 0.5, Y: 0.5, Zoom: 1}}
	frame := render(t, 1, still)[0]
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
	bent.To.Parallax = 0.05
	a, b := render(t, 2, flat)[1], render(t, 2, bent)[1]
	require.Equal(t, corner(a), corner(b))
	between := 3 * ((side/2)*side + side/4) // halfway to the left edge
	require.Greater(t, b[between], a[between], "the middle is larger")
}

func TestASeedChoosesWhereThePromptDoesNot(t *testing.T) {
	t.Parallel()
	first, again := motion.Plan("a whale", 3), motion.Plan("a whale", 3)
	require.Equal(t, first, again)
	frames, repeated := render(t, 3, first...), render(t, 3, again...)
	require.Equal(t, frames, repeated)
	shots := map[motion.Shot]bool{}
	for seed := range int64(50) {
		s := motion.Plan("", seed)[0]
		shots[s] = true
		inside(t, s.From, s.To)
	}
	require.Greater(t, len(shots), 6)
}

// inside checks that windows are inside of the picture.
func inside(t *testing.T, views ...motion.View) {
	t.Helper()
	for _, v := range views {
		require.GreaterOrEqual(t, v.Zoom, 1.0)
		require.GreaterOrEqual(t, v.X-0.5/v.Zoom, -1e-9)
		require.LessOrEqual(t, v.X+0.5/v.Zoom, 1+1e-9)
		require.GreaterOrEqual(t, v.Y-0.5/v.Zoom, -1e-9)
		require.LessOrEqual(t, v.Y+0.5/v.Zoom, 1+1e-9)
	}
}

// Moves that a prompt names one after the other follow each other without a cut.
func TestMovesFollowEachOther(t *testing.T) {
	t.Parallel()
	for prompt, n := range map[string]int{
		"slow zoom in, then pan right":                                     2,
		"Zoom out and then tilt up":                                        2,
		"pan left, then a fox appears, then zoom out":                      2,
		"镜头推近，然后向右":                                                        2,
		"ゆっくりズームイン、次に左へ、それから下へ":                                            3,
		"parallax, then pan left, then quick zoom out":                     3,
		"zoom in, strengthen the light":                                    1,
		"pan left, then pan left, then pan right":                          2,
		"pan left then tilt up then pan right then tilt down then zoom in": 4,
	} {
		shots := motion.Plan(prompt, 7)
		require.Len(t, shots, n, prompt)
		for i, s := range shots {
			inside(t, s.From, s.To)
			require.NotEqual(t, s.From, s.To, prompt)
			if i > 0 {
				require.Equal(t, shots[i-1].To, s.From, prompt)
			}
		}
	}
	frames := render(t, 5, motion.Plan("zoom in, then pan right", 7)...)
	require.Greater(t, corner(frames[2])[1], corner(frames[0])[1], "it has zoomed in")
	require.Greater(t, corner(frames[4])[0], corner(frames[2])[0], "it has panned")
	require.Equal(t, corner(frames[4])[1], corner(frames[2])[1])
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
