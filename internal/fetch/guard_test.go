package fetch

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// dials reports whether the dialer may connect to an address.
func dials(g *guard, address string) error {
	network := "tcp6"
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is4() {
		network = "tcp4"
	}
	return g.control(network, net.JoinHostPort(address, "80"), nil)
}

// Each special range is refused from its first to its last address, and the public addresses beside it are not.
func TestSpecialAddressesAreRefused(t *testing.T) {
	t.Parallel()
	g := newGuard(Config{})
	// Name of the range: first, last, and the public neighbors, if any.
	for name, row := range map[string][4]string{
		"this network":              {"0.0.0.0", "0.255.255.255", "", "1.0.0.0"},
		"private 10":                {"10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"},
		"shared":                    {"100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"},
		"loopback":                  {"127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"},
		"link-local":                {"169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"},
		"private 172":               {"172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"},
		"IETF assignments":          {"192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"},
		"documentation 1":           {"192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"},
		"AS112":                     {"192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"},
		"AMT":                       {"192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"},
		"6to4 relays":               {"192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"},
		"private 192":               {"192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"},
		"AS112 delegation":          {"192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"},
		"benchmarks":                {"198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"},
		"documentation 2":           {"198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"},
		"documentation 3":           {"203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"},
		"multicast":                 {"224.0.0.0", "239.255.255.255", "223.255.255.255", ""},
		"reserved":                  {"240.0.0.0", "255.255.255.254", "", ""},
		"broadcast":                 {"255.255.255.255", "255.255.255.255", "", ""},
		"Azure's host":              {"168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"},
		"unspecified":               {"::", "::", "", ""},
		"loopback 6":                {"::1", "::1", "", ""},
		"IPv4-compatible":           {"::7f00:1", "::ffff:ffff", "", ""},
		"IPv4-mapped":               {"::ffff:0.0.0.0", "::ffff:255.255.255.255", "", ""},
		"IPv4-mapped, public":       {"::ffff:8.8.8.8", "::ffff:1.1.1.1", "", ""},
		"IPv4-translated":           {"::ffff:0:0", "::ffff:0:ffff:ffff", "", ""},
		"NAT64":                     {"64:ff9b::", "64:ff9b::ffff:ffff", "", ""},
		"local NAT64":               {"64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "", ""},
		"discard":                   {"100::", "100::ffff:ffff:ffff:ffff", "", ""},
		"dummy":                     {"100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "", ""},
		"before global":             {"1fff::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"Teredo and IETF":           {"2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::1", "2001:200::"},
		"Teredo":                    {"2001:0:7f00:1::", "2001:0:ffff:ffff:ffff:ffff:80ff:fffe", "", ""},
		"benchmarks 6":              {"2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", "", ""},
		"ORCHID":                    {"2001:10::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"documentation 6":           {"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::1", "2001:db9::"},
		"6to4":                      {"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff:ffff::1", "2003::"},
		"AS112 6":                   {"2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:7fff::1", "2620:4f:8001::"},
		"6bone":                     {"3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffd:ffff::1", ""},
		"documentation 6, the long": {"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "", "3fff:1000::"},
		"after global":              {"4000::", "5fff::", "3fff:ffff::1", ""},
		"segment routing":           {"5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"unique local":              {"fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"Amazon's metadata":         {"fd00:ec2::254", "fd00:ec2::23", "", ""},
		"Google's metadata":         {"fd20:ce::254", "fd20:ce::254", "", ""},
		"link-local 6":              {"fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"link-local with a zone":    {"fe80::1%eth0", "2606:4700::1%eth0", "", ""},
		"site-local":                {"fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"multicast 6":               {"ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", ""},
		"not an address":            {"example.com", "127.1", "", ""},
	} {
		for i, address := range row {
			switch {
			case address == "":
			case i < 2:
				require.ErrorIs(t, dials(g, address), errForbidden, "%s: %s", name, address)
			default:
				require.NoError(t, dials(g, address), "beside %s: %s", name, address)
			}
		}
	}
	for _, public := range []string{"8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::1"} {
		require.NoError(t, dials(g, public), public)
	}
	require.ErrorIs(t, g.control("udp4", "8.8.8.8:53", nil), errForbidden)
	require.ErrorIs(t, g.control("unix", "/run/docker.sock", nil), errForbidden)
}

// An installation can open networks of its own; metadata services and what it denies stay closed.
func TestAllowedAndDeniedNetworks(t *testing.T) {
	t.Parallel()
	g := newGuard(Config{
		Allowed: prefixes("10.1.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fd00::/8", "64:ff9b::/96"),
		Denied:  prefixes("10.1.2.0/24", "198.41.0.0/24", "2606:4700:64::/96"),
	})
	for address, allowed := range map[string]bool{
		"10.1.0.1": true, "10.2.0.1": false, "100.64.0.1": true, "fd12::1": true, "fd12::1%eth0": false, "64:ff9b::808:808": true,
		"10.1.2.3": false, "198.41.0.4": false, "2606:4700:64::7f00:1": false,
		"100.100.100.200": false, "169.254.169.254": false, "169.254.170.2": false, "fd00:ec2::254": false, "fd20:ce::254": false, "127.0.0.1": false, "::1": false,
	} {
		if allowed {
			require.NoError(t, dials(g, address), address)
		} else {
			require.ErrorIs(t, dials(g, address), errForbidden, address)
		}
	}
}

// A public address of this machine leads to services that a firewall keeps from others.
func TestOwnAddressesAreRefused(t *testing.T) {
	t.Parallel()
	local := func() ([]net.Addr, error) {
		return []net.Addr{&net.IPNet{IP: net.ParseIP("93.184.215.14"), Mask: net.CIDRMask(24, 32)}, &net.IPNet{IP: net.ParseIP("2606:2800::1"), Mask: net.CIDRMask(64, 128)}}, nil
	}
	g := newGuard(Config{LocalAddrs: local})
	require.ErrorIs(t, dials(g, "93.184.215.14"), errForbidden)
	require.ErrorIs(t, dials(g, "2606:2800::1"), errForbidden)
	require.NoError(t, dials(g, "93.184.215.15"))
	require.NoError(t, dials(newGuard(Config{LocalAddrs: local, Allowed: prefixes("93.184.215.14/32")}), "93.184.215.14"))
	unknown := newGuard(Config{LocalAddrs: func() ([]net.Addr, error) { return nil, net.ErrClosed }})
	require.ErrorIs(t, dials(unknown, "93.184.215.15"), errForbidden)
}
