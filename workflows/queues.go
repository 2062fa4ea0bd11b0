package workflows

import "strings"

// QueueControl is the task queue of workflow tasks and of the steps that only write records. Every other shared queue belongs
// to a kind. Package plait/workers decides who polls a queue, with how many slots.
const QueueControl = "plait-control"

const hostQueuePrefix = "plait-host:"

// HostQueue is the task queue of one worker process that keeps leases. The instance is part of the name because a queue named
// after the host alone would be drained, after a restart, by a process with an empty memory.
func HostQueue(host, instance string) string { return hostQueuePrefix + host + ":" + instance }

func isHostQueue(name string) bool { return strings.HasPrefix(name, hostQueuePrefix) }
