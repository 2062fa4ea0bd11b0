package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	// answerTime is the time to send the answer of a handler that used up its own time.
	answerTime = 10 * time.Second
	// closeTime is the time for handlers to return after their requests were cut off.
	closeTime = 5 * time.Second
)

// Serve answers on the listener until ctx ends. Then it refuses new requests with UNAVAILABLE while those under way finish, for at most
// ShutdownTimeout, and closes the listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	requests, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	places := newConnections(listener, s.Config)
	server := &http.Server{
		Handler:           s.echo,
		ConnState:         places.stateChanged,
		ConnContext:       withPlace,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: min(readHeaderTimeout, s.Config.RequestTimeout),
		// Uploads and downloads extend these deadlines as long as the client is fast enough: see requestBody.
		ReadTimeout:    s.Config.RequestTimeout,
		WriteTimeout:   s.Config.RequestTimeout + answerTime,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:       slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	defer s.events.Close()
	go s.checkKeys(requests)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(places) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	err := s.shutDown(requests, server, cut)
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// shutDown ends the server and returns after the last handler, so that the caller can close what handlers use.
func (s *Server) shutDown(ctx context.Context, server *http.Server, cut func()) error {
	drain, cancel := context.WithTimeout(ctx, s.Config.ShutdownTimeout)
	defer cancel()
	idle := s.requests.drain()
	s.streams.stop()
	select {
	case <-idle:
	case <-drain.Done():
	}
	err := server.Shutdown(drain)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.Log.Warn("requests were cut off at the end of the shutdown time-out")
	err = server.Close()
	cut()
	select {
	case <-idle:
	case <-time.After(closeTime):
		s.Log.Error("a request is still running after it was cut off")
	}
	return err
}
