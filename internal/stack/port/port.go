// Package port chooses TCP ports of loopback.
package port

import (
	"context"
	"fmt"
	"net"
	"strconv"
)

// Choose returns the first preferred port that nothing listens on, or else one the system picks. Zero means no preference. Between
// the choice and the use another process may take it: see to it that a failed start is tried again.
func Choose(ctx context.Context, preferred ...int) (int, error) {
	for _, p := range preferred {
		if p != 0 && Free(ctx, p) {
			return p, nil
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("choose a free port: %w", err)
	}
	chosen := listener.Addr().(*net.TCPAddr).Port
	return chosen, listener.Close()
}

// Free reports whether p can be listened on now.
func Free(ctx context.Context, p int) bool {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
