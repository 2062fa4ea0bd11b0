package api

import (
	"context"
	"errors"
	"sync"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

// checkKeysEvery is how often the keys of open streams are checked.
const checkKeysEvery = 5 * time.Second

// The reasons to cut streams.
var (
	errKeyInvalid = errors.New("the API key is expired or revoked")
	errStopping   = errors.New("the server is stopping; connect again")
)

// streams bounds the open streams, in all and per tenant, and cuts them.
type streams struct {
	most    int
	tenants *tenantSlots

	mu      sync.Mutex
	open    map[*openStream]bool
	stopped bool
}

type openStream struct {
	key int64
	cut context.CancelCauseFunc
}

// tooManyStreams is what a client is told whose stream is not opened.
const tooManyStreams = "too many event streams are open; close some, or try again later"

func newStreams(config Config) *streams {
	return &streams{
		most: config.MaxStreams, tenants: &tenantSlots{most: config.MaxStreamsPerTenant, refusal: tooManyStreams}, open: map[*openStream]bool{},
	}
}

// enter begins a stream, whose context ends with the reason when it is cut. It fails with [core.CodeRateLimited], and with
// [core.CodeUnavailable] after stop.
func (s *streams) enter(ctx context.Context, key records.Key) (streaming context.Context, leave func(), err error) {
	leaveTenant, err := s.tenants.take(ctx, key.Tenant)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || len(s.open) >= s.most {
		leaveTenant()
		if s.stopped {
			return nil, nil, core.NewError(core.CodeUnavailable, errStopping.Error())
		}
		return nil, nil, core.NewError(core.CodeRateLimited, tooManyStreams)
	}
	streaming, cut := context.WithCancelCause(ctx)
	o := &openStream{key: key.ID, cut: cut}
	s.open[o] = true
	return streaming, sync.OnceFunc(func() {
		cut(nil)
		leaveTenant()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, o)
	}), nil
}

func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// stop ends all streams, and admits no more.
func (s *streams) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for o := range s.open {
		o.cut(errStopping)
	}
}

// cut ends the streams of a key.
func (s *streams) cut(key int64, reason error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for o := range s.open {
		if o.key == key {
			o.cut(reason)
		}
	}
}

// keys are those of the open streams.
func (s *streams) keys() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[int64]bool{}
	var ids []int64
	for o := range s.open {
		if !seen[o.key] {
			seen[o.key] = true
			ids = append(ids, o.key)
		}
	}
	return ids
}

// checkKeys cuts the streams of keys that became invalid, until ctx ends. While the database does not answer, no stream gets events.
func (s *Server) checkKeys(ctx context.Context) {
	tick := time.NewTicker(checkKeysEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		ids := s.streams.keys()
		if len(ids) == 0 {
			continue
		}
		invalid, err := s.Records.InvalidKeys(ctx, ids)
		if err != nil {
			s.Log.Warn("the keys of open streams cannot be checked", "error", err)
			continue
		}
		for _, id := range invalid {
			s.streams.cut(id, errKeyInvalid)
		}
	}
}
