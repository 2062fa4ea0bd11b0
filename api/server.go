package api

import (
	"log/slog"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"

	"plait/internal/blob"
	"plait/internal/records"
	"plait/tasks"
)

// Deps is what the API serves from.
type Deps struct {
	// Tasks knows the same kinds.
	Tasks    *tasks.Service
	Kinds    []Kind
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	Config   Config
	Log      *slog.Logger
	Registry *prometheus.Registry
	Version  string
}

// Config bounds the server. Every field is required.
type Config struct {
	// RequestTimeout is for requests other than uploads and downloads, which have UploadTimeout. It is also how long an
	// upload or a download may be idle.
	RequestTimeout, UploadTimeout time.Duration
	// ShutdownTimeout is how long requests under way may take when the server stops.
	ShutdownTimeout time.Duration
	// MaxConnections are open at once, MaxConnectionsPerAddress of them from one client address, or IPv6 network of 64 bits; 0 is no
	// bound of its own. When three quarters are taken, idle connections are closed.
	MaxConnections, MaxConnectionsPerAddress int
	// MaxUploads is how many uploads of one tenant are spooled and checked at once; more are answered RATE_LIMITED.
	MaxUploads int
	// MinUploadRate is the fewest bytes a second that a client may send, over any RequestTimeout of waiting for it; 0 is no bound.
	MinUploadRate int64
	// MaxBody is the most bytes of a request, and of all files that a request names. The uploads of a tenant take MaxUploads
	// times as much of the folder for temporary files.
	MaxBody  int64
	MaxPages int
	// MinFree is how many bytes stay free on the disks of Folders: uploads are refused below it, with STORAGE_FULL.
	MinFree int64
	Folders []string
}

// maxLookups bounds how many keys are looked up at once: a flood of made-up keys must not take the database from those
// who have one.
const maxLookups = 32

// Server is the API.
type Server struct {
	Deps
	echo      *echo.Echo
	uploads   *tenantSlots
	lookups   chan struct{}
	requests  *inFlight
	readiness *readiness
	metrics   *metrics
}

// New makes the API. It serves nothing before [Server.Serve].
func New(d Deps) *Server {
	s := &Server{
		Deps: d, echo: echo.New(), uploads: newTenantSlots(d.Config.MaxUploads), lookups: make(chan struct{}, maxLookups),
		requests: newInFlight(), metrics: newMetrics(d.Registry, d.Version),
	}
	s.readiness = &readiness{check: s.checkParts}
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.route()
	return s
}
