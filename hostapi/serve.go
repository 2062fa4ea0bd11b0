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
	// answerTime is for sending the answer of a request that used up its time.
	answerTime = 10 * time.Second
	// connectionsARequest leaves callers room to be refused, rather than to wait.
	connectionsARequest = 8
)

// Serve answers on the listener until ctx ends. Then new pages are refused, and the requests under way end, for grace at
// most.
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

// TokenHeader has the secret that host and callers share.
const TokenHeader = "X-Internal-Token"

// authorized compares digests, so that its time shows neither the token nor its length.
func (s *Server) authorized(r *http.Request) bool {
	given := sha256.Sum256([]byte(r.Header.Get(TokenHeader)))
	return subtle.ConstantTimeCompare(given[:], s.token[:]) == 1
}
