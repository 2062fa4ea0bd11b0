package activities_test

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
	"plait/activities/enginetest"
	"plait/internal/blob"
	"plait/internal/ctxcache"
	"plait/internal/pipeline"
	"plait/internal/records"
	"plait/internal/stack/stacktest"
	"plait/internal/translate"
	"plait/internal/translate/translatetest"
)

const hostQueue = "gpu-host:a:1"

// rig is one worker process without its worker: its steps, called as Temporal would call them.
type rig struct {
	t        testing.TB
	env      *testsuite.TestActivityEnvironment
	deps     activities.Deps
	steps    *activities.Activities
	records  *records.Store
	blobs    blob.Store
	contexts *ctxcache.Cache
	engine   *enginetest.Engine
	model    *translatetest.Model
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	url := stacktest.Postgres(tb)
	require.NoError(tb, records.Migrate(tb.Context(), url))
	r := &rig{t: tb, contexts: ctxcache.New(ctxcache.Config{}), engine: &enginetest.Engine{}, model: &translatetest.Model{}}
	var err error
	r.records, err = records.Open(tb.Context(), url, records.Options{})
	require.NoError(tb, err)
	tb.Cleanup(r.records.Close)
	r.blobs, err = blob.Open(tb.Context(), tb.TempDir())
	require.NoError(tb, err)
	r.deps = activities.Deps{
		Engine:      activities.EngineOf(r.engine),
		Translators: func(context.Context, pipeline.Options) (translate.Translator, error) { return r.model, nil },
		Blobs:       r.blobs, Records: r.records, Contexts: r.contexts, Host: "a", HostQueue: hostQueue,
		UntranslatedKinds: pipeline.RegionKinds{pipeline.KindEffect},
	}
	r.steps = activities.New(r.deps)
	r.env = r.process(r.steps)
	return r
}

// process is a Temporal worker, as far as steps can tell.
func (r *rig) process(steps *activities.Activities) *testsuite.TestActivityEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	for name, step := range map[string]any{
		pipeline.StepDetect: steps.Detect, pipeline.StepTranslate: steps.Translate, pipeline.StepRender: steps.Render,
		pipeline.StepPage: steps.Page, pipeline.StepStartTask: steps.StartTask, pipeline.StepRecordFailure: steps.RecordFailure,
		pipeline.StepFinishTask: steps.FinishTask, pipeline.StepShorten: steps.Shorten, pipeline.StepEdit: steps.Edit,
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

var options = pipeline.Options{From: "ja", To: "en", Mode: pipeline.ModeSplit}

// page writes a task of one page.
func (r *rig) page(image []byte) pipeline.PageRef {
	r.t.Helper()
	p := pipeline.PageRef{TaskID: uuid.NewString(), Tenant: "tenant", Name: "1.png", Blob: r.put(image)}
	index := 0
	_, _, err := r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: p.TaskID, Tenant: p.Tenant, Kind: pipeline.KindComic, Options: options, Pages: []pipeline.PageRef{p},
		Entries: []records.Entry{{Name: p.Name, PageIndex: &index}},
	})
	require.NoError(r.t, err)
	require.NoError(r.t, r.records.StartTask(r.t.Context(), pipeline.StartTaskInput{TaskID: p.TaskID}))
	return p
}

func (r *rig) put(image []byte) pipeline.BlobRef {
	r.t.Helper()
	ref, _, err := r.blobs.Put(r.t.Context(), bytes.NewReader(image), 1<<20)
	require.NoError(r.t, err)
	return ref
}

func (r *rig) row(p pipeline.PageRef) records.Page {
	r.t.Helper()
	row, err := r.records.Page(r.t.Context(), p.TaskID, p.Index)
	require.NoError(r.t, err)
	return row
}

func (r *rig) bytes(ref pipeline.BlobRef) string {
	r.t.Helper()
	b, err := r.blobs.Read(r.t.Context(), ref, 1<<20)
	require.NoError(r.t, err)
	return string(b)
}

func (r *rig) detect(p pipeline.PageRef) pipeline.DetectOutput {
	r.t.Helper()
	found, err := call[pipeline.DetectOutput](r.env, pipeline.StepDetect, pipeline.DetectInput{Page: p, Options: options})
	require.NoError(r.t, err)
	return found
}

func (r *rig) translate(p pipeline.PageRef, found pipeline.DetectOutput) pipeline.TranslateOutput {
	r.t.Helper()
	out, err := call[pipeline.TranslateOutput](r.env, pipeline.StepTranslate, translateInput(p, found))
	require.NoError(r.t, err)
	return out
}

func translateInput(p pipeline.PageRef, found pipeline.DetectOutput) pipeline.TranslateInput {
	return pipeline.TranslateInput{Page: p, Options: options, FromLang: found.FromLang, Regions: found.Regions}
}

func renderInput(p pipeline.PageRef, found pipeline.DetectOutput, t []pipeline.Translation) pipeline.RenderInput {
	return pipeline.RenderInput{Page: p, Options: options, ContextID: found.ContextID, ImageHash: found.ImageHash, Translations: t}
}

// failed is what the workflow is told: the code, and whether Temporal may try again.
func failed(t *testing.T, err error) (pipeline.Code, bool) {
	t.Helper()
	var application *temporal.ApplicationError
	require.ErrorAs(t, err, &application)
	return pipeline.Code(application.Type()), !application.NonRetryable()
}

func translations(n int) (all []pipeline.Translation) {
	for i := range n {
		all = append(all, pipeline.Translation{Index: i, Text: fmt.Sprintf("[line %d]", i)})
	}
	return all
}
