package api

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/net/netutil"
)

// connections bounds the open connections, in all and per client address. While all places are taken, connections without an
// authenticated request make room: clients that send nothing, send slowly or have no key keep no other client out.
type connections struct {
	net.Listener
	// most is the bound on all connections, and mostOfOne on those of one address that is not in proxies; 0 means no bound.
	most, mostOfOne int
	proxies         []netip.Prefix

	mu   sync.Mutex
	open int
	of   map[netip.Prefix]*addressConns
	// began counts the waits of connections.
	began int
}

// addressConns are the connections of one address: how many are open, and those that may make room, the longest waiting first.
type addressConns struct {
	open    int
	waiting []*placedConn
}

func newConnections(listener net.Listener, c Config) *connections {
	return &connections{
		Listener: netutil.LimitListener(listener, c.MaxConnections), most: c.MaxConnections, mostOfOne: c.MaxConnectionsPerAddress,
		proxies: c.TrustedProxies, of: map[netip.Prefix]*addressConns{},
	}
}

// Accept returns the next connection from an address below its bound. It closes other connections at once.
func (l *connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		placed := &placedConn{Conn: conn, places: l, client: clientOf(conn.RemoteAddr())}
		placed.leave = sync.OnceFunc(func() { l.leave(placed) })
		if !l.enter(placed) {
			_ = conn.Close() // refused
			continue
		}
		l.makeRoom(placed)
		return placed, nil
	}
}

func (l *connections) enter(conn *placedConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.of[conn.client]
	if of == nil {
		of = &addressConns{}
		l.of[conn.client] = of
	}
	if l.mostOfOne > 0 && of.open >= l.mostOfOne && !isIn(peerOf(conn.RemoteAddr().String()), l.proxies) {
		return false
	}
	of.open++
	l.open++
	l.startWait(conn)
	return true
}

// startWait requires the lock.
func (l *connections) startWait(conn *placedConn) {
	l.began++
	conn.since = l.began
	of := l.of[conn.client]
	of.waiting = append(of.waiting, conn)
}

// endWait requires the lock.
func (l *connections) endWait(conn *placedConn) {
	of := l.of[conn.client]
	of.waiting = slices.DeleteFunc(of.waiting, func(other *placedConn) bool { return other == conn })
}

// makeRoom closes a connection when all places are taken: of the address with the most that wait, the one that has waited longest. The
// newcomer stays.
func (l *connections) makeRoom(newcomer *placedConn) {
	if conn := l.toClose(newcomer); conn != nil {
		_ = conn.Close()
	}
}

func (l *connections) toClose(newcomer *placedConn) (found *placedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open < l.most {
		return nil
	}
	most := 0
	for _, of := range l.of {
		if len(of.waiting) == 0 || of.waiting[0] == newcomer {
			continue
		}
		if found == nil || len(of.waiting) > most || len(of.waiting) == most && of.waiting[0].since < found.since {
			found, most = of.waiting[0], len(of.waiting)
		}
	}
	return found
}

func (l *connections) leave(conn *placedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	conn.closed = true
	l.endWait(conn)
	l.open--
	if of := l.of[conn.client]; of.open == 1 {
		delete(l.of, conn.client)
	} else {
		of.open--
	}
}

type placeKey struct{}

// withPlace gives the requests of a connection to holdPlace.
func withPlace(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, placeKey{}, conn)
}

// holdPlace keeps the connection of an authenticated request until its answer has been sent.
func holdPlace(ctx context.Context) {
	if conn, ok := ctx.Value(placeKey{}).(*placedConn); ok {
		conn.places.mu.Lock()
		defer conn.places.mu.Unlock()
		if !conn.closed {
			conn.places.endWait(conn)
		}
	}
}

// stateChanged lets a connection wait again after its answer.
func (l *connections) stateChanged(conn net.Conn, state http.ConnState) {
	placed, ok := conn.(*placedConn)
	if !ok || state != http.StateIdle {
		return
	}
	l.mu.Lock()
	if !placed.closed {
		l.endWait(placed)
		l.startWait(placed)
	}
	l.mu.Unlock()
	l.makeRoom(nil)
}

// clientOf returns the address of a client; for an IPv6 client, its /64 network, which belongs to one client.
func clientOf(address net.Addr) netip.Prefix {
	ip := peerOf(address.String())
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
	places *connections
	client netip.Prefix
	leave  func()
	// since orders the connections that wait. It is guarded by the lock of places, as is closed.
	since  int
	closed bool
}

func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
