package window

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"plait/internal/onnx"
)

const (
	// measuredPixels bounds the size of frames on which the cut is chosen. It depends on how the times of parts compare, which is about
	// the same for larger frames.
	measuredPixels = 256 * 144
	// measuredWindows is the number of windows that a profile is measured on.
	measuredWindows = 5
	// ignoredWindows of them, the first, do not count: devices choose their algorithms, and caches are still empty.
	ignoredWindows = 2
)

// Measure runs some windows of noise on the first device of c, and returns the least time of each part, which is the one that other work
// of the machine disturbed least. Parts are loaded one after the other, so that their memory does not add up. Hidden goes from device to
// device through the memory of the host, which is a part of the time of the blocks.
//
// Errors: those of [Open] and of [Model.Run].
func Measure(ctx context.Context, m Manifest, c Config) (Profile, error) {
	c.Devices = c.Devices[:1]
	model, rt, err := empty(m, c)
	if err != nil {
		return Profile{}, err
	}
	defer model.Close()
	windows, err := model.noise(ctx, measuredWindows)
	if err != nil {
		return Profile{}, err
	}
	times := map[Stage][]time.Duration{}
	for s, parts := range m.parts(len(m.Blocks), false) {
		for _, f := range parts {
			took, err := model.measure(ctx, rt[s], Stage(s), f, windows)
			if err != nil {
				return Profile{}, err
			}
			times[Stage(s)] = append(times[Stage(s)], took)
		}
	}
	return Profile{
		Prepare: sum(times[Prepare]...), Blocks: times[FirstBlocks], Decode: sum(times[Decode]...), Color: sum(times[Color]...),
	}, nil
}

// noise returns windows of noise.
func (m *Model) noise(ctx context.Context, n int) ([]*Window, error) {
	g := m.manifest.Geometry
	feed := feeder{size: m.config.Size, geometry: g, read: noise(m.config.Size, g.Begin(n))}
	var windows []*Window
	for w := (*Window)(nil); ; windows = append(windows, w) {
		var err error
		if w, err = feed.next(ctx, w, func() *Window { return firstWindow(0, [stageCount]memory{}) }); w == nil || err != nil {
			return windows, err
		}
	}
}

// measure runs one part on windows, and returns its least time.
func (m *Model) measure(ctx context.Context, rt *onnx.Runtime, s Stage, f files, windows []*Window) (time.Duration, error) {
	u, err := f.open(rt, m.padded)
	if err != nil {
		return 0, err
	}
	defer u.pool.Close()
	m.units[s] = []*unit{u}
	defer func() { m.units[s] = nil }()
	var times []time.Duration
	state := u.start(m.padded)
	for _, w := range windows {
		begin := time.Now()
		if state, err = m.run(ctx, s, w, state); err != nil {
			return 0, err
		}
		times = append(times, time.Since(begin))
	}
	return slices.Min(times[min(ignoredWindows, len(times)-1):]), nil
}

// Try runs this many windows of noise.
//
// Errors: those of [Model.Run].
func (m *Model) Try(ctx context.Context, windows int) (*Timeline, error) {
	return m.Run(ctx, Job{
		Read:  noise(m.config.Size, m.manifest.Geometry.Begin(windows)),
		Write: func(context.Context, onnx.Tensor) error { return nil },
	})
}

// within returns a smaller size of about the same shape, with at most this many pixels.
func (s Size) within(pixels int) Size {
	if all := s.Width * s.Height; all > pixels {
		scale := math.Sqrt(float64(pixels) / float64(all))
		return Size{Width: max(1, int(float64(s.Width)*scale)), Height: max(1, int(float64(s.Height)*scale))}
	}
	return s
}

// noise returns a reader of this many frames.
func noise(size Size, frames int) Reader {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // values of pixels, not secrets
	return func(_ context.Context, n int) (onnx.Tensor, error) {
		if n = min(n, frames); n == 0 {
			return onnx.Tensor{}, io.EOF
		}
		frames -= n
		t := size.frames(n, make([]float32, n*size.elements()))
		for i := range t.Data {
			t.Data[i] = random.Float32()
		}
		return t, nil
	}
}
