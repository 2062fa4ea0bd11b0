package api

import (
	"net"
	"net/netip"
	"sync"
)

// connections bounds how many connections one client address has open, and tells when nearly all places are taken.
type connections struct {
	net.Listener
	// most places there are, and mostOfOne of them for one address; 0 is no bound of its own.
	most, mostOfOne int
	// crowd is told on each new connection that nearly all places are taken, and once when there is room again. The latter takes no
	// lock that a closing connection waits for.
	crowd func(crowded bool)

	mu      sync.Mutex
	open    int
	of      map[netip.Prefix]int
	crowded bool
}

// The shares of the places at which a server is crowded, and at which it has room again.
const (
	crowdedAt   = 0.75
	uncrowdedAt = 0.5
)

// Accept waits for a connection from an address that has a place left. Others are closed at once.
func (l *connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client := clientOf(conn.RemoteAddr())
		entered, crowded := l.enter(client)
		if !entered {
			_ = conn.Close() // refused
			continue
		}
		if crowded {
			l.makeRoom()
		}
		return &placedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(client) })}, nil
	}
}

func (l *connections) enter(client netip.Prefix) (entered, crowded bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mostOfOne > 0 && l.of[client] >= l.mostOfOne {
		return false, false
	}
	l.of[client]++
	l.open++
	l.crowded = l.crowded || float64(l.open) >= crowdedAt*float64(l.most)
	return true, l.crowded
}

// makeRoom holds no lock while connections are closed: each of them leaves.
func (l *connections) makeRoom() {
	l.crowd(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.crowded { // since those have left
		l.crowd(false)
	}
}

func (l *connections) leave(client netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	if l.of[client]--; l.of[client] == 0 {
		delete(l.of, client)
	}
	if l.crowded && float64(l.open) <= uncrowdedAt*float64(l.most) {
		l.crowded = false
		l.crowd(false)
	}
}

// clientOf is the address of a client; of an IPv6 client its network of 64 bits, which it has to itself.
func clientOf(address net.Addr) netip.Prefix {
	parsed, err := netip.ParseAddrPort(address.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip := parsed.Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

// placedConn leaves its place when it is closed.
type placedConn struct {
	net.Conn
	leave func()
}

func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
