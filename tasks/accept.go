package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/uuid"

	"plait/internal/core"
	"plait/internal/records"
)

// Content is a file of a task, identified by the hash of its content.
type Content struct {
	// Name is the file name, with its folder where there is one.
	Name string
	// Size is in bytes; for a damaged file it is an estimate.
	Size int64
	Ref  core.BlobRef
	// Open returns the content, and can be called repeatedly.
	Open func() (io.ReadCloser, error)
}

// Read opens the file, calls use, and gives every error a code: errors of an archive already have one, and any other is a fault of this
// machine, which holds the upload.
func (c Content) Read(ctx context.Context, use func(io.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := c.Open()
	if err != nil {
		return err
	}
	err = use(r)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	if err != nil && core.CodeOf(err) == core.CodeInternal {
		return core.Wrap(core.CodeUnavailable, err, "the upload cannot be read")
	}
	return err
}

// Identify reads the file once, to compute its hash. It fails like [Content.Read].
func (c *Content) Identify(ctx context.Context) error {
	sum := sha256.New()
	err := c.Read(ctx, func(r io.Reader) error {
		_, err := io.Copy(sum, r)
		return err
	})
	c.Ref = core.NewBlobRef([sha256.Size]byte(sum.Sum(nil)))
	return err
}

// File is a further file of a task.
type File struct {
	Content
	// Role is its use, as in [records.File].
	Role string
	// Item is the index of the item whose content the file is; nil for any other file.
	Item *int
}

// Plan is a request that its kind has checked, and the task that results from it.
type Plan struct {
	Kind          core.Kind
	Tenant, Title string
	// Options are the options of the kind, as a JSON object.
	Options json.RawMessage
	// Priority is as in [records.NewTask].
	Priority int
	// Items are the inputs of the items in their order, and Files the further files in the order of their roles.
	Items []Content
	Files []File
	// Details returns statements of the kind that are run when the task is written; nil means none.
	Details func(taskID string) []records.Statement
	// Covers is what else, besides kind, items and files, distinguishes this request from another one; it is encoded as JSON.
	Covers any
	// Tokens is an estimate of the tokens that the model calls of the task will use; 0 for a task that calls no model.
	Tokens int64
	// IdempotencyKey makes a repetition of the request return the first task.
	IdempotencyKey string
	// CallbackURL is told of the end of the task; it may be empty.
	CallbackURL string
	// RequestHash identifies the request among those with its key, for a request whose files are known only after they were fetched. When
	// it is empty, it is computed from kind, items, files, Covers and CallbackURL.
	RequestHash string
	// Close frees what the contents of the plan are read from; nil when there is nothing to free.
	Close func() error
}

// maxStartBytes keeps the input of a workflow within the 2 MiB that Temporal accepts for a payload.
const maxStartBytes = 1_800_000

// Accept makes a request durable and starts its workflow. For a repetition of a request under its idempotency key it returns the first
// task, and created is false. It fails with TOO_LARGE for more items than a workflow can receive at once, with CONFLICT for a different
// request under the same key, with RATE_LIMITED beyond a limit of the tenant's tier, and with UNAVAILABLE.
func (s *Service) Accept(ctx context.Context, p Plan) (t records.Task, created bool, err error) {
	n, err := p.task()
	if err != nil {
		return records.Task{}, false, err
	}
	if t, found, err := s.Repeated(ctx, p.Tenant, p.IdempotencyKey, n.RequestHash); err != nil || found {
		return t, false, err
	}
	if t, created, err = s.store(ctx, n, p); err != nil {
		return records.Task{}, false, err
	}
	s.startAccepted(ctx, t)
	return t, created, nil
}

// Repeated returns the task of an earlier request under the idempotency key. It fails with CONFLICT when that request has another
// [Plan.RequestHash]. Found is false when there is none, or no key.
func (s *Service) Repeated(ctx context.Context, tenant, key, hash string) (t records.Task, found bool, err error) {
	if key == "" {
		return records.Task{}, false, nil
	}
	t, err = s.records.TaskByKey(ctx, tenant, key)
	if core.CodeOf(err) == core.CodeNotFound {
		return records.Task{}, false, nil
	}
	if err == nil {
		t, err = s.repeated(ctx, t, hash)
	}
	return t, err == nil, err
}

// repeated handles a repetition. The first request may have stopped before it started the workflow.
func (s *Service) repeated(ctx context.Context, t records.Task, hash string) (records.Task, error) {
	if err := t.Repeats(hash); err != nil {
		return records.Task{}, err
	}
	s.startAccepted(ctx, t)
	return t, nil
}

// task returns the row of the plan, under a new id.
func (p Plan) task() (records.NewTask, error) {
	id, err := uuid.NewV7() // ids in ascending order keep the indexes compact
	if err != nil {
		return records.NewTask{}, fmt.Errorf("make a task id: %w", err)
	}
	n := records.NewTask{
		ID: id.String(), Tenant: p.Tenant, Kind: p.Kind, Title: p.Title, Options: p.Options, Priority: p.Priority,
		IdempotencyKey: p.IdempotencyKey, Tokens: p.Tokens, CallbackURL: p.CallbackURL,
	}
	n.Sizes = p.sizes()
	if p.Details != nil {
		n.Details = p.Details(n.ID)
	}
	for i, c := range p.Items {
		n.Items = append(n.Items, core.Item{TaskID: n.ID, Tenant: n.Tenant, Index: i, Name: c.Name, Blob: c.Ref})
	}
	positions := map[string]int{}
	for _, f := range p.Files {
		file := records.File{Role: f.Role, Position: positions[f.Role], Name: f.Name, Blob: f.Ref, ItemIndex: f.Item}
		if f.Item != nil {
			file.Blob = ""
		}
		n.Files = append(n.Files, file)
		positions[f.Role]++
	}
	size, err := json.Marshal(n.Items)
	if err != nil {
		return records.NewTask{}, fmt.Errorf("describe the items: %w", err)
	}
	if len(size) > maxStartBytes {
		return records.NewTask{}, core.NewError(core.CodeTooLarge, "the task has too many items for the length of their names")
	}
	if n.RequestHash = p.RequestHash; n.RequestHash == "" {
		n.RequestHash, err = p.digest(n.Files)
	}
	return n, err
}

// sizes are those of all files of the plan.
func (p Plan) sizes() map[core.BlobRef]int64 {
	sizes := map[core.BlobRef]int64{}
	for _, c := range p.Items {
		sizes[c.Ref] = c.Size
	}
	for _, f := range p.Files {
		if f.Item == nil {
			sizes[f.Ref] = f.Size
		}
	}
	return sizes
}

// digest returns a hash of the content of the request.
func (p Plan) digest(files []records.File) (string, error) {
	type named struct {
		Name string
		Blob core.BlobRef
	}
	items := make([]named, len(p.Items))
	for i, c := range p.Items {
		items[i] = named{c.Name, c.Ref}
	}
	b, err := json.Marshal(struct {
		Kind   core.Kind
		Items  []named
		Files  []records.File
		Covers any
		// Omitted when empty, so that it is no part of other requests.
		CallbackURL string `json:",omitempty"`
	}{p.Kind, items, files, p.Covers, p.CallbackURL})
	if err != nil {
		return "", fmt.Errorf("describe the request: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
