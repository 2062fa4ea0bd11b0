package workflows

// The shared task queues. Who polls them, with how many slots, is written in plait/workers.
const (
	// QueueControl carries workflow tasks and the steps that only write records.
	QueueControl = "plait-control"
	// QueueGPU carries page, and edits whose context is lost, to whichever host is free: steps that leave no context that
	// anybody waits for.
	QueueGPU = "plait-gpu"
	// QueueDetect carries detect to whichever host has room for one more context.
	QueueDetect = "plait-detect"
	// QueueDetectNow carries the detects of pages whose turn has come and that failed on QueueDetect. Hosts keep room for
	// them: the other pages of their chapters, which wait for these, may hold all the rest.
	QueueDetectNow = "plait-detect-now"
	// QueueTranslate carries translate, away from any device.
	QueueTranslate = "plait-translate"
	// QueueTranslateAhead carries those that are asked for before their turn: waiting for it, they take no place of others.
	QueueTranslateAhead = "plait-translate-ahead"
)

// HostQueue is the task queue of one GPU worker process. The instance is part of the name because a queue named after
// the host alone would be drained, after a restart, by a process with an empty memory.
func HostQueue(host, instance string) string { return "gpu-host:" + host + ":" + instance }
