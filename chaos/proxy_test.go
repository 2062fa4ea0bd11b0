package chaos_test

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// proxy stands between the parts and a server, at an address that stays. It can cut connections.
type proxy struct {
	listener net.Listener
	served   sync.WaitGroup

	mu     sync.Mutex
	target string
	shut   bool
	conns  map[net.Conn]bool
	cuts   []time.Time
}

func newProxy(tb testing.TB, target string) *proxy {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	p := &proxy{listener: listener, target: target, conns: map[net.Conn]bool{}}
	p.served.Go(p.accept)
	tb.Cleanup(func() {
		_ = listener.Close() // it ends the accepting
		p.cut()
		p.served.Wait()
	})
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// aim sends the connections to come elsewhere.
func (p *proxy) aim(target string) {
	p.mu.Lock()
	p.target = target
	p.mu.Unlock()
	p.cut()
}

// part lets nothing through, and join lets it through again.
func (p *proxy) part() {
	p.mu.Lock()
	p.shut = true
	p.mu.Unlock()
	p.cut()
}

func (p *proxy) join() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = false
}

// cut breaks every connection, without a farewell.
func (p *proxy) cut() (broken int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cuts = append(p.cuts, time.Now())
	for conn := range p.conns {
		_ = conn.(*net.TCPConn).SetLinger(0) // the close below resets it
		_ = conn.Close()
	}
	return len(p.conns) / 2
}

// cutTimes are when connections were cut.
func (p *proxy) cutTimes() []time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

func (p *proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.served.Go(func() { p.pass(conn) })
	}
}

// pass copies both ways until either side ends.
func (p *proxy) pass(from net.Conn) {
	defer from.Close()
	p.mu.Lock()
	target, shut := p.target, p.shut
	p.mu.Unlock()
	if shut {
		return
	}
	to, err := new(net.Dialer).DialContext(context.Background(), "tcp", target)
	if err != nil {
		return
	}
	defer to.Close()
	p.keep(from, to)
	defer p.forget(from, to)
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			_, _ = io.Copy(way[1], way[0]) // however it ends, both sides end
			_ = way[0].Close()
			_ = way[1].Close()
		})
	}
	both.Wait()
}

func (p *proxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.conns[c] = true
	}
}

func (p *proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
	}
}
