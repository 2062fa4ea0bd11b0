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

// hostServer serves the split contract over HTTP next to a worker. A nil one serves nothing.
type hostServer struct {
	*hostapi.Server
	stop  context.CancelFunc
	ended chan error
}

// startHostAPI starts the server when host_api.address is set and the worker has a device. It starts before the models are loaded; until
// ready is called, callers get NOT_READY.
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

// ready admits requests, which share device and contexts with the steps.
func (h *hostServer) ready(steps *comicsteps.Activities) {
	if h != nil {
		h.Ready(hostapi.Parts{Contexts: steps.Leases, Device: steps.Device(), Translate: steps.TranslateStandalone})
	}
}

// run refuses new pages once the process drains. It returns when the last request has ended, after ctx has ended or close was called.
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

// wait returns when the last request has ended, after ctx has ended or close was called.
func (h *hostServer) wait() error {
	if h == nil {
		return nil
	}
	err := <-h.ended
	h.ended <- err
	return err
}

// close stops a server whose run was never called.
func (h *hostServer) close() {
	if h != nil {
		h.stop()
		_ = h.wait()
	}
}
