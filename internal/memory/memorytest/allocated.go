// Package memorytest measures for tests what code takes in memory.
package memorytest

import "runtime"

// Allocated returns how many bytes are allocated in the whole process while work runs, so a test that uses it is not parallel. What is
// allocated in all bounds what is held at a time.
func Allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
