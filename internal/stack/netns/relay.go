package netns

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"time"
)

const (
	// maxConnections bounds the connections of one relay. Each worker and API process has a few.
	maxConnections = 512
	dialTimeout    = 5 * time.Second
	// statusFailed is the exit status for a failure of the helper itself, after the convention of env(1).
	statusFailed = 125
)

// Relay forwards connections from a Unix socket (mode 0600) to a TCP address in the program's network namespace.
type Relay struct {
	Socket  string // path
	Address string // host:port
}

// serve listens on the socket, and forwards connections in the background.
func (r Relay) serve() error {
	if err := os.Remove(r.Socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	listener, err := net.Listen("unix", r.Socket) //nolint:noctx // it listens until the process ends
	if err != nil {
		return err
	}
	if err := os.Chmod(r.Socket, 0o600); err != nil {
		return fmt.Errorf("close the socket to others: %w", err)
	}
	go func() {
		slots := make(chan struct{}, maxConnections)
		for {
			slots <- struct{}{}
			conn, err := listener.Accept()
			if err != nil {
				fmt.Fprintln(os.Stderr, "relay to", r.Address+":", err)
				os.Exit(statusFailed) // the kernel kills the program too, and the parent process sees the exit
			}
			go func() {
				r.pass(conn)
				<-slots
			}()
		}
	}()
	return nil
}

// pass copies in both directions until both sides have closed.
func (r Relay) pass(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.DialTimeout("tcp", r.Address, dialTimeout) //nolint:noctx // bounded by its time-out
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		copyHalf(server, client)
	}()
	copyHalf(client, server)
	<-sent
}

// copyHalf copies until from closes, then closes to for writing.
func copyHalf(to, from net.Conn) {
	_, _ = io.Copy(to, from) // an error on either side ends the copy like an end of file
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
