package workflows

// The shared task queues. Who polls them, with how many slots, is written in plait/workers.
const (
	// QueueControl carries workflow tasks and the steps that only write records.
	QueueControl = "plait-control"
	// QueueGPU carries detect and page to whichever host is free.
	QueueGPU = "plait-gpu"
	// QueueTranslate carries translate, away from any device.
	QueueTranslate = "plait-translate"
)

// HostQueue is the task queue of one GPU worker process. The instance is part of the name because a queue named after
// the host alone would be drained, after a restart, by a process with an empty memory.
func HostQueue(host, instance string) string { return "gpu-host:" + host + ":" + instance }
