package fetch

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"plait/internal/core"
)

// MaxURL is the largest length of a URL in bytes.
const MaxURL = 8 << 10

// blockedPorts are the ports from firstFreePort on that browsers do not connect to, because protocols that a request could speak to by
// accident use them: https://fetch.spec.whatwg.org/#port-blocking.
var blockedPorts = []int{
	1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
}

// firstFreePort is the first port that no registered service of a system has. Below it, HTTP is spoken on 80 and 443.
const firstFreePort = 1024

// refusal is the reason why a URL is refused, as part of a sentence that a client may read.
type refusal string

func (r refusal) Error() string { return string(r) }

// parse reads a URL of a client and checks it. The error does not contain a text that cannot be read as a URL, since its parts, such as a
// password, are not known.
func parse(text string) (*url.URL, error) {
	if len(text) > MaxURL {
		return nil, core.Errorf(core.CodeInvalidInput, "the URL has more than %d bytes", MaxURL)
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, core.NewError(core.CodeInvalidInput, "the URL cannot be read")
	}
	if err := check(u); err != nil {
		return nil, invalid(u, err, err.Error())
	}
	return u, nil
}

// check applies the rules for URLs to the first URL and to the target of each redirect.
func check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refusal("only http and https URLs are allowed")
	case u.User != nil:
		return refusal("a URL with a user name or password is not allowed")
	case u.Hostname() == "":
		return refusal("the URL has no host")
	case !isHost(u.Hostname()):
		return refusal("the host is neither a name nor an address in its usual notation")
	case u.Port() != "" && !isFreePort(u.Port()):
		return refusal("this port is not used for HTTP")
	}
	return nil
}

func isFreePort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && (port == 80 || port == 443 || port >= firstFreePort && !slices.Contains(blockedPorts, int(port)))
}

// isHost reports whether a host is an address in its usual notation, or a name that cannot be taken for an address. As in the URL Standard
// (https://url.spec.whatwg.org/#ends-in-a-number-checker), a host whose last label is a number is an address: resolvers of operating
// systems read 127.1, 0x7f000001 and 017700000001 as 127.0.0.1.
func isHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Zone() == "" // a zone names a network card of this machine
	}
	if strings.Contains(host, ":") {
		return false
	}
	name, err := idna.Lookup.ToASCII(host) // digits of other scripts become those of ASCII
	if err != nil {
		name = host
		if strings.ContainsFunc(host, func(r rune) bool { return r > '~' }) {
			return false
		}
	}
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Is4()
	}
	name = strings.TrimSuffix(name, ".")
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if digits, found := strings.CutPrefix(last, "0x"); found {
		return strings.Trim(digits, "0123456789abcdef") != ""
	}
	return strings.Trim(last, "0123456789") != ""
}

// maxShown is in characters.
const maxShown = 200

// shown returns a URL without its query, fragment and credentials, for messages.
func shown(u *url.URL) string {
	text := core.Printable((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String())
	if r := []rune(text); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return text
}

// invalid returns an INVALID_INPUT about a URL. The cause is for logs alone.
func invalid(u *url.URL, cause error, message string) error {
	if text := shown(u); text != "" {
		message = text + ": " + message
	}
	return core.Wrap(core.CodeInvalidInput, cause, message)
}
