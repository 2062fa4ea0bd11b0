package installation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"plait/internal/assets"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/stack/temporal"
	"plait/internal/translators"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// Finding is what doctor says of one part.
type Finding struct {
	Part string `json:"part"`
	OK   bool   `json:"ok"`
	// Found is what is there, or what is wrong.
	Found string `json:"found"`
	// Remedy says what to do about it.
	Remedy string `json:"remedy,omitempty"`
}

// checkTimeout bounds one check; the slowest, loading models, takes a second or two.
const checkTimeout = 60 * time.Second

// Doctor checks the parts of one configuration.
type Doctor struct {
	Config *config.Loaded
	// Call has it make one real call to the translator.
	Call bool
}

// Examine checks every part.
func (d *Doctor) Examine(ctx context.Context) []Finding {
	database, temporal := d.database, d.temporal
	// Where a part is embedded and nothing runs now, what can be checked is whether it could run.
	if err := Locate(ctx, d.Config); errors.Is(err, ErrNothingRuns) {
		if d.Config.Database.URL == "" {
			database = d.embeddedDatabase
		}
		if d.Config.Temporal.Address == "" {
			temporal = d.embeddedTemporal
		}
	}
	var findings []Finding
	for _, check := range []struct {
		part string
		f    func(context.Context) (found, remedy string, err error)
	}{
		{"assets", d.assets},
		{"device", d.device},
		{"database", database},
		{"temporal", temporal},
		{"blobs", d.blobs},
		{"translator", d.translator},
	} {
		findings = append(findings, d.check(ctx, check.part, check.f))
	}
	return findings
}

func (d *Doctor) check(ctx context.Context, part string, check func(context.Context) (found, remedy string, err error)) Finding {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	found, remedy, err := check(ctx)
	if err != nil {
		return Finding{Part: part, Found: Explain(err), Remedy: remedy}
	}
	return Finding{Part: part, OK: true, Found: found}
}

// silent is for what a check calls; doctor itself says what matters.
func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (d *Doctor) assets(ctx context.Context) (found, remedy string, err error) {
	remedy = `run "make assets", or set assets_dir (PLAIT_ASSETS_DIR) to where they are`
	set, err := assets.Open(d.Config.AssetsDir)
	if err != nil {
		return "", remedy, err
	}
	if err := set.Verify(ctx); err != nil {
		return "", remedy, err
	}
	return fmt.Sprintf("models, libraries and %d fonts in %s are the pinned ones", len(set.Fonts()), set.Dir()), "", nil
}

func openEngine(ctx context.Context, l *config.Loaded) (*engine.Engine, error) {
	c, err := engine.Configured(&l.Config)
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, c)
}

func (d *Doctor) device(ctx context.Context) (found, remedy string, err error) {
	e, err := openEngine(ctx, d.Config)
	if err != nil {
		return "", "set device.kind (PLAIT_DEVICE_KIND) to a device of this machine, cpu works everywhere; " +
			"check models.manifest (PLAIT_MODELS_MANIFEST) where it is set", err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return "models are loaded and run: " + describeModels(e.Models()), "", nil
}

// describeModels names each model with what it does, where it runs and in which numbers, and whence and under which license it comes.
func describeModels(models []engine.Model) string {
	texts := make([]string, len(models))
	for i, m := range models {
		kind := string(m.Kind)
		if len(m.Scripts) > 0 {
			kind += " of " + strings.Join(m.Scripts, " and ")
		}
		if m.Contract != "" {
			kind += " " + m.Contract
		}
		texts[i] = fmt.Sprintf("%s (%s) on %s in %s, %s, %s", m.Name, kind, m.Provider, m.Numbers, m.Source, m.License)
	}
	return strings.Join(texts, "; ")
}

func (d *Doctor) embeddedDatabase(context.Context) (found, remedy string, err error) {
	set, err := assets.Open(d.Config.AssetsDir)
	if err == nil {
		_, err = set.Path(assets.Postgres)
	}
	if err != nil {
		return "", `run "make assets", or set database.url (DATABASE_URL)`, err
	}
	return `embedded Postgres, not running now; "plait up" and "plait translate" start it`, "", nil
}

func (d *Doctor) embeddedTemporal(context.Context) (found, remedy string, err error) {
	path, err := temporal.FindBinary(d.Config.Temporal.Binary, d.Config.AssetsDir)
	if err != nil {
		return "", `run "make assets", install the Temporal CLI, or set temporal.address (TEMPORAL_ADDRESS)`, err
	}
	return fmt.Sprintf(`embedded server %s, not running now; "plait up" and "plait translate" start it`, path), "", nil
}

func (d *Doctor) database(ctx context.Context) (found, remedy string, err error) {
	store, err := OpenRecords(ctx, d.Config)
	if err != nil {
		return "", "check database.url (DATABASE_URL) and that Postgres runs", err
	}
	defer store.Close()
	if err := store.Ping(ctx); err != nil {
		return "", `run "plait migrate"`, err
	}
	return "Postgres answers, and its schema is up to date", "", nil
}

func (d *Doctor) temporal(ctx context.Context) (found, remedy string, err error) {
	remedy = "check temporal.address (TEMPORAL_ADDRESS) and temporal.namespace"
	c, err := DialTemporal(ctx, d.Config, "plait-doctor@"+HostName(), nil, silent())
	if err != nil {
		return "", remedy, err
	}
	defer c.Close()
	for _, queue := range []string{workflows.QueueControl, comicflow.QueueDetect, comicflow.QueuePage, comicflow.QueueTranslate} {
		if err := polled(ctx, c, d.Config.Temporal.Namespace, queue); err != nil {
			return "", `start "plait worker" for the role that is missing`, err
		}
	}
	return "Temporal answers at " + d.Config.Temporal.Address + ", and workers poll every queue", "", nil
}

// polled fails when nobody takes work from the queue.
func polled(ctx context.Context, c client.Client, namespace, queue string) error {
	kind := enums.TASK_QUEUE_TYPE_ACTIVITY
	answer, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: namespace, TaskQueue: &taskqueue.TaskQueue{Name: queue}, TaskQueueType: kind,
	})
	if err != nil {
		return err
	}
	if len(answer.GetPollers()) == 0 {
		return fmt.Errorf("no worker polls the queue %s", queue)
	}
	return nil
}

func (d *Doctor) blobs(ctx context.Context) (found, remedy string, err error) {
	remedy = "check blob.url (PLAIT_BLOB_URL), its credentials, and the room left"
	if _, err := os.Stat(d.Config.DataDir); d.Config.Blob.URL == "" && errors.Is(err, fs.ErrNotExist) {
		return "in " + d.Config.DataDir + ", which the first run makes", "", nil
	}
	store, err := OpenBlobs(ctx, d.Config)
	if err != nil {
		return "", remedy, err
	}
	if err := store.Check(ctx); err != nil {
		return "", remedy, err
	}
	return "blobs can be written and read", "", nil
}

func (d *Doctor) translator(ctx context.Context) (found, remedy string, err error) {
	again := ""
	remedy = "set OPENAI_API_KEY, GEMINI_API_KEY, ANTHROPIC_API_KEY or DEEPL_AUTH_KEY, start Ollama on this machine, or set OPENAI_BASE_URL and PLAIT_TRANSLATOR_MODEL"
	running, err := RunningTranslator(ctx, d.Config)
	if err != nil {
		return "", remedy, err
	}
	of := "of this configuration; PLAIT_TRANSLATOR_MODEL chooses another model"
	if running {
		of = "of the running stack"
		again = ", and start the stack again"
	}
	remedy += again + "; plait translate --script needs none of them"
	p, err := translators.Configured(ctx, &d.Config.Config)
	if err != nil {
		return "", remedy, err
	}
	if p.Model == "" {
		remedy = "set PLAIT_TRANSLATOR_MODEL to a model of " + cmp.Or(p.BaseURL, p.Kind) + again
	}
	t, err := translators.Unrecorded(&d.Config.Config, p)
	if err != nil {
		return "", remedy, err
	}
	if d.Call && p.Key == config.Hidden {
		return "", "set the key of the running stack here too", errors.New("the running stack has a key that this command does not have")
	}
	if !d.Call {
		return fmt.Sprintf("%s with model %s, %s; --translator makes a real call", p.Kind, p.Model, of), "", nil
	}
	health, err := t.Check(ctx)
	if err != nil {
		return "", remedy, err
	}
	return fmt.Sprintf("%s answers with model %s in %s: %d tokens sent, %d answered, cost %.6f",
		health.Provider, health.Model, health.Latency.Round(time.Millisecond),
		health.Usage.InputTokens, health.Usage.OutputTokens, float64(health.Usage.CostMicros)/1e6), "", nil
}
