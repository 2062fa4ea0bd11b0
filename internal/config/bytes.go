package config

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

// Bytes is an amount of memory or data in bytes. Its text may have a binary unit, a decimal unit or none: 64MiB, 1GB, 512.
type Bytes int64

// UnmarshalText parses an amount.
func (b *Bytes) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n > math.MaxInt64 {
		return fmt.Errorf("%q is not an amount of bytes, such as 64MiB", text)
	}
	*b = Bytes(n)
	return nil
}

// String returns the amount with a binary unit if that is exact, and else in bytes.
func (b Bytes) String() string {
	text := humanize.IBytes(uint64(max(b, 0)))
	if back, err := humanize.ParseBytes(text); err != nil || back != uint64(b) {
		return strconv.FormatInt(int64(b), 10)
	}
	return text
}
