//go:build !linux

package ranks

import "time"

// threadTime is not known here.
func threadTime() time.Duration { return 0 }

// giveWay does nothing here: threads have no priorities of their own.
func giveWay() {}
