package ranks

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the time for which this thread has had a processor.
func threadTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // the clock exists, so this cannot fail
	return time.Duration(t.Nano())
}
