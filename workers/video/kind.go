// Package video defines the task queues of videos that workers serve, with the number of slots of each.
package video

import (
	"maps"
	"slices"

	videosteps "plait/activities/video"
	"plait/internal/video"
	"plait/workers"
	videoflow "plait/workflows/video"
)

// The roles.
const (
	// Role is the role of workers that make videos, or ask servers for them.
	Role workers.Role = "video"
	// RoleUpscale is the role of workers that own devices and enlarge videos on them.
	RoleUpscale workers.Role = "upscale"
)

// Kind returns the queues, workflow and steps of videos for the workers of a process. extendSlots is the number of prompts that are
// rewritten at the same time.
func Kind(a *videosteps.Activities, extendSlots int) workers.Kind {
	k := workers.Kind{Name: video.Kind, Workflow: videoflow.Task, Queues: []workers.Queue{{
		Name: videoflow.QueueExtend, Role: workers.RoleTranslate, Slots: extendSlots, Steps: map[string]any{video.StepExtend: a.ExtendPrompt},
	}}}
	for _, name := range slices.Sorted(maps.Keys(a.Engines)) {
		e := a.Engines[name]
		k.Queues = append(k.Queues, workers.Queue{
			Name: videoflow.QueueOf(name), Role: Role, Slots: e.Slots, Waiting: e.Slots, Acquire: e.Acquire,
			Steps: map[string]any{video.StepGenerate: a.Generate},
		})
	}
	if a.Upscaler != nil {
		k.Queues = append(k.Queues, workers.Queue{
			Name: videoflow.QueueOf(video.UpscaleName), Role: RoleUpscale, Slots: a.Upscaler.Slots, Steps: map[string]any{video.StepUpscale: a.Upscale},
		})
	}
	return k
}
