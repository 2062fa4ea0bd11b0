package hostapi_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/hostapi"
	"plait/internal/core"
)

const (
	patience  = 30 * time.Second
	pollEvery = 5 * time.Millisecond
)

// serve runs the rig's server on a port, and returns what stops it and how it ended.
func (r *rig) serve() (address string, stop func(), ended <-chan error) {
	r.t.Helper()
	var lc net.ListenConfig
	listener, err := lc.Listen(r.t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(r.t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.t.Context()))
	r.t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- r.server.Serve(ctx, listener, patience) }()
	return "http://" + listener.Addr().String() + "/internal/translate/", cancel, done
}

func detectRequest(ctx context.Context, t *testing.T, url string) *http.Request {
	t.Helper()
	body, contentType := imageForm(enginetest.Page("一"), toEnglish...)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	require.NoError(t, err)
	request.Header.Set("Content-Type", contentType)
	request.Header.Set(hostapi.TokenHeader, token)
	return request
}

func TestACallerThatLeavesFreesTheDevice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	held := make(chan struct{})
	r.engine.Before = func(ctx context.Context, stage core.Stage, _ []byte) error {
		close(held)
		<-ctx.Done()
		return ctx.Err()
	}
	address, _, _ := r.serve()
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-held
		leave()
	}()
	_, err := http.DefaultClient.Do(detectRequest(ctx, t, address+"detect")) //nolint:bodyclose // there is none
	require.ErrorIs(t, err, context.Canceled)
	r.engine.Before = nil
	require.Eventually(t, func() bool { return r.form("detect", enginetest.Page("一")).status == http.StatusOK }, patience, pollEvery)
	require.Equal(t, 1, r.contexts.Stats().Leases)
}

func TestAStoppedServerEndsWhatItHas(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	held, release := make(chan struct{}, 2), make(chan struct{})
	r.engine.Before = func(context.Context, core.Stage, []byte) error {
		held <- struct{}{}
		<-release
		return nil
	}
	address, stop, ended := r.serve()
	status := make(chan int, 1)
	request := detectRequest(t.Context(), t, address+"page")
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			status <- 0
			return
		}
		_ = response.Body.Close()
		status <- response.StatusCode
	}()
	<-held
	stop()
	close(release)
	require.Equal(t, http.StatusOK, <-status)
	require.NoError(t, <-ended)
}
