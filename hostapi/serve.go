package hostapi

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

const (
	readHeaderTimeout = 5 * time.Second
	idleTimeout       = time.Minute
	maxHeaderBytes    = 16 << 10
	// answerTime is the time to send the answer of a request that used up its own time.
	answerTime = 10 * time.Second
	// connectionsARequest allows more connections than requests, so that further callers are refused instead of waiting.
	connectionsARequest = 8
)

// Serve answers on the listener until ctx ends. Then it refuses new pages while the requests under way finish, for at most grace.
func (s *Server) Serve(ctx context.Context, listener net.Listener, grace time.Duration) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: s.config.Timeout,
		WriteTimeout: s.config.Timeout + answerTime, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() {
		ended <- server.Serve(netutil.LimitListener(listener, connectionsARequest*s.config.MaxRequests))
	}()
	s.log.Info("serving the split contract", "address", listener.Addr().String())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.Drain()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(end); err != nil {
		s.log.Warn("requests were cut off at the end of the stop time-out")
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// TokenHeader carries the secret that host and callers share.
const TokenHeader = "X-Internal-Token"

// authorized compares digests, so that its timing reveals neither the token nor its length.
func (s *Server) authorized(r *http.Request) bool {
	given := sha256.Sum256([]byte(r.Header.Get(TokenHeader)))
	return subtle.ConstantTimeCompare(given[:], s.token[:]) == 1
}
