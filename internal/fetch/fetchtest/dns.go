package fetchtest

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// DNS is a name server. It answers with a lifetime of zero, and says of every unknown name that it does not exist.
type DNS struct {
	address string

	mu      sync.Mutex
	answers map[string][][]netip.Addr
	asked   map[string]int
}

// NewDNS starts a name server, which ends with the test.
func NewDNS(tb testing.TB) *DNS {
	tb.Helper()
	var lc net.ListenConfig
	conn, err := lc.ListenPacket(context.WithoutCancel(tb.Context()), "udp", "127.0.0.1:0")
	require.NoError(tb, err)
	d := &DNS{address: conn.LocalAddr().String(), answers: map[string][][]netip.Addr{}, asked: map[string]int{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.serve(conn)
	}()
	tb.Cleanup(func() {
		require.NoError(tb, conn.Close())
		<-done
	})
	return d
}

// Set gives a name its answers, one for each question and then again from the first. An answer is a list of addresses separated by spaces.
func (d *DNS) Set(name string, answers ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var lists [][]netip.Addr
	for _, answer := range answers {
		var list []netip.Addr
		for _, text := range strings.Fields(answer) {
			list = append(list, netip.MustParseAddr(text))
		}
		lists = append(lists, list)
	}
	d.answers[name+"."] = lists
}

// Resolver asks this server alone.
func (d *DNS) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "udp", d.address)
	}}
}

func (d *DNS) serve(conn net.PacketConn) {
	question := make([]byte, 4<<10)
	for {
		n, from, err := conn.ReadFrom(question)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if answer, err := d.answer(question[:n]); err == nil {
			_, _ = conn.WriteTo(answer, from) // a lost answer is asked for again
		}
	}
}

func (d *DNS) answer(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil || len(m.Questions) != 1 {
		return nil, errors.Join(err, errors.New("not one question"))
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	q := m.Questions[0]
	list, known := d.next(q.Name.String(), q.Type)
	if !known {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, addr := range list {
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
		switch {
		case addr.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: addr.As4()}})
		case addr.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}
	return m.Pack()
}

// next returns the answer to a question, and whether the name exists. The two types of addresses of a name are counted apart.
func (d *DNS) next(name string, of dnsmessage.Type) ([]netip.Addr, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	lists := d.answers[strings.ToLower(name)]
	if len(lists) == 0 {
		return nil, false
	}
	key := of.String() + name
	list := lists[d.asked[key]%len(lists)]
	d.asked[key]++
	return list, true
}
