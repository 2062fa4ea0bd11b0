package events

import "plait/internal/core"

// Links are the paths that an event of a task leads to: the task as self, and its result once it has one. Success is the number of its
// items that have succeeded.
func Links(taskID string, status core.Status, success int) map[string]string {
	self := "/v1/tasks/" + taskID
	links := map[string]string{"self": self}
	if status.Ended() && success > 0 {
		links["result"] = self + "/result"
	}
	return links
}
