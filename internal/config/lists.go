package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Networks is a list of networks. Its text has them separated by commas; a single address is a network of its own.
type Networks []netip.Prefix

// UnmarshalText parses a list of networks.
func (n *Networks) UnmarshalText(text []byte) error {
	var list Networks
	for part := range strings.SplitSeq(string(text), ",") {
		network, err := parseNetwork(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		list = append(list, network)
	}
	*n = list
	return nil
}

// parseNetwork refuses bits beyond the length, because they suggest that another network is meant.
func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" && !addr.Is4In6() {
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil || network != network.Masked() || network.Addr().Is4In6() {
		return netip.Prefix{}, fmt.Errorf("%q is not a network, such as 10.1.0.0/16", text)
	}
	return network, nil
}

// String returns the list as UnmarshalText parses it.
func (n Networks) String() string {
	texts := make([]string, len(n))
	for i, network := range n {
		texts[i] = network.String()
	}
	return strings.Join(texts, ",")
}

// Origins are the origins of web pages, such as https://studio.example:8443.
type Origins []string

// UnmarshalText parses a list of origins.
func (o *Origins) UnmarshalText(text []byte) error {
	var list Origins
	for part := range strings.SplitSeq(string(text), ",") {
		origin := strings.TrimSpace(part)
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || origin != u.Scheme+"://"+strings.ToLower(u.Host) {
			return fmt.Errorf("%q is not an origin, such as https://studio.example", origin)
		}
		list = append(list, origin)
	}
	*o = list
	return nil
}

// String returns the list as UnmarshalText parses it.
func (o Origins) String() string { return strings.Join(o, ",") }
