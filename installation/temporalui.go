package installation

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"

	"go.temporal.io/sdk/converter"

	"plait/api/temporalui"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/records"
)

// temporalUI is the Temporal UI of this process, behind its sign-in.
type temporalUI struct {
	server   *temporalui.Server
	listener net.Listener
	store    *records.Store
}

// openTemporalUI makes a server for the UI at upstream and listens on its address.
func openTemporalUI(ctx context.Context, l *config.Loaded, upstream string, log *slog.Logger) (*temporalUI, error) {
	keys, err := payloadKeys(l)
	if err != nil {
		return nil, err
	}
	store, err := OpenRecords(ctx, l)
	if err != nil {
		return nil, err
	}
	u := &temporalUI{store: store}
	u.server, err = temporalui.New(temporalui.Config{
		Upstream: upstream, Codec: converter.NewPayloadCodecHTTPHandler(keys.Codec()), Hosts: uiHosts(l), Log: log,
		Authenticate: func(ctx context.Context, key string) error { return mayLook(ctx, store, key, l.UI.Tenant) },
	})
	if err == nil {
		u.listener, err = listen(ctx, l, "ui.address", l.UI.Address)
	}
	if err != nil {
		store.Close()
		return nil, err
	}
	return u, nil
}

// uiHosts returns the names of the UI in the configuration.
func uiHosts(l *config.Loaded) []string {
	names := strings.Split(strings.ToLower(l.UI.Hosts), ",")
	host, _, _ := net.SplitHostPort(l.UI.Address) // the check of the configuration has validated it
	if ip := net.ParseIP(host); ip == nil || !ip.IsUnspecified() {
		names = append(names, strings.ToLower(host))
	}
	var hosts []string
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			hosts = append(hosts, name)
		}
	}
	return hosts
}

// mayLook fails with temporalui.ErrDenied for a key of another tenant, and for a key without the scope admin.
func mayLook(ctx context.Context, store *records.Store, key, tenant string) error {
	found, err := store.Authenticate(ctx, key)
	switch {
	case core.CodeOf(err) == core.CodeUnauthorized, err == nil && !signsIn(found, tenant):
		return temporalui.ErrDenied
	default:
		return err
	}
}

// signsIn reports whether a key of the UI's tenant may look.
func signsIn(k records.Key, tenant string) bool {
	return k.Tenant == tenant && k.Scope.Includes(records.ScopeAdmin)
}

// links returns the address of the namespace in the UI, for the keys that sign in there. An address that stands for every interface of the
// machine leads browsers nowhere.
func (u *temporalUI) links(l *config.Loaded) func(records.Key) string {
	base := strings.TrimRight(l.UI.PublicURL, "/")
	if at, tcp := u.listener.Addr().(*net.TCPAddr); base == "" && tcp && !at.IP.IsUnspecified() {
		base = u.url()
	}
	return func(k records.Key) string {
		if base == "" || !signsIn(k, l.UI.Tenant) {
			return ""
		}
		return base + "/namespaces/" + url.PathEscape(l.Temporal.Namespace)
	}
}

// url is the address for browsers on this machine.
func (u *temporalUI) url() string { return "http://" + u.listener.Addr().String() }

// serve serves until ctx ends.
func (u *temporalUI) serve(ctx context.Context) error {
	if err := u.server.Serve(ctx, u.listener); err != nil {
		return fmt.Errorf("temporal UI: %w", err)
	}
	return nil
}

// close frees its resources, after serve or without it.
func (u *temporalUI) close() {
	_ = u.listener.Close()
	u.store.Close()
}
