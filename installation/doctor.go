package installation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"plait/api/schema"
	"plait/internal/assets"
	"plait/internal/config"
	"plait/internal/stack/temporal"
)

// checkTimeout bounds one check; the slowest, loading the models, takes a second or two.
const checkTimeout = 60 * time.Second

// Doctor checks the parts of one configuration.
type Doctor struct {
	Config *config.Loaded
	Kinds  Kinds
	// Call makes one real call to each paid service.
	Call bool
	// stopped means that the embedded stack does not run.
	stopped bool
}

// Parts returns the names of the parts that [Doctor.Examine] checks, in its order.
func (d *Doctor) Parts() []string {
	var parts []string
	for _, check := range d.checks() {
		parts = append(parts, check.Part)
	}
	return parts
}

func (d *Doctor) checks() []Check {
	checks := []Check{{"assets", d.assets}, {"database", d.database}, {"temporal", d.temporal}, {"blobs", d.blobs}}
	for _, kind := range d.Kinds {
		if kind.Checks != nil {
			checks = append(checks, kind.Checks(d.Config, d.Call)...)
		}
	}
	return checks
}

// Examine checks the named parts; without names, every part.
func (d *Doctor) Examine(ctx context.Context, parts ...string) []schema.Finding {
	// For an embedded part that is not running, only its ability to run can be checked.
	d.stopped = errors.Is(Locate(ctx, d.Config), ErrNothingRuns)
	var findings []schema.Finding
	for _, check := range d.checks() {
		if len(parts) == 0 || slices.Contains(parts, check.Part) {
			found := check.Run(ctx)
			found.Found, found.Remedy = d.Config.Redact(found.Found), d.Config.Redact(found.Remedy)
			findings = append(findings, found)
		}
	}
	return findings
}

// Check is the check of one part. Examine returns a description of the part, or its problem and the remedy.
type Check struct {
	Part    string
	Examine func(context.Context) (found, remedy string, err error)
}

// Run runs the check.
func (c Check) Run(ctx context.Context) schema.Finding {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	found, remedy, err := c.Examine(ctx)
	if err != nil {
		return schema.Finding{Part: c.Part, Found: Explain(err), Remedy: remedy}
	}
	return schema.Finding{Part: c.Part, OK: true, Found: found}
}

// silent discards the logs of the functions that a check calls, because findings report everything relevant.
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

func (d *Doctor) embeddedDatabase() (found, remedy string, err error) {
	set, err := assets.Open(d.Config.AssetsDir)
	if err == nil {
		_, err = set.Path(assets.Postgres)
	}
	if err != nil {
		return "", `run "make assets", or set database.url (DATABASE_URL)`, err
	}
	return `embedded Postgres, not running now; "plait up" and "plait translate" start it`, "", nil
}

func (d *Doctor) embeddedTemporal() (found, remedy string, err error) {
	path, err := temporal.FindBinary(d.Config.Temporal.Binary, d.Config.AssetsDir)
	if err != nil {
		return "", `run "make assets", install the Temporal CLI, or set temporal.address (TEMPORAL_ADDRESS)`, err
	}
	return fmt.Sprintf(`embedded server %s, not running now; "plait up" and "plait translate" start it`, path), "", nil
}

func (d *Doctor) database(ctx context.Context) (found, remedy string, err error) {
	if d.stopped && d.Config.Database.URL == "" {
		return d.embeddedDatabase()
	}
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
	if d.stopped && d.Config.Temporal.Address == "" {
		return d.embeddedTemporal()
	}
	remedy = "check temporal.address (TEMPORAL_ADDRESS) and temporal.namespace"
	c, err := DialTemporal(ctx, d.Config, "plait-doctor@"+HostName(), nil, silent())
	if err != nil {
		return "", remedy, err
	}
	defer c.Close()
	for _, queue := range d.Kinds.SharedQueues() {
		if err := polled(ctx, c, d.Config.Temporal.Namespace, queue); err != nil {
			return "", `start "plait worker" for the role that is missing`, err
		}
	}
	return "Temporal answers at " + d.Config.Temporal.Address + ", and workers poll every queue", "", nil
}

// polled fails when no worker polls the queue.
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
