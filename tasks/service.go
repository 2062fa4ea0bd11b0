package tasks

import (
	"log/slog"
	"sync"

	"go.temporal.io/sdk/client"

	"plait/internal/archive"
	"plait/internal/blob"
	"plait/internal/picture"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
)

// Limits bounds what a client may ask for. A field that is zero takes its default.
type Limits struct {
	Picture picture.Limits
	Archive archive.Limits
	// MaxPages is the largest number of pages of a chapter. Defaults to 2,000.
	MaxPages int
	// Window is the number of pages of a chapter in flight. Defaults to that of the workflow.
	Window int
}

const defaultMaxPages = 2000

func (l Limits) orDefaults() Limits {
	defaults := picture.DefaultLimits()
	if l.Picture.MaxBytes <= 0 {
		l.Picture.MaxBytes = defaults.MaxBytes
	}
	if l.MaxPages <= 0 {
		l.MaxPages = defaultMaxPages
	}
	return l
}

// Deps are what a service works with.
type Deps struct {
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	Limits   Limits
	// CheckSource fails for a source language that the workers cannot read. Nil where this process does not know what they
	// read: then detect fails.
	CheckSource func(from string) error
	// Retention is kept by the sweeper.
	Retention Retention
	Log       *slog.Logger
	// Metrics may be nil.
	Metrics *Metrics
}

// Service accepts tasks and sees them through. It is safe for concurrent use, and several processes may have one each.
type Service struct {
	records  *records.Store
	chapters comicrecords.Store
	blobs    blob.Store
	temporal client.Client
	limits   Limits
	// checkSource is never nil.
	checkSource func(from string) error
	// retention is what Deps say, with its defaults.
	retention Retention
	log       *slog.Logger
	metrics   *Metrics

	// buffers are what pages are read into: whoever surveys a page waits for one.
	buffers chan []byte
	// sweeping keeps sweeps of this process apart, and guards where the last one stopped.
	sweeping         sync.Mutex
	unstarted, stale records.Cursor
}

// surveyBuffers of up to the largest page (64 MiB by default) are all the memory for pages of requests.
const surveyBuffers = 1

// New makes a service.
func New(d Deps) *Service {
	s := &Service{
		records: d.Records, chapters: comicrecords.New(d.Records), blobs: d.Blobs, temporal: d.Temporal, limits: d.Limits.orDefaults(), log: d.Log,
		retention: d.Retention, metrics: d.Metrics, checkSource: d.CheckSource,
		buffers: make(chan []byte, surveyBuffers),
	}
	if s.checkSource == nil {
		s.checkSource = func(string) error { return nil }
	}
	if s.retention.Uploads <= 0 {
		s.retention.Uploads = defaultUploads
	}
	for range surveyBuffers {
		s.buffers <- nil
	}
	return s
}
