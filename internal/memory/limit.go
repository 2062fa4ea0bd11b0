// Package memory bounds what a process holds of decoded pages: on their way through a device, and kept for a later step.
package memory

import (
	"fmt"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Limit is the memory that this process may use, in bytes: the limit of its control group (v1 or v2), or the machine's memory where
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
	// pagesShare is how many times as much memory there is as pages get by default. The rest is for models, for what else runs in the
	// same container, which is Postgres, Temporal and the API under `plait up`, and for a page that takes more than all of the budget.
	pagesShare = 4
	// besidePages is what the Go heap holds beside pages: requests, texts, fonts, tables of models.
	besidePages = 256 << 20
)

// ForPages is the budget of the pages of this process, a quarter of [Limit] where bytes is 0. It also has garbage collected before the
// Go heap outgrows it: the pixels of a page are garbage in one piece, and by default as much garbage as there is memory in use stays. A
// limit that the environment sets (GOMEMLIMIT) is kept.
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
