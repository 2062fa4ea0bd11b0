// Package port chooses free TCP ports on loopback.
package port

import (
	"context"
	"fmt"
	"net"
	"strconv"
)

// Choose returns the first preferred port that is free, or else a free port that the system picks. A preference of zero is ignored.
// Another process may take the port before the caller listens on it, so the caller must retry with another choice.
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

// Free reports whether a process can listen on port p of 127.0.0.1 now.
func Free(ctx context.Context, p int) bool {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
