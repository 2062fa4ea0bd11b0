// Package comic defines the task queues of comics that workers serve, with the number of slots of each.
package comic

import (
	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/workers"
	comicflow "plait/workflows/comic"
)

// besideEarly is the number of additional detects that a host takes in place of those that came before an earlier page of their chapter:
// of the four detects with which a chapter begins, the first may arrive last.
const besideEarly = 3

// Kind returns the queues, workflows and steps of comics for the workers of a process.
func Kind(a *comicsteps.Activities) workers.Kind {
	translateSlots := a.TranslateSlots()
	leases := 0
	if a.Leases != nil {
		leases = a.Leases.Capacity()
	}
	detect := map[string]any{comic.StepDetect: a.Detect}
	return workers.Kind{
		Name: comic.Kind, Workflow: comicflow.Task,
		Workflows: map[string]any{comicflow.WorkflowEdit: comicflow.Edit, comicflow.WorkflowAlternatives: comicflow.Alternatives},
		Records:   map[string]any{comic.StepRecordEditFailure: a.RecordEditFailure, comic.StepNoAlternatives: a.NoAlternatives},
		Host:      map[string]any{comic.StepRender: a.Render, comic.StepEdit: a.Edit},
		Queues: []workers.Queue{{
			Name: comicflow.QueueDetect, Role: workers.RoleGPU, Waiting: besideEarly, Lease: workers.OrdinaryLease, Steps: detect,
		}, {
			Name: comicflow.QueueDetectNow, Role: workers.RoleGPU, Lease: workers.UrgentLease, Steps: detect,
		}, {
			// A page that waits for a model is kept in memory, as a detect context is, so the limit for both is the same.
			Name: comicflow.QueuePage, Role: workers.RoleGPU, Waiting: leases,
			Steps: map[string]any{comic.StepPage: a.Page, comic.StepEdit: a.Edit},
		}, {
			Name: comicflow.QueueTranslate, Role: workers.RoleTranslate, Slots: translateSlots,
			Steps: map[string]any{comic.StepTranslate: a.Translate, comic.StepShorten: a.Shorten, comic.StepTranslateDrawn: a.TranslateDrawn, comic.StepAlternatives: a.Alternatives},
		}, {
			// For each slot, one translation at the model and the next one.
			Name: comicflow.QueueTranslatePrefetch, Role: workers.RoleTranslate, Slots: 2 * translateSlots,
			Steps: map[string]any{comic.StepTranslate: a.Translate},
		}},
	}
}
