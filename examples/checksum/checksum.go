// Package checksum is a complete kind of task in one file. A task computes the checksums of its files, and its result is a list of them.
// docs/kinds.md uses this package to show how to add a kind. The tests in cmd/plait show that registration alone gives a kind everything
// that all kinds share.
//
// An item is a file. The stage hash runs on any host with a device, and leaves the checksum there in a lease. The stage write runs on the
// same host, and stores a line with the checksum. Hash fails for a missing file. If the host is lost in between, hash runs again.
package checksum

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"go.temporal.io/sdk/workflow"

	"plait/activities"
	"plait/api"
	"plait/installation"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/tasks"
	"plait/workers"
	"plait/workflows"
)

// The names of the kind, of its stages, its queue and its steps.
const (
	Name      core.Kind  = "checksum"
	hash      core.Stage = "hash"
	write     core.Stage = "write"
	mode      core.Mode  = "host"
	queue                = "plait-checksum-hash"
	stepHash             = "checksum.Hash"
	stepWrite            = "checksum.Write"
	maxBytes             = 64 << 20 // of a file, which is read into memory as a whole
)

// algorithms are the algorithms that a request can choose.
var algorithms = map[string]func([]byte) []byte{
	"sha256": func(b []byte) []byte { s := sha256.Sum256(b); return s[:] },
	"sha512": func(b []byte) []byte { s := sha512.Sum512(b); return s[:] },
}

// Options are the options of a request.
type Options struct {
	Algorithm string `json:"algorithm"`
}

// Kind returns the registration of the kind.
func Kind() installation.Kind {
	return installation.Kind{Name: Name, Path: "/checksums", Roles: []workers.Role{workers.RoleGPU}, Service: service, Steps: open}
}

// service returns the part of the kind in the API and in the service of tasks.
func service(p installation.Process) (installation.Service, error) {
	describe := func(t records.Task) (api.Description, error) {
		return api.Description{Options: t.Options, ResultType: "text/plain; charset=utf-8", ResultSuffix: "sums.txt"}, nil
	}
	return installation.Service{
		Tasks: tasks.Kind{WriteResult: func(ctx context.Context, w io.Writer, t records.Task) error { return writeResult(ctx, w, p, t) }},
		API:   api.Kind{Fields: []api.Field{{Name: "algorithm"}}, Plan: plan, Describe: describe},
	}, nil
}

// plan checks a request. It refuses every mistake of a client here, before anything is stored.
func plan(ctx context.Context, in api.Input) (tasks.Plan, error) {
	o := Options{Algorithm: cmp.Or(in.Texts["algorithm"], "sha256")}
	if algorithms[o.Algorithm] == nil {
		return tasks.Plan{}, core.Errorf(core.CodeInvalidInput, "algorithm %.20q is not sha256 or sha512", o.Algorithm)
	}
	if len(in.Files) == 0 {
		return tasks.Plan{}, core.NewError(core.CodeInvalidInput, "there is no file")
	}
	p := in.NewPlan(Name)
	for _, f := range in.Files {
		c := f.Content()
		if err := c.Identify(ctx); err != nil {
			return tasks.Plan{}, err
		}
		p.Items = append(p.Items, c)
	}
	options, err := json.Marshal(o)
	p.Options, p.Covers = options, o
	return p, err
}

// writeResult writes the lines of the items. It reads all of them before it writes the first byte, so that a missing one is an error.
func writeResult(ctx context.Context, w io.Writer, p installation.Process, t records.Task) error {
	items, err := p.Records.Items(ctx, t.ID)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, i := range items {
		if i.Status == core.StatusSuccess {
			line, err := p.Blobs.Read(ctx, i.Result, maxBytes)
			if err != nil {
				return err
			}
			lines.Write(line)
		}
	}
	_, err = lines.WriteTo(w)
	return err
}

// stepInput is the input of both steps.
type stepInput struct {
	Item    core.Item  `json:"item"`
	Options Options    `json:"options"`
	Lease   core.Lease `json:"lease"`
}

// task is the workflow. It decides only the order of the steps.
func task(ctx workflow.Context, in workflows.TaskInput) (core.TaskResult, error) {
	var o Options
	if err := in.DecodeOptions(&o); err != nil {
		return core.TaskResult{}, err
	}
	return workflows.Run(ctx, in, workflows.Routine{Begin: func(_ workflow.Context, item *workflows.ItemRun) workflows.Process {
		return func(ctx workflow.Context) (core.Mode, error) {
			in := stepInput{Item: item.Item, Options: o}
			for {
				err := item.Step(ctx, workflows.Step{Stage: hash, Name: stepHash, Options: workflows.DeviceStep(queue)}, in, &in.Lease)
				if err == nil {
					err = item.Step(ctx, workflows.Step{Stage: write, Name: stepWrite, Options: workflows.HostStep(in.Lease)}, in, nil)
				}
				if err == nil || !workflows.IsLeaseLost(err) {
					return mode, err
				}
			}
		}
	}})
}

// sum is the checksum of a file, and the value of a lease.
type sum string

// Bytes returns the size of the value, which counts against the memory for leases.
func (s sum) Bytes() int64 { return int64(len(s)) }

// steps are the steps in a worker.
type steps struct{ *activities.Host }

// open returns the part of the kind in a worker.
func open(_ context.Context, w installation.Worker) (installation.Steps, error) {
	s := steps{w.Host}
	return installation.Steps{Kind: workers.Kind{
		Workflow: task,
		Host:     map[string]any{stepWrite: s.write},
		Queues: []workers.Queue{{
			Name: queue, Role: workers.RoleGPU, Lease: workers.OrdinaryLease, Steps: map[string]any{stepHash: s.hash},
		}},
	}}, nil
}

// hash reads a file and leaves its checksum in a lease on this host. If it runs twice, it leaves two leases, and one expires.
func (s steps) hash(ctx context.Context, in stepInput) (core.Lease, error) {
	run := s.Run(ctx, in.Item, hash, mode)
	return activities.Step[core.Lease]{
		Kind: Name, Run: run,
		Work: func(ctx context.Context, _ records.Item) (core.Lease, error) {
			content, err := s.Blobs.Read(ctx, in.Item.Blob, maxBytes)
			if err != nil {
				return core.Lease{}, err
			}
			value := sum(hex.EncodeToString(algorithms[in.Options.Algorithm](content)))
			return s.Lease(lease.Entry{Value: value}), s.Records.EndStage(ctx, run, "", "", nil)
		},
	}.Do(ctx, s.Host)
}

// write stores the line of a file. If it runs twice, it stores the same blob and finds the item finished.
func (s steps) write(ctx context.Context, in stepInput) (core.BlobRef, error) {
	run := s.Run(ctx, in.Item, write, mode)
	run.Rank = 1
	return activities.Step[core.BlobRef]{
		Kind: Name, Run: run, UsesLease: true,
		Recorded: func(i records.Item) (core.BlobRef, bool) { return i.Result, i.Status == core.StatusSuccess },
		Work: func(ctx context.Context, _ records.Item) (core.BlobRef, error) {
			entry, err := s.Leases.Lookup(in.Lease.LeaseID)
			if err != nil {
				return "", err
			}
			ref, err := s.KeepResult(ctx, in.Item, fmt.Appendf(nil, "%s  %s\n", entry.Value, in.Item.Name))
			if err != nil {
				return "", err
			}
			defer s.Leases.Drop(in.Lease.LeaseID)
			return ref, s.Records.FinishItem(ctx, run, records.Finished{Mode: mode, Result: ref})
		},
	}.Do(ctx, s.Host)
}
