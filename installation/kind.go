package installation

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"

	"plait/activities"
	"plait/api"
	"plait/api/client/progress"
	"plait/internal/blob"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/records"
	"plait/internal/translate/glossary"
	"plait/tasks"
	"plait/workers"
	"plait/workflows"
)

// Kind registers one kind of work with what each process needs for it. An installation receives a list of kinds; no other code names one.
// docs/kinds.md describes how to add a kind.
type Kind struct {
	Name core.Kind
	// Path is the path of requests for tasks of the kind, below /v1.
	Path string
	// Roles are the roles of workers that poll the queues of the kind, and Queues the names of the queues that must be polled.
	Roles  []workers.Role
	Queues []string
	// Service accepts and shows tasks of the kind. Each API has one, and so has each worker with the role control.
	Service func(Process) (Service, error)
	// Steps opens the dependencies of the kind's steps in a worker.
	Steps func(context.Context, Worker) (Steps, error)
	// Checks returns further checks of `plait doctor`; call makes one real call to each paid service. Nil means none.
	Checks func(l *config.Loaded, call bool) []Check
	// Progress contains the words for the command line; it may be empty.
	Progress progress.Kind
	// ResultOf returns the destination of a result, as named on the command line; nil means one file.
	ResultOf func(out string) (files.Result, error)
}

// Result returns the destination of a result, as named on the command line.
func (k Kind) Result(out string) (files.Result, error) {
	if k.ResultOf != nil {
		return k.ResultOf(out)
	}
	return files.Result{File: out}, nil
}

// Kinds is the registry of kinds.
type Kinds []Kind

// Roles returns all roles of workers: control, and those of the kinds.
func (k Kinds) Roles() []workers.Role {
	roles := []workers.Role{workers.RoleControl}
	for _, kind := range k {
		for _, role := range kind.Roles {
			if !slices.Contains(roles, role) {
				roles = append(roles, role)
			}
		}
	}
	return roles
}

// SharedQueues returns the names of all task queues that processes share.
func (k Kinds) SharedQueues() []string {
	queues := []string{workflows.QueueControl, workflows.QueueWebhooks}
	for _, kind := range k {
		queues = append(queues, kind.Queues...)
	}
	return queues
}

// Of returns the kind of that name; for an unregistered kind, it has only the name.
func (k Kinds) Of(name core.Kind) Kind {
	if i := slices.IndexFunc(k, func(kind Kind) bool { return kind.Name == name }); i >= 0 {
		return k[i]
	}
	return Kind{Name: name}
}

// Find returns the kind of that name. It fails with [core.CodeInvalidInput].
func (k Kinds) Find(name string) (Kind, error) {
	names := make([]string, len(k))
	for i, kind := range k {
		if names[i] = string(kind.Name); names[i] == name {
			return kind, nil
		}
	}
	return Kind{}, core.Errorf(core.CodeInvalidInput, "kind %q is none of %s", name, strings.Join(names, ", "))
}

// Progress returns the words of all kinds.
func (k Kinds) Progress() progress.Kinds {
	words := progress.Kinds{}
	for _, kind := range k {
		words[kind.Name] = kind.Progress
	}
	return words
}

// TranslatedPairs returns the texts of a task with their translations. It fails with [core.CodeNotFound] for a kind that translates nothing.
func (k Kinds) TranslatedPairs(ctx context.Context, p Process, tenant, id string) ([]glossary.Pair, error) {
	t, err := p.Records.Task(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	kind, err := k.Find(string(t.Kind))
	if err != nil {
		return nil, err
	}
	service, err := kind.Service(p)
	if err != nil {
		return nil, err
	}
	if service.API.Glossary == nil {
		return nil, core.Errorf(core.CodeNotFound, "task %s translates nothing", t.ID)
	}
	return service.API.Glossary.Pairs(ctx, t)
}

// Process contains what the kinds share in a process.
type Process struct {
	Config   *config.Loaded
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	Log      *slog.Logger
	Registry prometheus.Registerer
	// ModelsOfWorkers means that the workers have the models of Config.
	ModelsOfWorkers bool
}

// Service is a kind's part in the service of tasks and in the API.
type Service struct {
	Tasks tasks.Kind
	API   api.Kind
}

// Worker is the worker process in which a kind opens its steps.
type Worker struct {
	Process
	Roles []workers.Role
	Host  *activities.Host
	// Drain is closed when the process drains.
	Drain <-chan struct{}
}

// Steps are the steps of a kind in a worker process.
type Steps struct {
	workers.Kind
	// Run runs next to the worker until ctx ends, and its error ends the worker; nil means none.
	Run func(ctx context.Context) error
	// Close frees the resources of Steps after the worker has stopped; nil means none.
	Close func() error
}

// service makes the service of tasks, and the API of each kind.
func (k Kinds) service(p Process, metrics *tasks.Metrics) (*tasks.Service, []api.Kind, error) {
	d := tasks.Deps{
		Records: p.Records, Blobs: p.Blobs, Temporal: p.Temporal, Window: p.Config.Chapter.Window, Retention: retention(p.Config), Log: p.Log,
		Metrics: metrics,
	}
	var apis []api.Kind
	for _, kind := range k {
		s, err := kind.Service(p)
		if err != nil {
			return nil, nil, err
		}
		s.Tasks.Name, s.API.Name, s.API.Path = kind.Name, kind.Name, kind.Path
		d.Kinds = append(d.Kinds, s.Tasks)
		apis = append(apis, s.API)
	}
	return tasks.New(d), apis, nil
}
