// Package onnx runs ONNX models: it checks a model against its manifest entry, loads it on one device, and bounds what
// runs there at once.
//
//	rt, err := onnx.Open(onnx.Config{LibraryPath: path, Device: onnx.CPU, Threads: 1})
//	pool, err := rt.Load(onnx.Model{Name: …, Path: …, SHA256: …, Inputs: …, Outputs: …}, 2)
//	err = pool.Run(ctx, inputs, outputs)
//
// # One session, bounded runs
//
// ONNX Runtime allows any number of runs on one session at the same time; they share the weights and the memory arena.
// A [Pool] is therefore one session with a fixed number of places, not a set of sessions: a second session would only
// hold a second copy of the weights. With Threads n, each run computes on its caller's thread and n-1 threads that all
// runs of the pool share, so that a pool never uses more than places + n - 1 cores. On a CPU, two pages on one thread
// each finish before one after the other on two threads.
//
// # The environment
//
// The library keeps one environment in the process, so this package has one variable for it, behind a lock. It opens
// with the first [Open] and closes when every [Runtime] and [Pool] is closed. All runtimes of a process use the same
// library file.
//
// # Devices
//
// A runtime uses the device that it was asked for, or fails: nothing falls back to the CPU unseen. [Pool.Provider] is
// the execution provider that the session was made with.
package onnx
