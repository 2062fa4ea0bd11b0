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
	// maxConnections bounds a relay: each worker and API process keeps a few connections.
	maxConnections = 512
	dialTimeout    = 5 * time.Second
)

// Relay is a Unix socket, for its owner alone, that leads to a TCP address of the program's own loopback.
type Relay struct {
	Socket  string
	Address string
}

// serve listens on the socket, and passes connections on in the background.
func (r Relay) serve() error {
	if err := os.Remove(r.Socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	listener, err := net.Listen("unix", r.Socket) //nolint:noctx // it lasts as long as the process
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
				os.Exit(statusFailed) // the program dies with it, and the owner of both notices
			}
			go func() {
				r.pass(conn)
				<-slots
			}()
		}
	}()
	return nil
}

// pass copies both ways until both sides have ended.
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

// copyHalf copies until from ends, and tells to.
func copyHalf(to, from net.Conn) {
	_, _ = io.Copy(to, from) // an error of either side ends this half as its end does
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
