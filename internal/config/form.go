package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// formed checks a text against the form of its setting: "address" is host:port, "address-or-socket" that or unix:///path, and "url" a
// URL of the schemes that follow.
// With "text-or-url" only a text that has a scheme is looked at. URLs carry passwords: an error repeats none.
func formed(form, text string) error {
	if form == "" || text == "" {
		return nil
	}
	kind, rest, _ := strings.Cut(form, " ")
	if path, found := strings.CutPrefix(text, "unix://"); found && kind == "address-or-socket" && strings.HasPrefix(path, "/") {
		return nil
	}
	if strings.HasPrefix(kind, "address") {
		return address(text)
	}
	if kind == "text-or-url" && !strings.Contains(text, "://") {
		return nil
	}
	schemes := strings.Fields(rest)
	u, err := url.Parse(text)
	if err != nil || !slices.Contains(schemes, u.Scheme) || kind == "url" && u.Host == "" {
		return fmt.Errorf("is not a URL that begins with %s", strings.Join(schemes, ":// or ")+"://")
	}
	return nil
}

func address(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not host:port, such as 127.0.0.1:8080", text)
	}
	return nil
}
