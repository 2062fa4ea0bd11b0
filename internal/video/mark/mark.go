// Package mark draws the sign that a video was made by a machine onto its frames: "AI生成" at the lower right, as the rules for the labeling
// of synthetic content ask for.
package mark

import (
	"fmt"
	"image"
	"os"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Text is the sign.
const Text = "AI生成"

const (
	// size is the height of a letter relative to the shorter side of a frame: the rules ask for five hundredths at least.
	size = 0.05
	// margin is the distance to both edges, relative to the height of a letter.
	margin = 0.5
	// strength is how much of a pixel the letters cover, and shadow how much each of the four shadows around them does, of 255: the sign can
	// be read on light pictures and on dark ones.
	strength, shadow = 235, 100
)

// Mark draws the sign. It is safe for concurrent use.
type Mark struct {
	font *opentype.Font

	mu    sync.Mutex
	masks map[int]*image.Alpha
}

// Open reads a font that has the characters of Text.
func Open(path string) (*Mark, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := opentype.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Mark{font: f, masks: map[int]*image.Alpha{}}, nil
}

// Draw draws the sign onto a frame of width x height pixels of R, G, B.
func (m *Mark) Draw(frame []byte, width, height int) error {
	letter := max(int(size*float64(min(width, height))+0.5), 8)
	mask, err := m.mask(letter)
	if err != nil {
		return err
	}
	edge := int(margin * float64(letter))
	left, top := width-edge-mask.Rect.Dx(), height-edge-mask.Rect.Dy()
	offset := max(letter/16, 1)
	for _, to := range []image.Point{{X: -offset, Y: -offset}, {X: offset, Y: -offset}, {X: -offset, Y: offset}, {X: offset, Y: offset}} {
		blend(frame, width, height, mask, left+to.X, top+to.Y, 0, shadow)
	}
	blend(frame, width, height, mask, left, top, 255, strength)
	return nil
}

// blend mixes a gray value into the pixels under a mask.
func blend(frame []byte, width, height int, mask *image.Alpha, left, top, gray, strength int) {
	for y := range mask.Rect.Dy() {
		for x := range mask.Rect.Dx() {
			to := image.Pt(left+x, top+y)
			if !to.In(image.Rect(0, 0, width, height)) {
				continue
			}
			cover := int(mask.Pix[y*mask.Stride+x]) * strength / 255
			pixel := frame[3*(to.Y*width+to.X):][:3]
			for c, value := range pixel {
				pixel[c] = byte((int(value)*(255-cover) + gray*cover + 127) / 255)
			}
		}
	}
}

// mask returns the sign in letters of a height, in pixels.
func (m *Mark) mask(letter int) (*image.Alpha, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if mask := m.masks[letter]; mask != nil {
		return mask, nil
	}
	face, err := opentype.NewFace(m.font, &opentype.FaceOptions{Size: float64(letter), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	defer func() { _ = face.Close() }()
	bounds, _ := font.BoundString(face, Text)
	mask := image.NewAlpha(image.Rect(0, 0, (bounds.Max.X-bounds.Min.X).Ceil()+1, (bounds.Max.Y-bounds.Min.Y).Ceil()+1))
	d := font.Drawer{Dst: mask, Src: image.Opaque, Face: face, Dot: fixed.Point26_6{X: -bounds.Min.X, Y: -bounds.Min.Y}}
	d.DrawString(Text)
	m.masks[letter] = mask
	return mask, nil
}
