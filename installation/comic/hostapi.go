package comicinstallation

import (
	"context"
	"net"
	"slices"

	comicsteps "plait/activities/comic"
	"plait/hostapi"
	"plait/installation"
	"plait/internal/core"
	"plait/workers"
)

// hostServer is the split contract over HTTP beside a worker. A nil one serves nothing.
type hostServer struct {
	*hostapi.Server
	stop  context.CancelFunc
	ended chan error
}

// startHostAPI serves when host_api.address is set and the worker has a device. Until it is ready, callers are told
// NOT_READY: it starts before the models are loaded.
func startHostAPI(ctx context.Context, w installation.Worker) (*hostServer, error) {
	l := w.Config
	if l.HostAPI.Address == "" || !slices.Contains(w.Roles, workers.RoleGPU) {
		return nil, nil
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", l.HostAPI.Address)
	if err != nil {
		return nil, core.Errorf(core.CodeUnavailable, "host_api.address: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	h := &hostServer{stop: stop, ended: make(chan error, 1), Server: hostapi.New(hostapi.Config{
		Token: l.HostAPI.Token, MaxImageBytes: int64(l.Limits.MaxPageBytes), MaxRequests: l.HostAPI.MaxRequests, Timeout: l.HostAPI.Timeout,
	}, w.Log)}
	go func() { h.ended <- h.Serve(ctx, listener, l.Worker.StopTimeout) }()
	return h, nil
}

// ready lets requests in, which share device and contexts with the steps.
func (h *hostServer) ready(steps *comicsteps.Activities) {
	if h != nil {
		h.Ready(hostapi.Parts{Contexts: steps.Leases, Device: steps.Device(), Translate: steps.TranslateStandalone})
	}
}

// run refuses new pages once the process drains, and returns when the last request has ended, after ctx or close has.
func (h *hostServer) run(ctx context.Context, drain <-chan struct{}) error {
	if h == nil {
		return nil
	}
	select {
	case <-drain:
		h.Drain()
	case <-ctx.Done():
	}
	return h.wait()
}

// wait returns when the last request has ended, after ctx or close has.
func (h *hostServer) wait() error {
	if h == nil {
		return nil
	}
	err := <-h.ended
	h.ended <- err
	return err
}

// close ends a server that nothing else will.
func (h *hostServer) close() {
	if h != nil {
		h.stop()
		_ = h.wait()
	}
}
