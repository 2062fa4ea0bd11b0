package api

import (
	"context"
	"log/slog"
	"net/netip"
	"runtime"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"

	"plait/api/schema"
	"plait/internal/blob"
	"plait/internal/events"
	"plait/internal/fetch"
	"plait/internal/picture"
	"plait/internal/records"
	"plait/internal/webhook"
	"plait/tasks"
)

// Deps are the dependencies of the API.
type Deps struct {
	// Tasks must have the same kinds.
	Tasks    *tasks.Service
	Kinds    []Kind
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	// Namespace is that of Temporal, and Queues are the task queues that processes share.
	Namespace string
	Queues    []string
	// Fetch fetches files that requests name by URL; nil means that such requests are refused.
	Fetch *fetch.Client
	// LinkKeys sign links: the first one signs, all verify. There is at least one.
	LinkKeys [][]byte
	// Webhooks are the secrets that sign messages to tenants. Their box also seals the answers to requests with an idempotency key.
	Webhooks webhook.Secrets
	// TemporalUI returns the address of the namespace in the Temporal UI, for a key that signs in there; empty for any other. Nil means that
	// there is no UI.
	TemporalUI func(records.Key) string
	// Checks are the parts of the installation that administrators can have checked, and Check checks one of them.
	Checks []string
	Check  func(ctx context.Context, part string) (schema.Finding, error)
	// Translator finds the model that translates when a request names none; it returns nil when none is configured. Nil means that it is
	// not known.
	Translator func(context.Context) (*schema.CapableTranslator, error)
	Config     Config
	Log        *slog.Logger
	Registry   *prometheus.Registry
	Version    string
}

// Config configures the server. TrustedProxies, CORSOrigins and PublicURL may be empty.
type Config struct {
	// RequestTimeout applies to requests other than uploads and downloads, which have UploadTimeout. It is also the longest time that an
	// upload or a download may be idle.
	RequestTimeout, UploadTimeout time.Duration
	// ShutdownTimeout is how long requests under way may take when the server stops.
	ShutdownTimeout time.Duration
	// MaxConnections bounds the open connections, and MaxConnectionsPerAddress those of one client address or IPv6 /64 network; 0 means no
	// bound. When all are taken, a new one takes the place of one without an authenticated request.
	MaxConnections, MaxConnectionsPerAddress int
	// MaxRequestsPerTenant is how many requests of one tenant may be under way at once, of every sort; 0 means no bound. Further ones are
	// answered RATE_LIMITED.
	MaxRequestsPerTenant int
	// MaxUploads is how many uploads of one tenant are spooled and checked at once; further ones wait.
	MaxUploads int
	// AdmissionTimeout is how long a request waits, before its body is read, for the lookup of its key, and an upload for its turn among
	// those of its tenant. Then it is answered RATE_LIMITED.
	AdmissionTimeout time.Duration
	// MaxStreams is how many event streams may be open, and MaxStreamsPerTenant those of one tenant; further ones are answered RATE_LIMITED.
	MaxStreams, MaxStreamsPerTenant int
	// MinUploadRate is the fewest bytes a second that a client must send, averaged over any RequestTimeout of waiting for it; 0 means no
	// bound.
	MinUploadRate int64
	// MaxBody is the largest size in bytes of a request, and of all files that a request names. The uploads of a tenant take up to
	// MaxUploads times as much in the folder for temporary files.
	MaxBody int64
	// Picture bounds the pictures that previews are made of.
	Picture  picture.Limits
	MaxPages int
	// TrustedProxies are the networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. None means that these
	// headers are ignored.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins whose pages may use the API.
	CORSOrigins []string
	// PresignedLinks says that signed links lead to the blob store itself, where it can give out links.
	PresignedLinks bool
	// PublicURL is the scheme and host under which clients reach the API, for signed links; when empty, those of the request.
	PublicURL string
	// MinFree is the number of bytes that stay free on the disks of Folders: below it, uploads are refused with STORAGE_FULL.
	MinFree int64
	Folders []string
}

// maxLookups bounds how many keys are looked up at once, so that a flood of invalid keys cannot occupy the database that valid clients
// need.
const maxLookups = 32

// Server is the API.
type Server struct {
	Deps
	echo *echo.Echo
	// shares bound the requests under way of each tenant; nil means no bound.
	shares   *tenantSlots
	uploads  *tenantSlots
	lookups  chan struct{}
	previews chan struct{}
	// checking admits one check of a part at a time.
	checking  chan struct{}
	requests  *inFlight
	streams   *streams
	events    *events.Hub
	readiness *readiness
	metrics   *metrics
}

// New makes the API. It starts to serve with [Server.Serve].
func New(d Deps) *Server {
	s := &Server{
		Deps: d, echo: echo.New(), shares: newShares(d.Config), uploads: newUploads(d.Config), lookups: make(chan struct{}, maxLookups),
		previews: make(chan struct{}, min(maxPreviews, max(1, runtime.GOMAXPROCS(0)/2))), checking: make(chan struct{}, 1),
		requests: newInFlight(), streams: newStreams(d.Config),
		events: events.NewHub(d.Records, eventBuffer, encodeEvent), metrics: newMetrics(d.Registry, d.Version),
	}
	d.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "plait_event_streams", Help: "Event streams that are open.",
	}, func() float64 { return float64(s.streams.count()) }))
	s.readiness = &readiness{check: s.checkParts}
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.IPExtractor = clientAddress(d.Config.TrustedProxies)
	s.route()
	return s
}
