// Package port chooses TCP ports of loopback.
package port

import (
	"fmt"
	"net"
	"strconv"
)

// Choose returns the first preferred port that nothing listens on, or else one the system picks. Zero means no preference. Between
// the choice and the use another process may take it: see to it that a failed start is tried again.
func Choose(preferred ...int) (int, error) {
	for _, p := range preferred {
		if p != 0 && Free(p) {
			return p, nil
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("choose a free port: %w", err)
	}
	chosen := listener.Addr().(*net.TCPAddr).Port
	return chosen, listener.Close()
}

// Free reports whether p can be listened on now.
func Free(p int) bool {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
