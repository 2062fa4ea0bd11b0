// Package workers holds the whole topology: which task queue exists, who polls it, and with how many slots.
//
// # Roles
//
// A process takes one role or several. Role control runs workflows and the steps that only write records. Role gpu
// owns a device: it polls the shared GPU queue, and a queue of its own that is named after the host and this very
// process. Role translate asks models, away from any device.
//
// # Slots
//
// The slots of a queue bound what one process takes of it; they are not what protects the device or the model. The
// device is a semaphore of the process that owns it, and the model one of the records (plait/activities). A page of mode
// unified that waits for a model leaves its slot of the shared GPU queue to another step, up to a bound: the device does
// not idle behind pages that do not need it.
//
// # Stopping
//
// A stop ends polling at once and waits for running steps, but not for longer than the stop time-out; what is then
// still running is given to another process by its heartbeat time-out. A worker that dies ends the whole process's
// work.
package workers
