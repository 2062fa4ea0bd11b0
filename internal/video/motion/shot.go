// Package motion makes a video of a still picture by moving a camera over it: it pans, tilts, zooms, and lets the middle of the picture
// come nearer than its edges (parallax). Nothing in the picture itself moves, and no model is asked.
//
// [Plan] chooses the moves by the words of a prompt, in English, Chinese or Japanese, and one by a seed where the prompt names none. [Render]
// draws the frames. Equal pictures, shots and sizes give equal frames on machines of one architecture.
package motion

import (
	"math"
	"math/rand/v2"
	"strings"
)

// View is what the camera sees: a window of the picture with the picture's aspect ratio.
type View struct {
	// X and Y are the middle of the window, from 0 at the left and top to 1.
	X, Y float64
	// Zoom is the width of the picture over that of the window, from 1 on.
	Zoom float64
	// Parallax is how much nearer the middle of the picture is than its edges, relative to the width of the window; 0 is a flat picture.
	Parallax float64
}

// Shot is a move of the camera, which starts and stops gently.
type Shot struct{ From, To View }

// FrameRate is the number of frames a second.
const FrameRate = 24

// How far the camera goes, for a prompt without a word about it.
const (
	// panZoom leaves a fifth of the picture outside of the window, along which the camera pans.
	panZoom = 1.25
	zoomBy  = 1.35
	// nearer is as far as a picture bends before its straight lines look crooked.
	nearer = 0.03
)

// mostShots bounds the moves of a video: with more, none could be followed.
const mostShots = 4

// inTurn puts each move that a prompt names after another one on a line of its own.
var inTurn = strings.NewReplacer(" then ", "\n", ",then ", "\n", "然后", "\n", "接着", "\n", "随后", "\n", "次に", "\n", "それから", "\n", "その後", "\n")

// words are the parts of a prompt that name a move, in lower case.
var words = struct{ in, out, left, right, up, down, depth, slow, fast []string }{
	in:    []string{"zoom in", "zooms in", "push in", "pushes in", "dolly in", "move closer", "close-up", "推近", "推进", "放大", "ズームイン", "寄る", "近づ"},
	out:   []string{"zoom out", "zooms out", "pull back", "pulls back", "pull out", "dolly out", "拉远", "缩小", "ズームアウト", "引いて", "遠ざか"},
	left:  []string{"pan left", "pans left", "move left", "moves left", "to the left", "向左", "左移", "左へ", "左に"},
	right: []string{"pan right", "pans right", "move right", "moves right", "to the right", "向右", "右移", "右へ", "右に"},
	up:    []string{"tilt up", "tilts up", "pan up", "move up", "moves up", "upward", "向上", "上移", "上へ", "上に"},
	down:  []string{"tilt down", "tilts down", "pan down", "move down", "moves down", "downward", "向下", "下移", "下へ", "下に"},
	depth: []string{"parallax", "3d", "depth", "视差", "視差", "立体"},
	slow:  []string{"slow", "gentl", "subtle", "calm", "缓慢", "慢慢", "ゆっくり", "静か"},
	fast:  []string{"fast", "quick", "dramatic", "rapid", "快速", "迅速", "速く", "激し"},
}

// Plan returns the shots that a prompt asks for: one, or several that follow each other ("zoom in, then pan right"). Where it names no move,
// the seed chooses one.
func Plan(prompt string, seed int64) (shots []Shot) {
	text := strings.ToLower(prompt)
	for part := range strings.Lines(inTurn.Replace(text)) {
		switch m := moveOf(part); {
		case !m.named() || len(shots) == mostShots:
		case len(shots) == 0:
			shots = append(shots, m.shot())
		default:
			if s := m.after(shots[len(shots)-1].To); s.To != s.From {
				shots = append(shots, s)
			}
		}
	}
	if len(shots) == 0 {
		m := moveOf(text)
		m.choose(rand.New(rand.NewPCG(uint64(seed), 0))) //nolint:gosec // G404: the same seed must give the same shot
		shots = append(shots, m.shot())
	}
	return shots
}

// moveOf returns the move that a part of a prompt names, in lower case.
func moveOf(text string) move {
	has := func(list []string) bool {
		for _, word := range list {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	m := move{
		in: has(words.in), out: has(words.out), left: has(words.left), right: has(words.right), up: has(words.up), down: has(words.down),
		depth: has(words.depth), amount: 1,
	}
	switch {
	case has(words.slow):
		m.amount = 0.6
	case has(words.fast):
		m.amount = 1.6
	}
	return m
}

// move is what a prompt says.
type move struct {
	in, out, left, right, up, down, depth bool
	amount                                float64
}

func (m *move) named() bool { return m.in || m.out || m.left || m.right || m.up || m.down || m.depth }

// choose picks one of the moves that suit any picture.
func (m *move) choose(r *rand.Rand) {
	*[]*bool{&m.in, &m.out, &m.left, &m.right, &m.up, &m.down}[r.IntN(6)] = true
	m.depth = r.IntN(2) == 0
}

func (m *move) shot() Shot {
	s := Shot{From: View{X: 0.5, Y: 0.5, Zoom: 1}, To: View{X: 0.5, Y: 0.5, Zoom: 1}}
	if m.left || m.right || m.up || m.down {
		s.From.Zoom = 1 + (panZoom-1)*m.amount
		s.To.Zoom = s.From.Zoom
	}
	switch {
	case m.in && !m.out:
		s.To.Zoom = s.From.Zoom + (zoomBy-1)*m.amount
	case m.out && !m.in:
		s.From.Zoom = s.To.Zoom + (zoomBy-1)*m.amount
	}
	s.From.X, s.To.X = ends(m.right, m.left, s.From.Zoom, s.To.Zoom)
	s.From.Y, s.To.Y = ends(m.down, m.up, s.From.Zoom, s.To.Zoom)
	if m.depth {
		s.To.Parallax = nearer * m.amount
		// The window stays inside of the picture that bends.
		s.From.Zoom, s.To.Zoom = max(s.From.Zoom, 1+2*s.To.Parallax), max(s.To.Zoom, 1+2*s.To.Parallax)
	}
	return s
}

// after returns the shot of a move that begins where another one has ended.
func (m *move) after(from View) Shot {
	to := from
	if m.depth {
		to.Parallax = nearer * m.amount
	}
	switch {
	case m.in && !m.out:
		to.Zoom += (zoomBy - 1) * m.amount
	case m.out && !m.in:
		to.Zoom -= (zoomBy - 1) * m.amount
	}
	to.Zoom = max(to.Zoom, 1+2*to.Parallax)
	if m.left || m.right || m.up || m.down { // it needs room
		to.Zoom = max(to.Zoom, 1+(panZoom-1)*m.amount)
	}
	to.X, to.Y = towards(m.right, m.left, from.X, to.Zoom), towards(m.down, m.up, from.Y, to.Zoom)
	return Shot{From: from, To: to}
}

// towards returns where the middle of a window goes along one axis, without leaving the picture.
func towards(forward, backward bool, from, zoom float64) float64 {
	low, high := 0.5/zoom, 1-0.5/zoom
	switch {
	case forward && !backward:
		return high
	case backward && !forward:
		return low
	default:
		return min(max(from, low), high)
	}
}

// ends returns where the middle of the window is at the beginning and at the end, along one axis.
func ends(forward, backward bool, from, to float64) (first, last float64) {
	low, high := func(zoom float64) float64 { return 0.5 / zoom }, func(zoom float64) float64 { return 1 - 0.5/zoom }
	switch {
	case forward && !backward:
		return low(from), high(to)
	case backward && !forward:
		return high(from), low(to)
	default:
		return 0.5, 0.5
	}
}

// at returns the view at a time from 0 to 1. The camera accelerates and brakes without a jerk (smootherstep). It zooms by equal factors in
// equal times, which looks even.
func (s Shot) at(t float64) View {
	e := ease(t)
	zoom := s.From.Zoom * math.Pow(s.To.Zoom/s.From.Zoom, e)
	// What the window shows moves evenly, rather than its middle, so that a zoom has a fixed point.
	share := e
	if s.To.Zoom != s.From.Zoom {
		share = (1/zoom - 1/s.From.Zoom) / (1/s.To.Zoom - 1/s.From.Zoom)
	}
	return View{
		X: s.From.X + (s.To.X-s.From.X)*share, Y: s.From.Y + (s.To.Y-s.From.Y)*share, Zoom: zoom,
		Parallax: s.From.Parallax + (s.To.Parallax-s.From.Parallax)*e,
	}
}

// viewAt returns the view at a time from 0 to 1 of shots that follow each other and take equal times.
func viewAt(shots []Shot, t float64) View {
	t *= float64(len(shots))
	i := min(int(t), len(shots)-1)
	return shots[i].at(t - float64(i))
}

// middleZoom is between the smallest zoom of shots and the largest.
func middleZoom(shots []Shot) float64 {
	least, most := shots[0].From.Zoom, shots[0].From.Zoom
	for _, s := range shots {
		least, most = min(least, s.To.Zoom), max(most, s.To.Zoom)
	}
	return math.Sqrt(least * most)
}

// ease is Perlin's smootherstep, whose first and second derivatives are 0 at both ends.
func ease(t float64) float64 { return t * t * t * (t*(t*6-15) + 10) }
