package fetchtest

import (
	"net/url"
	"strings"
)

// Ways returns the URLs that lead to forbidden addresses of the server, or to another protocol, in every known way: in notations of
// addresses, by names, by names that change their address, and by redirects to each of these. Most lead to a file of the server for a
// client without checks.
func (s *Server) Ways(dns *DNS) []string {
	var ways []string
	for _, host := range append(notations(), names(dns)...) {
		ways = append(ways, "http://"+host+":"+s.Port+"/file/secret")
	}
	ways = append(ways,
		"http://user:password@127.0.0.1:"+s.Port+"/file/secret",
		"http://"+Allowed+"@127.0.0.1:"+s.Port+"/file/secret",
		"http://"+Allowed+"#@127.0.0.1:"+s.Port+"/file/secret",
		"https://127.0.0.1:"+s.Port+"/file/secret",
		"file:///etc/passwd", "file://127.0.0.1/etc/passwd", "gopher://127.0.0.1:"+s.Port+"/_GET%20/", "ftp://127.0.0.1:"+s.Port+"/",
		"dict://127.0.0.1:"+s.Port+"/info", "ldap://127.0.0.1:"+s.Port+"/", "ws://127.0.0.1:"+s.Port+"/", "//127.0.0.1:"+s.Port+"/file/secret",
	)
	for _, way := range ways {
		ways = append(ways, s.URL("/to?"+way))
	}
	twice := s.URL("/to?" + s.URL("/to?http://127.0.0.1:"+s.Port+"/file/secret"))
	return append(ways, twice, s.rebinding(dns))
}

// notations are forbidden addresses as hosts of URLs.
func notations() []string {
	return []string{
		"127.0.0.1", "127.0.0.3", "0.0.0.0", "localhost", "LOCALHOST", "127.0.0.1.", "127.1", "0", "0x7f.0.0.1", "0x7f000001", "2130706433",
		"0177.0.0.1", "017700000001", "127.0.0.01", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0:0:0:0:0:0:0:1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]",
		"[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fe80::1%25lo]", "[::1%25lo]", "[fd00:ec2::254]", "169.254.169.254",
		"100.100.100.200",
	}
}

// names are names of forbidden addresses.
func names(dns *DNS) []string {
	list := map[string]string{
		"loopback.test": "127.0.0.1", "loopback6.test": "::1", "mapped.test": "::ffff:127.0.0.1", "any.test": "0.0.0.0", "nat64.test": "64:ff9b::7f00:1",
		"both.test": "127.0.0.1 ::1", "several.test": "127.0.0.1 127.0.0.3 127.0.0.4", "metadata.test": "169.254.169.254", "private.test": "10.0.0.1 192.168.1.1",
	}
	hosts := make([]string, 0, len(list))
	for name, addresses := range list {
		dns.Set(name, addresses)
		hosts = append(hosts, name)
	}
	return hosts
}

// rebinding is the URL of a name that has the allowed address at the first question, and a forbidden one at the second, to which it
// redirects.
func (s *Server) rebinding(dns *DNS) string {
	dns.Set("rebind.test", Allowed, "127.0.0.1")
	again := (&url.URL{Scheme: "http", Host: "rebind.test:" + s.Port, Path: "/file/secret"}).String()
	return strings.Replace(again, "/file/secret", "/to?"+again, 1)
}
