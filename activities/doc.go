// Package activities is what the steps of every kind share: the frame of a step, heartbeats, errors in the form that workflows
// expect, devices, slots and leases, and the start and end of a task. The steps of a kind are in a folder of its own. Each is a thin
// method: it takes references, reads what they name, calls an engine or a model, and writes the result. The order of steps and what
// follows a failure is decided in plait/workflows.
//
// # Devices and slots
//
// A semaphore of the process that owns a device limits how many steps use it at the same time. A step holds the device while the
// engine works, but not while a file is decoded or encoded, nor during calls to the blob store, the database or a model. The number
// of items in memory for decoding and encoding is bounded as well. Slots in the records limit the concurrent calls to a model across
// all processes. No step holds a device and a slot at the same time.
//
// # Every step may run twice
//
// A step begins by recording its run, and reads the item in the same transaction. If the item has ended, the step returns the
// recorded result. A host that was taken for dead writes nothing any more.
//
// # Stopping
//
// When its worker stops, a step that waits for a device or a slot returns its task at once. A working step goes on for at most the
// stop time-out of the worker.
package activities
