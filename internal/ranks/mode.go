package ranks

import (
	"math/bits"
	"time"

	"plait/internal/core"
)

// Mode says who decodes the inputs of a request, and whether other requests wait for it: see the package.
type Mode string

// The modes.
const (
	Sync      Mode = "sync"
	Async     Mode = "async"
	Lazy      Mode = "lazy"
	AsyncLazy Mode = "async-lazy"
	Auto      Mode = "auto"
)

// Modes are all modes.
var Modes = []Mode{Sync, Async, Lazy, AsyncLazy, Auto}

// ParseMode fails with CodeInvalidInput for a name that is not one of a mode.
func ParseMode(name string) (Mode, error) {
	return core.OneOf("mode", Mode(name), Modes...)
}

// exclusive tells whether other requests wait.
func (m Mode) exclusive() bool { return m == Sync || m == Lazy }

// lazy tells whether each rank decodes.
func (m Mode) lazy() bool { return m == Lazy || m == AsyncLazy }

const (
	// tried is how often both modes are measured before what was measured counts.
	tried = 4
	// triedAgain is after how many requests the mode that was slower is measured again.
	triedAgain = 64
	// weight is that of a new time in the mean.
	weight = 0.2
)

// circumstances are what the time of an input depends on.
type circumstances struct {
	decoder string
	size    int // the binary logarithm of the number of bytes
	busy    int // that of the number of requests that wait
}

// measured is the mean time of a byte in a mode.
type measured struct {
	perByte float64
	times   int
}

// learned are the times of the modes, by circumstances: those of Async, then those of AsyncLazy.
type learned map[circumstances]*[2]measured

func circumstancesOf(decoder string, size int64, waiting int) circumstances {
	return circumstances{decoder: decoder, size: bits.Len64(uint64(size)), busy: bits.Len(uint(waiting))}
}

// choose returns the mode of an input. Before there are times, the leader decodes what is smaller than threshold bytes, and each rank what
// is not. An input that is not decoded goes out by Async.
func (l learned) choose(c circumstances, size, threshold int64) Mode {
	if c.decoder == "" {
		return Async
	}
	times := l[c]
	switch {
	case times == nil || times[0].times+times[1].times < 2*tried:
		return byTurns(times, size, threshold)
	case (times[0].times+times[1].times)%triedAgain == 0:
		if times[0].perByte <= times[1].perByte {
			return AsyncLazy
		}
		return Async
	case times[0].perByte <= times[1].perByte:
		return Async
	default:
		return AsyncLazy
	}
}

// byTurns begins with the mode for the size, and then takes the one that was measured less often.
func byTurns(times *[2]measured, size, threshold int64) Mode {
	first, second := Async, AsyncLazy
	if size >= threshold {
		first, second = second, first
	}
	if times == nil {
		return first
	}
	now := times[0].times
	if first == AsyncLazy {
		now = times[1].times
	}
	if now < tried {
		return first
	}
	return second
}

// add adds the time from the start of an input until it was ready on all ranks.
func (l learned) add(c circumstances, lazy bool, size int64, took time.Duration) {
	if c.decoder == "" || size == 0 {
		return
	}
	if l[c] == nil {
		l[c] = &[2]measured{}
	}
	m := &l[c][0]
	if lazy {
		m = &l[c][1]
	}
	perByte := took.Seconds() / float64(size)
	if m.times == 0 {
		m.perByte = perByte
	}
	m.perByte += weight * (perByte - m.perByte)
	m.times++
}
