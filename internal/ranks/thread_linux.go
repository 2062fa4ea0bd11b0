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

// lower is by how much the nice value of a thread that decodes is above that of its process: such a thread has a tenth of the weight of the
// others (sched_prio_to_weight in the kernel), and one that wakes takes the core from it.
const lower = 10

// giveWay lowers the priority of this thread, which has it until it ends: only privileged processes may raise one.
func giveWay() {
	tid := unix.Gettid()
	if raw, err := unix.Getpriority(unix.PRIO_PROCESS, tid); err == nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, tid, 20-raw+lower) // a process may always lower its own
	}
}
