package link_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
)

// serve waits for a connection at an address, and returns both sides of the one that dial makes.
func serve(t *testing.T, network, address string) (here, there link.Conn, shared bool) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), network, address)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	conns := make(chan link.Conn, 1)
	var served sync.WaitGroup
	served.Go(func() {
		require.NoError(t, link.Serve(ctx, listener, "token", func(c link.Conn, _ bool) { conns <- c }))
	})
	t.Cleanup(func() { cancel(); served.Wait() })
	if address = listener.Addr().String(); network == "unix" {
		address = "unix:" + address
	}
	there, shared, err = link.Dial(ctx, address, "token")
	require.NoError(t, err)

	wrong, _, err := link.Dial(ctx, address, "another token")
	require.NoError(t, err)
	_, err = wrong.Receive()
	require.Equal(t, core.CodeUnauthorized, core.CodeOf(err))
	require.NoError(t, wrong.Close())
	return <-conns, there, shared
}

// Messages of all sizes arrive whole and in order, in shared memory on one host and in parts between hosts, and their memory is freed.
func TestMessagesArrive(t *testing.T) {
	t.Parallel()
	for _, network := range []string{"unix", "tcp", "pipe"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			var a, b link.Conn
			shared := true
			switch network {
			case "unix":
				a, b, shared = serve(t, network, filepath.Join(t.TempDir(), "s"))
				require.True(t, shared)
			case "tcp":
				a, b, shared = serve(t, network, "127.0.0.1:0")
				require.False(t, shared)
			default:
				a, b = link.Pipe()
			}
			var from, to segment.Store
			sender, receiver := link.New(a, &from, shared, 10<<20), link.New(b, &to, shared, 10<<20)
			var acknowledged sync.WaitGroup
			acknowledged.Go(func() {
				_, err := sender.Receive() // takes what was opened
				require.Error(t, err)
			})
			sizes := []int{0, 1, segment.SharedBytes - 1, segment.SharedBytes, 300_000, 3 << 20}
			for i, size := range sizes {
				payload, err := from.Copy("content", bytes.Repeat([]byte{byte(i)}, size))
				require.NoError(t, err)
				sender.Send(link.Message{Head: fmt.Append(nil, i), Payload: payload})
			}
			stop := make(chan struct{})
			close(stop)
			payload, err := from.Copy("canceled", make([]byte, 3<<20))
			require.NoError(t, err)
			sender.Send(link.Message{Head: []byte("canceled"), Payload: payload, Stop: stop})
			sender.Send(link.Message{Head: []byte("last")})
			for i, size := range sizes {
				m, err := receiver.Receive()
				require.NoError(t, err)
				require.Equal(t, fmt.Sprint(i), string(m.Head))
				require.Len(t, m.Payload.Bytes(), size)
				require.Equal(t, size, bytes.Count(m.Payload.Bytes(), []byte{byte(i)}))
				m.Payload.Release()
			}
			m, err := receiver.Receive()
			require.NoError(t, err)
			require.Equal(t, "last", string(m.Head))
			receiver.Close()
			sender.Close()
			acknowledged.Wait()
			for _, store := range []*segment.Store{&from, &to} {
				segments, _ := store.Live()
				require.Zero(t, segments)
			}
		})
	}
}

// scripted gives prepared frames.
type scripted struct{ frames [][]byte }

func (s *scripted) Send([]byte) error { return nil }
func (s *scripted) Close() error      { return nil }

func (s *scripted) Receive() ([]byte, error) {
	if len(s.frames) == 0 {
		return nil, io.EOF
	}
	b := s.frames[0]
	s.frames = s.frames[1:]
	return b, nil
}

// recorder keeps what is sent.
type recorder struct {
	link.Conn
	mu     sync.Mutex
	frames [][]byte
}

func (r *recorder) Send(b []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frames = append(r.frames, b)
	return r.Conn.Send(b)
}

// Whatever comes, a link gives whole messages or an error, and keeps no memory.
func FuzzLink(f *testing.F) {
	a, b := link.Pipe()
	r := &recorder{Conn: a}
	var store segment.Store
	sender, receiver := link.New(r, &store, false, 1<<20), link.New(b, &store, false, 1<<20)
	for _, size := range []int{0, 10, 1000} {
		payload, err := store.Copy("name", make([]byte, size))
		require.NoError(f, err)
		sender.Send(link.Message{Head: []byte("head"), Payload: payload})
		m, err := receiver.Receive()
		require.NoError(f, err)
		m.Payload.Release()
	}
	sender.Close()
	receiver.Close()
	f.Add(r.frames[0], r.frames[1])
	f.Add(r.frames[1], r.frames[0])
	f.Add(r.frames[len(r.frames)-2], []byte{})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var store segment.Store
		l := link.New(&scripted{frames: [][]byte{first, second}}, &store, runtime.GOOS == "linux", 1<<20)
		for {
			m, err := l.Receive()
			if err != nil {
				break
			}
			m.Payload.Release()
		}
		l.Close()
		segments, _ := store.Live()
		require.Zero(t, segments)
	})
}

// A side that says nothing is taken for dead within two seconds, unless it is in the same process.
func TestSilence(t *testing.T) {
	t.Parallel()
	for _, trusted := range []bool{false, true} {
		t.Run(fmt.Sprint("trusted ", trusted), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				here, there := link.Pipe()
				l := link.New(here, &segment.Store{}, true, 1)
				if trusted {
					l.Trust()
				}
				go func() {
					for {
						if _, err := there.Receive(); err != nil {
							return
						}
					}
				}()
				begin := time.Now()
				select {
				case <-l.Done():
					require.False(t, trusted)
					require.GreaterOrEqual(t, time.Since(begin), link.Silence)
					require.Less(t, time.Since(begin), 2*time.Second)
				case <-time.After(time.Minute):
					require.True(t, trusted)
				}
				l.Close()
			})
		})
	}
}
