package comic_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/translate"
	"plait/internal/translate/translatetest"
)

const hostQueue = "gpu-host:a:1"

// rig is one worker process without its worker: its steps, called as Temporal would call them.
type rig struct {
	t       testing.TB
	url     string
	env     *testsuite.TestActivityEnvironment
	deps    comicsteps.Deps
	steps   *comicsteps.Activities
	records comicrecords.Store
	blobs   blob.Store
	leases  *lease.Cache
	engine  *enginetest.Engine
	model   *translatetest.Model
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	store, url := recordstest.Open(tb)
	r := &rig{t: tb, url: url, leases: lease.New(lease.Config{}), engine: &enginetest.Engine{}, model: &translatetest.Model{}}
	r.records = comicrecords.New(store)
	var err error
	r.blobs, err = blob.Open(tb.Context(), tb.TempDir())
	require.NoError(tb, err)
	r.deps = comicsteps.Deps{
		Host:              r.host(),
		Engine:            comicsteps.EngineOf(r.engine),
		Translators:       func(context.Context, comic.Options) (translate.Translator, error) { return r.model, nil },
		UntranslatedKinds: comic.RegionKinds{comic.KindEffect},
	}
	r.steps = comicsteps.New(r.deps)
	r.env = r.process(r.steps)
	return r
}

// host is what the steps of the process share.
func (r *rig) host() *activities.Host {
	return activities.New(activities.Deps{Blobs: r.blobs, Records: r.records.Store, Leases: r.leases, Name: "a", Queue: hostQueue})
}

// process is a Temporal worker, as far as steps can tell.
func (r *rig) process(steps *comicsteps.Activities) *testsuite.TestActivityEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	for name, step := range map[string]any{
		comic.StepDetect: steps.Detect, comic.StepTranslate: steps.Translate, comic.StepRender: steps.Render,
		comic.StepPage: steps.Page, core.StepStartTask: steps.StartTask, core.StepRecordFailure: steps.RecordFailure,
		core.StepFinishTask: steps.FinishTask, comic.StepShorten: steps.Shorten, comic.StepEdit: steps.Edit,
	} {
		env.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: name})
	}
	return env
}

// call runs one step in the process of env.
func call[Out any](env *testsuite.TestActivityEnvironment, name string, in any) (out Out, err error) {
	value, err := env.ExecuteActivity(name, in)
	if err == nil {
		err = value.Get(&out)
	}
	return out, err
}

var options = comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}

// page writes a task of one page.
func (r *rig) page(image []byte) core.Item {
	r.t.Helper()
	p := core.Item{TaskID: uuid.NewString(), Tenant: "tenant", Name: "1.png", Blob: r.put(image)}
	index := 0
	_, _, err := r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: p.TaskID, Tenant: p.Tenant, Kind: comic.Kind, Options: options.JSON(), Items: []core.Item{p},
		Files: []records.File{{Role: records.RoleArchive, Name: p.Name, ItemIndex: &index}},
	})
	require.NoError(r.t, err)
	require.NoError(r.t, r.records.StartTask(r.t.Context(), core.StartTaskInput{TaskID: p.TaskID}))
	return p
}

func (r *rig) put(image []byte) core.BlobRef {
	r.t.Helper()
	ref, _, err := r.blobs.Put(r.t.Context(), bytes.NewReader(image), 1<<20)
	require.NoError(r.t, err)
	return ref
}

func (r *rig) row(p core.Item) comicrecords.Page {
	r.t.Helper()
	row, err := r.records.Page(r.t.Context(), p.TaskID, p.Index)
	require.NoError(r.t, err)
	return row
}

func (r *rig) bytes(ref core.BlobRef) string {
	r.t.Helper()
	b, err := r.blobs.Read(r.t.Context(), ref, 1<<20)
	require.NoError(r.t, err)
	return string(b)
}

func (r *rig) detect(p core.Item) comic.DetectOutput {
	r.t.Helper()
	found, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: p, Options: options})
	require.NoError(r.t, err)
	return found
}

func (r *rig) translate(p core.Item, found comic.DetectOutput) comic.TranslateOutput {
	r.t.Helper()
	out, err := call[comic.TranslateOutput](r.env, comic.StepTranslate, translateInput(p, found))
	require.NoError(r.t, err)
	return out
}

func translateInput(p core.Item, found comic.DetectOutput) comic.TranslateInput {
	return comic.TranslateInput{Page: p, Options: options, FromLang: found.FromLang, Regions: found.Regions}
}

func renderInput(p core.Item, found comic.DetectOutput, t []core.Translation) comic.RenderInput {
	return comic.RenderInput{Page: p, Options: options, LeaseID: found.LeaseID, ImageHash: found.ImageHash, Translations: t}
}

// failed is what the workflow is told: the code, and whether Temporal may try again.
func failed(t *testing.T, err error) (core.Code, bool) {
	t.Helper()
	var application *temporal.ApplicationError
	require.ErrorAs(t, err, &application)
	return core.Code(application.Type()), !application.NonRetryable()
}

func translations(n int) (all []core.Translation) {
	for i := range n {
		all = append(all, core.Translation{Index: i, Text: fmt.Sprintf("[line %d]", i)})
	}
	return all
}
