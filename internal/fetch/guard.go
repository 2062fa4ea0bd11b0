package fetch

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// alwaysDenied are refused even inside networks that an installation allows. They answer with the credentials of the machine.
var alwaysDenied = prefixes(
	// Link-local (RFC 3927, RFC 4291). The metadata of Amazon, Google, Azure, Oracle, DigitalOcean and OpenStack at 169.254.169.254, and
	// the credentials of containers at 169.254.170.2 and 169.254.170.23:
	// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
	// https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint.html
	"169.254.0.0/16", "fe80::/10",
	// Metadata of Amazon over IPv6, and the credentials of its pods: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html
	"fd00:ec2::254/128", "fd00:ec2::23/128",
	// Metadata of Google over IPv6: https://cloud.google.com/compute/docs/metadata/querying-metadata
	"fd20:ce::254/128",
	// Metadata of Alibaba: https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
	"100.100.100.200/32",
	// Metadata of Oracle at its older address: https://docs.oracle.com/en-us/iaas/Content/Compute/Tasks/gettingmetadata.htm
	"192.0.0.192/32",
	// The host of an Azure machine, a public address: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
	"168.63.129.16/32",
)

// formerTest is the former 6bone test network, which RFC 3701 returned to IANA.
var formerTest = netip.MustParsePrefix("3ffe::/16")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// errForbidden means that an address is not one to connect to. Its text is for logs alone.
var errForbidden = errors.New("the address is forbidden")

// guard decides which addresses may be dialed.
type guard struct {
	denied  []netip.Prefix
	allowed []netip.Prefix
	// known is safe for concurrent use.
	known *ssrf.Guardian
	// local returns the addresses of this machine.
	local func() ([]net.Addr, error)
}

func newGuard(c Config) *guard {
	g := &guard{denied: slices.Concat(alwaysDenied, c.Denied), allowed: c.Allowed, local: c.LocalAddrs}
	var v4, v6 []netip.Prefix
	for _, p := range c.Allowed {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	// Ports are checked in the URL.
	g.known = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...),
		ssrf.WithDeniedV6Prefixes(formerTest))
	if g.local == nil {
		g.local = net.InterfaceAddrs
	}
	return g
}

// control is called by the dialer with the address that the socket is about to connect to.
func (g *guard) control(network, address string, conn syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q cannot be read: %w", errForbidden, address, err)
	}
	ip := to.Addr()
	// A prefix contains no address with a zone, and no IPv4 address in the notation of IPv6.
	if plain := ip.Unmap().WithZone(""); contains(g.denied, plain) {
		return fmt.Errorf("%w: %s is denied", errForbidden, ip)
	}
	if err := g.known.Safe(network, address, conn); err != nil {
		return fmt.Errorf("%w: %w", errForbidden, err)
	}
	if contains(g.allowed, ip) {
		return nil
	}
	own, err := g.local()
	if err != nil {
		return fmt.Errorf("%w: the addresses of this machine are not known: %w", errForbidden, err)
	}
	for _, a := range own {
		if n, ok := a.(*net.IPNet); ok && n.IP.Equal(ip.AsSlice()) {
			return fmt.Errorf("%w: %s is of this machine", errForbidden, ip)
		}
	}
	return nil
}

// permits fails as control does, before anything is dialed.
func (g *guard) permits(ip netip.Addr) error {
	const anyPort = 443 // ports are checked in the URL
	network := "tcp6"
	if ip.Is4() {
		network = "tcp4"
	}
	return g.control(network, netip.AddrPortFrom(ip, anyPort).String(), nil)
}

func contains(list []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(ip) })
}
