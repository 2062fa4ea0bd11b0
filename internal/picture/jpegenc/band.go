package jpegenc

import (
	"context"
	"math/bits"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// bandRows is the number of rows of MCUs (T.81, A.2.4) in a band. It is small, so that even a small page keeps all cores busy to its end.
const bandRows = 4

// band holds some rows of MCUs as symbols.
type band struct {
	tokens []token
	seen   [2]symbols
	// dc is of each component the DC coefficient of the block before.
	dc [3]int32
}

// transform converts the picture to symbols, several bands at once.
func (e *encoder) transform(ctx context.Context) ([]band, error) {
	height := bandRows * e.mcu.Y
	bands := make([]band, (e.img.Rect.Dy()+height-1)/height)
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range bands {
		group.Go(func() error { return e.band(groupContext, &bands[i], i*height) })
	}
	return bands, group.Wait()
}

// band transforms the rows of pixels from top on. It transforms the MCU before them again for its DC coefficients, so that no band waits
// for another.
func (e *encoder) band(ctx context.Context, b *band, top int) error {
	rows := newStrip(e.img, e.params)
	if top > 0 {
		var before band
		rows.fill(top-e.mcu.Y, e.mcus-1)
		e.unit(&before, rows, e.mcus-1)
		b.dc = before.dc
	}
	for y := top; y < min(top+bandRows*e.mcu.Y, e.img.Rect.Dy()); y += e.mcu.Y {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows.fill(y, 0)
		for mcu := range e.mcus {
			e.unit(b, rows, mcu)
		}
	}
	return nil
}

// unit takes the blocks of an MCU.
func (e *encoder) unit(b *band, rows *strip, mcu int) {
	var quantized block
	for i := range e.components {
		c, p := &e.components[i], &rows.planes[i]
		for v := range c.v {
			for h := range c.h {
				quantized.quantize(p.pix[8*v*p.stride+8*(mcu*c.h+h):], p.stride, c.steps)
				b.add(&quantized, i, c.coding)
			}
		}
	}
}

// add adds a block of component i.
func (b *band) add(quantized *block, i, coding int) {
	seen := &b.seen[coding]
	dc := quantized.coefficients[0]
	class, extra := classOf(dc - b.dc[i])
	b.dc[i] = dc
	seen.dc[class]++
	b.tokens = append(b.tokens, newToken(coding, false, class, extra))
	last := 0
	for rest := quantized.notZero &^ 1; rest != 0; rest &= rest - 1 {
		at := bits.TrailingZeros64(rest)
		run := at - last - 1
		for ; run > 15; run -= 16 {
			seen.ac[zeroRun]++
			b.tokens = append(b.tokens, newToken(coding, true, zeroRun, 0))
		}
		class, extra := classOf(quantized.coefficients[at])
		symbol := uint8(run)<<4 | class
		seen.ac[symbol]++
		b.tokens = append(b.tokens, newToken(coding, true, symbol, extra))
		last = at
	}
	if last < 63 {
		seen.ac[endOfBlock]++
		b.tokens = append(b.tokens, newToken(coding, true, endOfBlock, 0))
	}
}
