package api

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/memory"
	"plait/internal/records"
	"plait/tasks"
)

// Contract is an API of a kind in the form of a service whose clients exist already: with its own bodies and codes of errors, at the path of
// the kind below each prefix. Authentication, limits, durability, events and links are those of all kinds.
type Contract struct {
	// Prefixes go before /v1; an empty one is the API's own.
	Prefixes []string
	// Code returns the contract's word for an error with this code, which is answered with this status.
	Code func(code core.Code, status int) string
	// Memory bounds what the bodies of large requests take until they are decoded and their files are on disk. The kind may use it for what it
	// decodes afterwards.
	Memory *memory.Budget
	// Estimates is whether one of the resources is /estimate.
	Estimates bool
	// Routes adds the resources.
	Routes func(ContractRoutes)
}

// ContractRoutes adds resources below the path of the kind.
type ContractRoutes struct {
	server *Server
	group  *echo.Group
	kind   Kind
}

// Request is an authenticated request for a resource of a contract.
type Request struct {
	echo.Context
	Tenant string
	server *Server
	kind   Kind
}

func (s *Server) routeContract(k Kind) {
	for _, prefix := range k.Contract.Prefixes {
		k.Contract.Routes(ContractRoutes{server: s, group: s.echo.Group(prefix + v1), kind: k})
	}
}

// Post adds a resource whose requests have bodies of at most so many bytes.
func (r ContractRoutes) Post(path string, most int64, handle func(*Request) error) {
	r.group.POST(r.kind.Path+path, r.handler(handle), r.large(most)...)
}

// PostOnce is Post for requests that change nothing by themselves: with an idempotency key, a repetition is answered as the first one was.
func (r ContractRoutes) PostOnce(path string, most int64, handle func(*Request) error) {
	r.group.POST(r.kind.Path+path, r.handler(handle), r.server.once(func(echo.Context) int64 { return most }, r.large(most))...)
}

func (r ContractRoutes) large(most int64) []echo.MiddlewareFunc {
	return r.keyed(r.server.requireSpace, r.server.limitLarge(most), allowQuery())
}

// Get adds a readable resource.
func (r ContractRoutes) Get(path string, handle func(*Request) error) {
	get(r.group, r.kind.Path+path, r.handler(handle), r.keyed(timeout(r.server.Config.RequestTimeout), allowQuery())...)
}

// Delete adds a resource that can be deleted.
func (r ContractRoutes) Delete(path string, handle func(*Request) error) {
	r.group.DELETE(r.kind.Path+path, r.handler(handle), r.keyed(timeout(r.server.Config.RequestTimeout), allowQuery())...)
}

// Events adds the stream of events of the task :id.
func (r ContractRoutes) Events(path string) {
	stream := r.handler(func(of *Request) error {
		if _, err := of.Task(of.Context.Request().Context()); err != nil {
			return err
		}
		return r.server.streamTask(of.Context)
	})
	get(r.group, r.kind.Path+path, stream, r.keyed(allowQuery(lastEventParameter))...)
}

func (r ContractRoutes) keyed(m ...echo.MiddlewareFunc) []echo.MiddlewareFunc {
	word := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set(contextContract, r.kind.Contract)
			return next(c)
		}
	}
	return append([]echo.MiddlewareFunc{word}, r.server.keyed(m...)...)
}

func (r ContractRoutes) handler(handle func(*Request) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		return handle(&Request{Context: c, Tenant: tenantOf(c), server: r.server, kind: r.kind})
	}
}

const contextContract = "contract"

// codeFor returns the code that the client of a request gets.
func codeFor(c echo.Context, code core.Code, status int) core.Code {
	if contract, of := c.Get(contextContract).(*Contract); of {
		return core.Code(contract.Code(code, status))
	}
	return code
}

// ID returns the id of the request.
func (r *Request) ID() string { return requestIDOf(r) }

// DecodeJSON reads a body of one JSON object into a value, and calls taken, which puts what is large in it on disk: until then the request
// holds its share of the memory of the contract. It fails with INVALID_INPUT for another content type, unknown fields and repeated fields,
// with TOO_LARGE for more than most bytes, and as taken does.
func (r *Request) DecodeJSON(most int64, into any, taken func() error) error {
	if size := r.Context.Request().ContentLength; size > smallBody {
		held, err := r.kind.Contract.Memory.Reserve(r.Context.Request().Context(), decodedTimes*size, memory.Admit)
		if err != nil {
			return err
		}
		defer held.Release()
	}
	if err := decodeBody(r, most, into); err != nil {
		return err
	}
	return taken()
}

// Spool puts the content of a field on disk until done is called. It fails with INVALID_INPUT when the content cannot be read.
func (r *Request) Spool(field string, content io.Reader) (file tasks.Upload, done func(), err error) {
	in := newSpool(math.MaxInt64 - 1)
	if err := in.add(field, content); err != nil {
		in.Close()
		return file, nil, err
	}
	return in.files[0], in.Close, nil
}

// IdempotencyKey returns the key of the header Idempotency-Key; it is empty without one.
func (r *Request) IdempotencyKey() (string, error) { return idempotencyKey(r.Context.Request().Header) }

// Open returns a file of most bytes at the largest that a field names, by the URL of a public address or as the blob of an upload, within the
// largest size of a request. It is kept on disk until it is closed.
func (r *Request) Open(field, name string, most int64) (file tasks.Upload, done func(), err error) {
	in := newSpool(min(most, r.server.maxBody(r)))
	defer func() {
		if err != nil {
			in.Close()
		}
	}()
	if _, notBlob := core.ParseBlobRef(name); notBlob == nil {
		err = r.server.readUpload(r, field, core.BlobRef(name), func(content io.Reader) error { return inField(field, in.add(field, content)) })
	} else if err = r.server.checkURL(field, name); err == nil {
		err = r.server.fetchRemote(r.Context.Request().Context(), in, remote{field: field, url: name})
	}
	if err != nil {
		return file, nil, err
	}
	return in.files[0], in.Close, nil
}

// Repeated returns the task of an earlier request with the same idempotency key and hash; found is false when there is none.
func (r *Request) Repeated(ctx context.Context, key, hash string) (t records.Task, found bool, err error) {
	return r.server.Tasks.Repeated(ctx, r.Tenant, key, hash)
}

// Accept makes the task of a plan durable and starts it. Created is false for a repetition.
func (r *Request) Accept(ctx context.Context, p tasks.Plan) (t records.Task, created bool, err error) {
	return r.server.Tasks.Accept(ctx, p)
}

// Task reads the task :id of the tenant. It fails with NOT_FOUND for a task of another kind.
func (r *Request) Task(ctx context.Context) (records.Task, error) {
	id, err := taskID(r)
	if err != nil {
		return records.Task{}, err
	}
	t, err := r.server.Records.Task(ctx, r.Tenant, id)
	if err == nil && t.Kind != r.kind.Name {
		err = core.Errorf(core.CodeNotFound, "there is no task %q of this kind", t.ID)
	}
	return t, err
}

// Cancel cancels a task.
func (r *Request) Cancel(ctx context.Context, id string) (records.Task, error) {
	return r.server.Tasks.Cancel(ctx, r.Tenant, id)
}

// DeleteTask deletes an ended task. It fails with CONFLICT while the task runs.
func (r *Request) DeleteTask(ctx context.Context, id string) error {
	return r.server.Tasks.Delete(ctx, r.Tenant, id)
}

// ItemLink returns a link to the result of an item that needs no key, until then.
func (r *Request) ItemLink(taskID string, item int, until time.Time) schema.Link {
	return r.server.signedLink(r, itemPath(taskID, item)+"/"+schema.FileResult, until)
}
