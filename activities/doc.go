// Package activities is what the steps of every kind share: the frame of a step, its heartbeats, its errors as the workflows
// know them, devices, slots and leases, and the begin and end of a task. The steps of a kind are in a folder of its own, each a
// thin method: it takes references, reads what they name, calls an engine or a model, and writes what came out. What happens in
// which order, and what if a step fails, is decided in plait/workflows.
//
// # Devices and slots
//
// What a device may do at once is a semaphore of the process that owns it. A step holds it while the engine works, and never
// while a file is decoded or encoded, nor while a blob, the database or a model answers. How many items are in memory to be
// decoded and encoded is bounded as well. What a model may be asked at once is a slot of the records, strict over all processes.
// No step holds both.
//
// # Every step may run twice
//
// A step begins by telling the records which run of which item it is, and is given the item as it stands. An item that
// has ended is left alone: its recorded result is the answer. Of a host that was thought dead, nothing is written any more.
//
// # Stopping
//
// When its worker stops, a step that waits for a device or a slot gives its task back at once, and a step that works
// goes on for as long as the worker's stop time-out allows.
package activities
