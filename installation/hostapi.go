package installation

import (
	"context"
	"log/slog"
	"net"
	"slices"

	comicsteps "plait/activities/comic"
	"plait/hostapi"
	"plait/internal/config"
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
func startHostAPI(ctx context.Context, l *config.Loaded, roles []workers.Role, log *slog.Logger) (*hostServer, error) {
	if l.HostAPI.Address == "" || !slices.Contains(roles, workers.RoleGPU) {
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
	}, log)}
	go func() { h.ended <- h.Serve(ctx, listener, l.Worker.StopTimeout) }()
	return h, nil
}

// ready lets requests in, which share device and contexts with the steps.
func (h *hostServer) ready(steps *comicsteps.Activities) {
	if h != nil {
		h.Ready(hostapi.Parts{Contexts: steps.Leases, Device: steps.Device(), Translate: steps.TranslateStandalone})
	}
}

// drainWith refuses new pages once the process drains.
func (h *hostServer) drainWith(ctx context.Context, p *workers.Presence) error {
	select {
	case <-p.Drain():
		if h != nil {
			h.Drain()
		}
	case <-ctx.Done():
	}
	return nil
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
