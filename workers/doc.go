// Package workers is the topology: which task queues exist, who polls them, and with how many slots.
//
// # Roles
//
// A process has one or more roles. Role control runs workflows and the steps that only write records. Role gpu owns a device: it
// polls the shared GPU queue and the host queue of this process. Role translate calls models and needs no device.
//
// # Slots
//
// The slots of a queue bound how many of its steps one process takes. They do not protect the device or the model: the device has a
// semaphore in the process that owns it, and the model has slots in the records (plait/activities). A page of mode unified that
// waits for a model frees its slot of the shared GPU queue for another step, up to a bound, so that the device is not idle. Where processes
// share the slots of servers, a process acquires one before it takes a step, so that all steps wait in one queue by their priority.
//
// # Stopping
//
// A stop ends polling at once and waits for running steps for at most the stop time-out. Temporal gives steps that still run then to
// another process after their heartbeat time-out. When one worker of a process dies, the process stops all of them.
package workers
