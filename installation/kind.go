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
	"plait/tasks"
	"plait/workers"
)

// Kind registers one kind of work: it says what each process needs for it. An installation is given a list of kinds, and nothing else
// names one. docs/kinds.md shows how to add a kind.
type Kind struct {
	Name core.Kind
	// Path is the path of requests for tasks of the kind, below /v1.
	Path string
	// Roles are the roles of workers that poll the queues of the kind, and Queues the names of those that must be polled.
	Roles  []workers.Role
	Queues []string
	// Service accepts and shows tasks of the kind. Each API has one, and each worker of role control.
	Service func(Process) (Service, error)
	// Steps opens what a worker needs for the steps of the kind.
	Steps func(context.Context, Worker) (Steps, error)
	// Checks are further checks of `plait doctor`; call makes one real call to each service that is paid for. Nil: there are none.
	Checks func(l *config.Loaded, call bool) []Check
	// Progress has the words for the command line; it may be empty.
	Progress progress.Kind
	// ResultOf is the place for a result that a person names at the command line; nil: one file.
	ResultOf func(out string) (files.Result, error)
}

// Result is the place for a result that a person names at the command line.
func (k Kind) Result(out string) (files.Result, error) {
	if k.ResultOf != nil {
		return k.ResultOf(out)
	}
	return files.Result{File: out}, nil
}

// Kinds is the registry of kinds.
type Kinds []Kind

// Roles are all roles of workers: control, and those of the kinds.
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

// Of is the kind of that name; one that is not registered has a name only.
func (k Kinds) Of(name core.Kind) Kind {
	if i := slices.IndexFunc(k, func(kind Kind) bool { return kind.Name == name }); i >= 0 {
		return k[i]
	}
	return Kind{Name: name}
}

// Find is the kind of that name. It fails with [core.CodeInvalidInput].
func (k Kinds) Find(name string) (Kind, error) {
	names := make([]string, len(k))
	for i, kind := range k {
		if names[i] = string(kind.Name); names[i] == name {
			return kind, nil
		}
	}
	return Kind{}, core.Errorf(core.CodeInvalidInput, "kind %q is none of %s", name, strings.Join(names, ", "))
}

// Progress has the words of all kinds.
func (k Kinds) Progress() progress.Kinds {
	words := progress.Kinds{}
	for _, kind := range k {
		words[kind.Name] = kind.Progress
	}
	return words
}

// Process is what a process shares between the kinds.
type Process struct {
	Config   *config.Loaded
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	Log      *slog.Logger
	Registry prometheus.Registerer
	// ModelsOfWorkers says that the workers have the models of Config.
	ModelsOfWorkers bool
}

// Service is the part of a kind in the service of tasks and in the API.
type Service struct {
	Tasks tasks.Kind
	API   api.Kind
}

// Worker is a worker process as a kind finds it.
type Worker struct {
	Process
	Roles []workers.Role
	Host  *activities.Host
	// Drain is closed when the process drains.
	Drain <-chan struct{}
}

// Steps are what a kind runs in a worker process.
type Steps struct {
	workers.Kind
	// Run runs beside the worker until ctx ends, and its error ends the worker; nil: nothing.
	Run func(ctx context.Context) error
	// Close frees what Steps opened, after the worker has stopped; nil: nothing.
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
		d.Kinds = append(d.Kinds, s.Tasks)
		s.API.Name, s.API.Path = kind.Name, kind.Path
		apis = append(apis, s.API)
	}
	return tasks.New(d), apis, nil
}
