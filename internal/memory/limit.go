// Package memory bounds the memory that a process uses for decoded pages: pages in progress, and pages kept for a later step.
package memory

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Limit returns the memory in bytes that this process may use: the limit of its control group (v1 or v2), or the machine's memory if
// that is less or there is no limit.
func Limit() (int64, error) {
	system, err := memlimit.FromSystem()
	if err != nil {
		return 0, fmt.Errorf("memory of the machine: %w", err)
	}
	if group, err := memlimit.FromCgroup(); err == nil && group > 0 {
		return int64(min(group, system)), nil
	}
	return int64(system), nil
}

const (
	// pagesShare divides Limit: by default, pages get a quarter of it. The rest is for models, for the other processes in the container
	// (Postgres, Temporal and the API under `plait up`), and for a page that needs more than the whole budget.
	pagesShare = 4
	// besidePages is how many bytes the Go heap needs besides pages: for requests, texts, fonts and tables of models.
	besidePages = 256 << 20
)

// ForPages returns the budget for the pages of this process: bytes, or a quarter of [Limit] if bytes is 0 or less. It also sets the
// memory limit of the Go runtime, unless the environment has set one (GOMEMLIMIT): by default, the collector lets garbage grow to the
// size of the memory in use, and the pixels of pages would double it.
func ForPages(bytes int64) (*Budget, error) {
	if bytes <= 0 {
		limit, err := Limit()
		if err != nil {
			return nil, err
		}
		bytes = limit / pagesShare
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(bytes + besidePages)
	}
	return NewBudget(bytes), nil
}

// earlyPercent is how much garbage, relative to the memory in use, CollectEarly allows. By default it is 100.
const earlyPercent = 25

// CollectEarly lets garbage grow to a quarter of the memory in use, unless the environment says otherwise (GOGC). It is for processes whose
// steps or requests each leave large buffers behind: pictures of pages, those that scale them, and bodies of requests.
func CollectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(earlyPercent)
	}
}
