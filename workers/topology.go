package workers

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/workflows"
)

// queue is one task queue that this process polls.
type queue struct {
	name string
	// steps is the number of activities at once; 0 means that the queue carries none.
	steps int
	// waiting is the number of further activities that may be under way in place of those that wait for a model, or for an
	// earlier page.
	waiting int
	// contexts, when not nil, must have room for the context that each activity leaves, by a claim of this kind.
	contexts *lease.Cache
	claim    lease.Claim
	// pollers ask for steps; each is a connection that waits. One keeps up with steps that take longer than a round
	// trip.
	pollers int
	// workflows says that the queue carries workflow tasks.
	workflows bool
	register  func(worker.Registry)
}

const (
	// recordSteps at once, of some milliseconds each: more would only wait for connections to the database.
	recordSteps = 16
	// aheadOfDevice steps of each shared queue of hosts are taken beyond those that the device runs: while one waits for
	// the device, its image is read, and while another ends, its rows are written. More would hoard work that another
	// host may be free for.
	aheadOfDevice = 1
	// besideEarly steps are taken in place of those that came before an earlier page of their chapter: of the four that a
	// chapter begins with, the first may come last.
	besideEarly = 3
	// workflowTasks at once: each is some milliseconds of computing.
	workflowTasks = 32
	// workflowPollers are shared by the queue and the process's own sticky queue, of which each needs one.
	workflowPollers = 4
)

// topology is every queue that a process of these roles polls.
func topology(c Config) []queue {
	a := c.Activities
	var queues []queue
	for _, role := range c.Roles {
		switch role {
		case RoleControl:
			queues = append(queues, queue{
				name: workflows.QueueControl, steps: recordSteps, pollers: 2, workflows: true,
				register: func(r worker.Registry) {
					r.RegisterWorkflowWithOptions(workflows.ChapterWorkflow, workflow.RegisterOptions{Name: workflows.ChapterWorkflowName})
					r.RegisterWorkflowWithOptions(workflows.PageWorkflow, workflow.RegisterOptions{Name: workflows.PageWorkflowName})
					r.RegisterWorkflowWithOptions(workflows.EditWorkflow, workflow.RegisterOptions{Name: workflows.EditWorkflowName})
					step(r, core.StepStartTask, a.StartTask)
					step(r, core.StepRecordFailure, a.RecordFailure)
					step(r, core.StepFinishTask, a.FinishTask)
					step(r, comic.StepRecordEditFailure, a.RecordEditFailure)
				},
			})
		case RoleGPU:
			queues = append(queues, gpuQueues(a, max(c.DeviceSlots, 1)+aheadOfDevice)...)
		case RoleTranslate:
			slots := max(c.TranslateSlots, 1)
			queues = append(queues, queue{
				name: workflows.QueueTranslate, steps: slots, pollers: 1,
				register: func(r worker.Registry) {
					step(r, comic.StepTranslate, a.Translate)
					step(r, comic.StepShorten, a.Shorten)
				},
			}, queue{
				// One that is at the model, and the one after it, for each slot.
				name: workflows.QueueTranslateAhead, steps: 2 * slots, pollers: 1,
				register: func(r worker.Registry) { step(r, comic.StepTranslate, a.Translate) },
			})
		}
	}
	return queues
}

// gpuQueues are those of a host that owns a device; each shared one takes so many steps.
func gpuQueues(a *activities.Activities, steps int) []queue {
	detect := func(r worker.Registry) { step(r, comic.StepDetect, a.Detect) }
	return []queue{{
		name: workflows.QueueDetect, steps: steps, waiting: besideEarly, pollers: 1, register: detect,
		contexts: a.Contexts(), claim: lease.Ordinary,
	}, {
		name: workflows.QueueDetectNow, steps: steps, pollers: 1, register: detect,
		contexts: a.Contexts(), claim: lease.Urgent,
	}, {
		// A page that waits for a model is kept in memory, as a detect context is: there are no more of the ones than of
		// the others.
		name: workflows.QueueGPU, steps: steps, waiting: a.Contexts().Capacity(), pollers: 1,
		register: func(r worker.Registry) {
			detect(r) // of chapters that were begun before detect had queues of its own
			step(r, comic.StepPage, a.Page)
			step(r, comic.StepEdit, a.Edit)
		},
	}, {
		// A slot for each context: a render hardly waits in the queue of a living host, so its time-out there tells a
		// dead one.
		name: a.HostQueue(), steps: a.Contexts().Capacity(), pollers: 1,
		register: func(r worker.Registry) {
			step(r, comic.StepRender, a.Render)
			step(r, comic.StepDropContext, a.DropContext)
			step(r, comic.StepEdit, a.Edit)
		},
	}}
}

func step(r worker.Registry, name string, method any) {
	r.RegisterActivityWithOptions(method, activity.RegisterOptions{Name: name})
}

const (
	// heartbeatThrottle bounds how late a step learns that it is canceled.
	heartbeatThrottle = 800 * time.Millisecond
	// deadlockAfter is how long a workflow task may compute. The default of one second mistakes a starved process for a
	// deadlock where the engine takes all cores.
	deadlockAfter = 10 * time.Second
)

func (q queue) options(c Config, fatal func(error)) (worker.Options, error) {
	o := worker.Options{
		Identity:                         Identity(c.Host, c.Instance, c.Roles),
		WorkerStopTimeout:                c.StopTimeout,
		MaxHeartbeatThrottleInterval:     heartbeatThrottle,
		DefaultHeartbeatThrottleInterval: heartbeatThrottle,
		DeadlockDetectionTimeout:         deadlockAfter,
		DisableWorkflowWorker:            !q.workflows,
		ActivityTaskPollerBehavior: worker.NewPollerBehaviorSimpleMaximum(worker.PollerBehaviorSimpleMaximumOptions{
			MaximumNumberOfPollers: q.pollers,
		}),
		OnFatalError: fatal,
	}
	if q.workflows {
		o.WorkflowTaskPollerBehavior = worker.NewPollerBehaviorSimpleMaximum(worker.PollerBehaviorSimpleMaximumOptions{
			MaximumNumberOfPollers: workflowPollers,
		})
	}
	fixed, err := worker.NewFixedSizeTuner(worker.FixedSizeTunerOptions{NumActivitySlots: q.steps, NumWorkflowSlots: workflowTasks})
	if err != nil {
		return o, fmt.Errorf("slots of queue %s: %w", q.name, err)
	}
	o.Tuner = fixed
	slots := newStepSlots(q.steps, q.waiting)
	switch {
	case q.contexts != nil:
		o.Tuner = stepTuner{WorkerTuner: fixed, slots: contextSlots{stepSlots: slots, contexts: q.contexts, claim: q.claim}}
	case q.waiting > 0:
		o.Tuner = stepTuner{WorkerTuner: fixed, slots: slots}
	}
	if q.waiting > 0 {
		o.BackgroundActivityContext = activities.WithWaiting(context.Background(), slots.wait)
	}
	return o, nil
}
