package picture

import "math"

// rowFilter filters the rows of a PNG, each by the filter that leaves the smallest sum of absolute differences (W3C PNG, 12.7).
type rowFilter struct {
	// size is the number of bytes of a pixel.
	size int
	// line is what the present filter makes of a row, behind the byte that names it, and best what the best one so far made.
	line, best []byte
}

func newRowFilter(length, size int) *rowFilter {
	return &rowFilter{size: size, line: make([]byte, 1+length), best: make([]byte, 1+length)}
}

// The filters, by their numbers in a file.
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

// row is a row behind the byte that names its filter, until the next call. Above is the row before it, or zeros.
func (f *rowFilter) row(row, above []byte) []byte {
	least := math.MaxInt
	for _, filter := range [...]byte{filterUp, filterPaeth, filterSub, filterAverage, filterNone} {
		f.line[0] = filter
		if sum := f.apply(filter, f.line[1:], row, above, least); sum < least {
			least = sum
			f.line, f.best = f.best, f.line
		}
	}
	return f.best
}

// apply filters a row into out, and returns the sum of its absolute differences. It ends as soon as that is not smaller than least.
func (f *rowFilter) apply(filter byte, out, row, above []byte, least int) (sum int) {
	n := f.size
	above, out = above[:len(row)], out[:len(row)]
	switch filter {
	case filterNone:
		for i := 0; i < len(row) && sum < least; i++ {
			sum += put(out, i, row[i])
		}
	case filterUp:
		for i := 0; i < len(row) && sum < least; i++ {
			sum += put(out, i, row[i]-above[i])
		}
	case filterSub:
		for i := range n {
			sum += put(out, i, row[i])
		}
		for i := n; i < len(row) && sum < least; i++ {
			sum += put(out, i, row[i]-row[i-n])
		}
	case filterAverage:
		for i := range n {
			sum += put(out, i, row[i]-above[i]/2)
		}
		for i := n; i < len(row) && sum < least; i++ {
			sum += put(out, i, row[i]-byte((int(row[i-n])+int(above[i]))/2))
		}
	case filterPaeth:
		for i := range n {
			sum += put(out, i, row[i]-above[i])
		}
		for i := n; i < len(row) && sum < least; i++ {
			sum += put(out, i, row[i]-paeth(row[i-n], above[i], above[i-n]))
		}
	}
	return sum
}

// put sets a byte, and returns how far it is from 0.
func put(out []byte, i int, difference byte) int {
	out[i] = difference
	d := int(int8(difference))
	return max(d, -d)
}
