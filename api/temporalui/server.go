package temporalui

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/netutil"
)

const (
	// CodecPath is the path of the codec, on the origin of the UI.
	CodecPath = "/codec"

	signInPath  = "/sign-in"
	signOutPath = "/sign-out"

	maxConnections  = 128
	maxHeaderBytes  = 32 << 10
	maxFormBytes    = 4 << 10
	maxCodecBytes   = 16 << 20 // enough for a page of history in the UI
	requestTimeout  = time.Minute
	headerTimeout   = 10 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 2 * time.Second
)

// ErrDenied means that a key may not see the UI.
var ErrDenied = errors.New("this key may not see the Temporal UI")

// Config configures a server.
type Config struct {
	// Upstream is the UI: http://host:port, https://host:port, or unix:///path.
	Upstream string
	// Codec serves /encode and /decode.
	Codec http.Handler
	// Authenticate checks a key. It fails with ErrDenied for a key without access, and with another error when the check itself fails.
	Authenticate func(ctx context.Context, key string) error
	// Hosts are the names under which browsers reach the server, besides localhost and loopback addresses.
	Hosts []string
	Log   *slog.Logger
}

// Server serves the UI behind the sign-in.
type Server struct {
	config   Config
	sessions sessions
	tokens   tokens
	proxy    http.Handler
	handler  http.Handler
}

// New makes a server. It fails when Upstream is not the address of a UI.
func New(c Config) (*Server, error) {
	s := &Server{config: c}
	var err error
	if s.proxy, err = newProxy(c.Upstream, c.Log); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+signInPath, s.showSignIn)
	mux.HandleFunc("POST "+signInPath, s.signIn)
	mux.HandleFunc("POST "+signOutPath, s.signOut)
	mux.Handle(CodecPath+"/", s.signedIn(http.StripPrefix(CodecPath, http.MaxBytesHandler(c.Codec, maxCodecBytes))))
	mux.Handle("/", s.signedIn(s.proxy))
	s.handler = s.hostChecked(http.NewCrossOriginProtection().Handler(mux))
	return s, nil
}

// ServeHTTP serves one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve serves until ctx ends.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, WriteTimeout: requestTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(netutil.LimitListener(listener, maxConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(stop); err != nil {
		_ = server.Close() // only requests that a browser can repeat remain
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// hostChecked refuses requests under other names. If the owner of a name points it to this machine ("DNS rebinding"), the browser treats a
// page of that name as one origin with the UI.
func (s *Server) hostChecked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Referrer-Policy", "same-origin")
		if !s.knowsHost(r.Host) {
			http.Error(w, "the Temporal UI is not served under this host name; add it to ui.hosts", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) knowsHost(hostPort string) bool {
	u := url.URL{Host: hostPort}
	name := strings.ToLower(u.Hostname())
	if address, err := netip.ParseAddr(name); err == nil && address.IsLoopback() {
		return true
	}
	return name == "localhost" || slices.Contains(s.config.Hosts, name)
}

func newProxy(upstream string, log *slog.Logger) (http.Handler, error) {
	u, err := url.Parse(upstream)
	if err != nil {
		return nil, fmt.Errorf("address of the Temporal UI: %w", err)
	}
	transport := &http.Transport{MaxConnsPerHost: maxConnections, IdleConnTimeout: idleTimeout, ResponseHeaderTimeout: requestTimeout}
	switch {
	case u.Scheme == "unix" && u.Path != "":
		socket := u.Path
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
		u = &url.URL{Scheme: "http", Host: "temporal-ui"}
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
	default:
		return nil, errors.New("address of the Temporal UI: must be http://host:port or unix:///path")
	}
	return &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(u)
			withoutSession(r.Out)
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			log.WarnContext(r.Context(), "the Temporal UI does not answer", "error", err)
			http.Error(w, "the Temporal UI does not answer", http.StatusBadGateway)
		},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}, nil
}
