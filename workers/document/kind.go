// Package document defines the task queues of documents that workers serve, with the number of slots of each.
package document

import (
	"time"

	documentsteps "plait/activities/document"
	"plait/internal/document"
	"plait/workers"
	documentflow "plait/workflows/document"
)

// Kind returns the queues, workflow and steps of documents for the workers of a process.
func Kind(a *documentsteps.Activities) workers.Kind {
	return workers.Kind{
		Name: document.Kind, Workflow: documentflow.Task,
		Queues: []workers.Queue{{
			Name: documentflow.QueueLayout, Role: Role, Slots: a.Workers(), CancelWithin: cancelWithin, Steps: map[string]any{document.StepLayout: a.Layout},
		}, {
			Name: documentflow.QueueTypeset, Role: Role, Slots: a.Workers(), CancelWithin: cancelWithin,
			Steps: map[string]any{document.StepTypeset: a.Typeset, document.StepWrite: a.Write},
		}, {
			Name: documentflow.QueueTranslate, Role: workers.RoleTranslate, Slots: a.TranslateSlots(),
			Steps: map[string]any{document.StepTranslate: a.Translate},
		}},
	}
}

// cancelWithin leaves the end of a canceled document time within a second. Few steps of these queues run at the same time, so that their
// heartbeats are few.
const cancelWithin = 250 * time.Millisecond

// Role is the role of workers that read and write PDF files. They need no GPU.
const Role workers.Role = "document"
