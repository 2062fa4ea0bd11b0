package api

import (
	"net"
	"net/netip"
	"sync"
)

// connections bounds the number of open connections per client address, and reports when nearly all places are taken.
type connections struct {
	net.Listener
	// most is the bound on all connections, and mostOfOne on those of one address; 0 means no bound.
	most, mostOfOne int
	// crowd is called with true on each new connection while nearly all places are taken, and with false once there is room again. With
	// false it must not take a lock that a closing connection waits for, because it is called while one closes.
	crowd func(crowded bool)

	mu      sync.Mutex
	open    int
	of      map[netip.Prefix]int
	crowded bool
}

// The shares of the places at which a server counts as crowded, and at which it has room again.
const (
	crowdedAt   = 0.75
	uncrowdedAt = 0.5
)

// Accept returns the next connection from an address below its bound. It closes other connections at once.
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

// makeRoom holds no lock while connections are closed, because each of them gives back its place.
func (l *connections) makeRoom() {
	l.crowd(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.crowded { // connections have closed in the meantime
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

// clientOf returns the address of a client; for an IPv6 client, its /64 network, which belongs to one client.
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

// placedConn gives back its place when it is closed.
type placedConn struct {
	net.Conn
	leave func()
}

func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
