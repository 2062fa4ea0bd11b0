package workers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/workflows"
)

// Kind is the part of the topology of one kind of work.
type Kind struct {
	// Name is the name of the kind, under which Workflow is registered.
	Name core.Kind
	// Workflow is the workflow of a task of the kind: workflows.Run with the routine of the kind.
	Workflow func(workflow.Context, workflows.TaskInput) (core.TaskResult, error)
	// Workflows are further workflows, by their names.
	Workflows map[string]any
	// Records are the steps on the control queue, by name: they only write records.
	Records map[string]any
	// Host are the steps on the host queue, by name: they use a lease.
	Host map[string]any
	// Queues are the shared queues of the kind, for all roles.
	Queues []Queue
}

// Queue is a task queue that the processes of a role poll.
type Queue struct {
	Name string
	Role Role
	// Slots is the number of concurrent steps; 0 is the number of slots of the devices, plus aheadOfDevice.
	Slots int
	// Waiting is the maximum number of additional steps while others wait for a model or for an earlier item.
	Waiting int
	// Acquire acquires one of the slots that all processes share, before a step is taken. It is nil where processes share no slots. ctx bounds
	// the wait alone.
	Acquire func(ctx context.Context) (release func(), err error)
	// Lease is set when each step leaves a lease: no step is taken without room for its lease.
	Lease LeaseClaim
	// CancelWithin is the maximum delay until a step learns that it is canceled; 0 means 800 ms. Each running step sends a heartbeat so often.
	CancelWithin time.Duration
	// Steps are the activities, by their names.
	Steps map[string]any
}

// LeaseClaim says whether the steps of a queue leave leases, and how they claim room for them.
type LeaseClaim int

// The claims.
const (
	NoLease LeaseClaim = iota
	OrdinaryLease
	UrgentLease
)

const (
	// recordSteps is the number of concurrent steps that write records, of some milliseconds each. More would only wait for database
	// connections.
	recordSteps = 16
	// aheadOfDevice is the number of steps that a shared queue takes in addition to those on the devices: while one step waits for
	// its device its file is read, and while another ends its rows are written. More would take steps that another host may be free
	// for.
	aheadOfDevice = 1
	// workflowTasks is the number of concurrent workflow tasks; each computes for some milliseconds.
	workflowTasks = 32
	// workflowPollers is the number of pollers for the queue and for the sticky queue of the process together; each needs one.
	workflowPollers = 4
	// webhookSends is the number of messages that a process sends at once. Each waits for the server of a tenant, up to 20 seconds;
	// tenants take turns.
	webhookSends = 32
)

// polled is a queue as this process polls it.
type polled struct {
	Queue
	// pollers is the number of waiting connections. One is enough for steps that take longer than a round trip.
	pollers int
	// workflows is set when the queue carries workflow tasks.
	workflows bool
	// own is set for the host queue of this process.
	own      bool
	leases   *lease.Cache
	register func(worker.Registry)
}

// topology returns every queue that a process of these roles polls.
func topology(c Config) []polled {
	var queues []polled
	if slices.Contains(c.Roles, RoleControl) {
		queues = append(queues, controlQueue(c))
		if c.Host.Webhooks != nil {
			queues = append(queues, webhookQueue(c))
		}
	}
	for _, kind := range c.Kinds {
		for _, q := range kind.Queues {
			if !slices.Contains(c.Roles, q.Role) {
				continue
			}
			if q.Slots == 0 {
				q.Slots = c.Host.Devices.Slots() + aheadOfDevice
			}
			queues = append(queues, polled{
				Queue: q, pollers: 1, leases: c.Host.Leases, register: func(r worker.Registry) { register(r, q.Steps) },
			})
		}
	}
	if slices.Contains(c.Roles, RoleGPU) {
		queues = append(queues, hostQueue(c))
	}
	return queues
}

// controlQueue has the workflows of all kinds and the steps that only write records.
func controlQueue(c Config) polled {
	return polled{
		Queue: Queue{Name: workflows.QueueControl, Slots: recordSteps}, pollers: 2, workflows: true,
		register: func(r worker.Registry) {
			register(r, map[string]any{
				core.StepStartTask: c.Host.StartTask, core.StepRecordFailure: c.Host.RecordFailure, core.StepFinishTask: c.Host.FinishTask,
			})
			r.RegisterWorkflowWithOptions(workflows.Webhook, workflow.RegisterOptions{Name: workflows.WorkflowWebhook})
			register(r, map[string]any{core.StepFailWebhook: c.Host.FailWebhook})
			for _, kind := range c.Kinds {
				r.RegisterWorkflowWithOptions(kind.Workflow, workflow.RegisterOptions{Name: string(kind.Name)})
				for name, further := range kind.Workflows {
					r.RegisterWorkflowWithOptions(further, workflow.RegisterOptions{Name: name})
				}
				register(r, kind.Records)
			}
		},
	}
}

// webhookQueue has the steps that send messages to tenants.
func webhookQueue(c Config) polled {
	return polled{
		Queue: Queue{Name: workflows.QueueWebhooks, Slots: webhookSends}, pollers: 1,
		register: func(r worker.Registry) { register(r, map[string]any{core.StepSendWebhook: c.Host.SendWebhook}) },
	}
}

// hostQueue has a slot for each lease. A step hardly waits in the queue of a living host, so its schedule-to-start time-out means
// that the host is dead.
func hostQueue(c Config) polled {
	return polled{
		Queue: Queue{Name: c.Host.Queue, Slots: c.Host.Leases.Capacity()}, pollers: 1, own: true,
		register: func(r worker.Registry) {
			register(r, map[string]any{core.StepReleaseLease: c.Host.ReleaseLease})
			for _, kind := range c.Kinds {
				register(r, kind.Host)
			}
		},
	}
}

func register(r worker.Registry, steps map[string]any) {
	for name, step := range steps {
		r.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: name})
	}
}

const (
	// heartbeatThrottle is the default of Queue.CancelWithin.
	heartbeatThrottle = 800 * time.Millisecond
	// deadlockAfter is how long a workflow task may compute. With the default of one second, a process that gets little CPU time
	// counts as deadlocked where the engine uses all cores.
	deadlockAfter = 10 * time.Second
)

func (q polled) options(c Config, fatal func(error)) (worker.Options, error) {
	throttle := cmp.Or(q.CancelWithin, heartbeatThrottle)
	o := worker.Options{
		Identity:                         Identity(c.Host.Name, c.Instance, c.Roles),
		WorkerStopTimeout:                c.StopTimeout,
		MaxHeartbeatThrottleInterval:     throttle,
		DefaultHeartbeatThrottleInterval: throttle,
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
	fixed, err := worker.NewFixedSizeTuner(worker.FixedSizeTunerOptions{NumActivitySlots: q.Slots, NumWorkflowSlots: workflowTasks})
	if err != nil {
		return o, fmt.Errorf("slots of queue %s: %w", q.Name, err)
	}
	o.Tuner = fixed
	slots := newStepSlots(q.Slots, q.Waiting)
	wait := slots.wait
	switch {
	case q.Acquire != nil:
		shared := &sharedSlots{stepSlots: slots, acquire: q.Acquire}
		o.Tuner, wait = stepTuner{WorkerTuner: fixed, slots: shared}, shared.wait
	case q.Lease != NoLease:
		claim := lease.Ordinary
		if q.Lease == UrgentLease {
			claim = lease.Urgent
		}
		o.Tuner = stepTuner{WorkerTuner: fixed, slots: leaseSlots{stepSlots: slots, leases: q.leases, claim: claim}}
	case q.Waiting > 0:
		o.Tuner = stepTuner{WorkerTuner: fixed, slots: slots}
	}
	if q.Waiting > 0 {
		o.BackgroundActivityContext = activities.WithWaiting(context.Background(), wait)
	}
	return o, nil
}
