package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"plait/internal/core"
)

// Config configures a client. A field that is zero takes its default.
type Config struct {
	// Timeout is the time limit of one file, with its redirects. Defaults to 2 minutes.
	Timeout time.Duration
	// MaxRedirects is the largest number of redirects; 0 allows none.
	MaxRedirects int
	// MinRate is the fewest bytes a second that a server must send, averaged over any RateWindow of waiting for it; 0 means no bound.
	// RateWindow defaults to 10 seconds.
	MinRate    int64
	RateWindow time.Duration
	// Allowed are networks that are dialed although their addresses are not public. Denied are networks that are not dialed even if they
	// are public or allowed, such as a NAT64 prefix of the site.
	Allowed, Denied []netip.Prefix
	// Resolver resolves names; nil is that of the system.
	Resolver *net.Resolver
	// LocalAddrs returns the addresses of this machine, as net.InterfaceAddrs does, which is the default.
	LocalAddrs func() ([]net.Addr, error)
	// RootCAs are the certificate authorities; nil means those of the system.
	RootCAs *x509.CertPool
}

const (
	defaultTimeout    = 2 * time.Minute
	defaultRateWindow = 10 * time.Second
	// dialTimeout bounds the resolution of a name with the attempts at its addresses, and tlsTimeout the handshake after it.
	dialTimeout = 10 * time.Second
	tlsTimeout  = 10 * time.Second
	// headerTimeout is the time from the request to the end of the header of the answer.
	headerTimeout  = 30 * time.Second
	maxHeaderBytes = 64 << 10
	userAgent      = "Plait"
)

func (c Config) orDefaults() Config {
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.RateWindow <= 0 {
		c.RateWindow = defaultRateWindow
	}
	return c
}

// Client downloads files, and posts messages. It is safe for concurrent use.
type Client struct {
	config Config
	guard  *guard
	http   *http.Client
}

// New makes a client.
func New(config Config) *Client {
	c := &Client{config: config.orDefaults()}
	c.guard = newGuard(c.config)
	dialer := &net.Dialer{Timeout: dialTimeout, Resolver: config.Resolver, Control: c.guard.control}
	only1 := new(http.Protocols)
	only1.SetHTTP1(true)
	c.http = &http.Client{
		CheckRedirect: c.checkRedirect,
		Transport: &http.Transport{
			// Without Proxy there is none, whatever the environment says.
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: config.RootCAs},
			TLSHandshakeTimeout:    tlsTimeout,
			ResponseHeaderTimeout:  headerTimeout,
			MaxResponseHeaderBytes: maxHeaderBytes,
			Protocols:              only1,
			// A connection serves one request, so that the address of each is checked.
			DisableKeepAlives: true,
			// The transport would unpack what it asked to be packed.
			DisableCompression: true,
		},
	}
	return c
}

// notPublic tells a client nothing but this of a network that is not public.
const notPublic = "the host, or one that it redirects to, has no public address"

// The causes for which a client ends an exchange.
var (
	errTimeout = errors.New("the time limit of the fetch has passed")
	errSlow    = errors.New("the server sends too slowly")
)

// Check fails like [Client.Open] for a URL that breaks the rules for URLs, and connects to nothing.
func Check(rawURL string) error {
	_, err := parse(rawURL)
	return err
}

// Check is like the function [Check], and fails also for a URL whose host is an address to which the client does not connect. What the address
// of a name is, is known only when it is dialed.
func (c *Client) Check(rawURL string) error {
	u, err := parse(rawURL)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		if err := c.guard.permits(ip.Unmap()); err != nil {
			return invalid(u, err, notPublic)
		}
	}
	return nil
}

// Open starts to download the file at a URL, and returns its content, of maxBytes at most. Reading fails when the content is longer,
// arrives too slowly or not whole. The caller must close the content.
//
// Errors of Open and of reading: CodeInvalidInput for a URL that breaks the rules, a host without a public address, and a server that does
// not answer as it should; CodeTooLarge; the error of ctx when it ends.
func (c *Client) Open(ctx context.Context, rawURL string, maxBytes int64) (_ io.ReadCloser, err error) {
	u, err := parse(rawURL)
	if err != nil {
		return nil, err
	}
	x := newExchange(ctx, u, c.config)
	defer func() {
		if err != nil {
			x.cancel(nil)
		}
	}()
	req, err := http.NewRequestWithContext(x.ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, invalid(u, err, "the URL cannot be requested")
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, x.explain(err)
	}
	if err := x.checkAnswer(resp, maxBytes); err != nil {
		_ = resp.Body.Close() // the answer is not used
		return nil, err
	}
	return &content{exchange: x, body: resp.Body, left: maxBytes, max: maxBytes}, nil
}

// checkRedirect is called before each redirect.
func (c *Client) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > c.config.MaxRedirects {
		return refusal("there are too many redirects")
	}
	if len(req.URL.String()) > MaxURL {
		return refusal("a redirect leads to a URL that is too long")
	}
	if err := check(req.URL); err != nil {
		return refusal("a redirect is refused: " + err.Error())
	}
	req.Header.Del("Referer") // net/http sets it; the query of the first URL is not for the second server
	return nil
}

// exchange is one fetch.
type exchange struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	// parent is the context of the caller.
	parent context.Context
	url    *url.URL
	config Config
}

func newExchange(parent context.Context, u *url.URL, config Config) *exchange {
	x := &exchange{parent: parent, url: u, config: config}
	limited, stop := context.WithTimeoutCause(parent, config.Timeout, errTimeout)
	x.ctx, x.cancel = context.WithCancelCause(limited)
	context.AfterFunc(x.ctx, stop)
	return x
}

// checkAnswer decides by the header of the answer whether its body is the file.
func (x *exchange) checkAnswer(resp *http.Response, maxBytes int64) error {
	coding := resp.Header.Get("Content-Encoding")
	switch {
	case resp.StatusCode != http.StatusOK:
		return x.refuse(nil, strings.TrimSpace("the server answered "+statusText(resp.StatusCode)))
	case coding != "" && !strings.EqualFold(coding, "identity"):
		return x.refuse(nil, "the server sent the file compressed, which was not accepted")
	case resp.ContentLength > maxBytes:
		return x.tooLarge(maxBytes)
	}
	return nil
}

func (x *exchange) refuse(cause error, message string) error { return invalid(x.url, cause, message) }

func (x *exchange) tooLarge(maxBytes int64) error {
	return core.Errorf(core.CodeTooLarge, "%s: the file has more than the %d bytes allowed", shown(x.url), maxBytes)
}

// explain gives an error of the exchange its code and message. A forbidden address and a name without any address read the same.
func (x *exchange) explain(err error) error {
	var ofURL *url.Error
	if errors.As(err, &ofURL) {
		err = ofURL.Err // without the URL, whose query may contain a key
	}
	var refused refusal
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch cause := context.Cause(x.ctx); {
	case x.parent.Err() != nil:
		return x.parent.Err()
	case errors.Is(cause, errSlow):
		return x.refuse(err, "the server sends too slowly")
	case cause != nil:
		return x.refuse(err, "the file did not arrive in time")
	case errors.As(err, &refused):
		return x.refuse(err, refused.Error())
	case errors.Is(err, errForbidden), errors.As(err, &dns):
		return x.refuse(err, notPublic)
	case errors.As(err, &certificate):
		return x.refuse(err, "the certificate of the server is not valid")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return x.refuse(err, "the file did not arrive whole")
	default:
		return x.refuse(err, "the server does not answer, or broke off")
	}
}
