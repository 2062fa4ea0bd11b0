package provider

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"plait/internal/core"
)

// maxErrorBytes bounds how much of an error's body is read: the evaluated fields are at its beginning.
const maxErrorBytes = 64 << 10

// caller is the part that all providers share: the HTTP client, the bounds, and the mapping of errors.
type caller struct {
	config   Config
	endpoint string
	http     *http.Client
}

func newCaller(c Config) (*caller, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 4
	transport.MaxResponseHeaderBytes = 256 << 10
	if c.Proxy != "" {
		proxy, err := url.Parse(c.Proxy)
		if err != nil || proxy.Host == "" {
			return nil, core.NewError(core.CodeInvalidInput, "the translator's proxy is not a URL such as http://host:port")
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	return &caller{
		config:   c,
		endpoint: endpoint(c.BaseURL),
		http:     &http.Client{Transport: &guard{config: c, base: transport}},
	}, nil
}

// Name is the kind of provider.
func (c *caller) Name() string { return c.config.Kind }

// Model is the requested model.
func (c *caller) Model() string { return c.config.Model }

// Endpoint is the base address, without user, query or key.
func (c *caller) Endpoint() string { return c.endpoint }

// call makes one call within the time-out, and removes from its error what a client must not read.
func (c *caller) call(ctx context.Context, ask func(context.Context) (Completion, error)) (Completion, error) {
	bounded, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	completion, err := ask(bounded)
	var known *core.Error
	switch {
	case err == nil && completion.FinishReason == FinishRefused:
		completion.Text = ""
		return completion, nil
	case err == nil:
		return completion, nil
	case errors.Is(err, errContent):
		return Completion{FinishReason: FinishRefused, Model: c.config.Model}, nil
	case ctx.Err() != nil:
		return Completion{}, ctx.Err()
	case bounded.Err() != nil:
		return Completion{}, core.Errorf(core.CodeTranslatorUnavailable, "%s did not answer within %s", c.config.Kind, c.config.Timeout)
	case errors.As(err, &known):
		// The errors that the clients wrap around it contain the address, which may contain a key.
		return Completion{}, known
	default:
		// The clients quote the reply in their errors about an invalid one, and the reply contains page text.
		return Completion{}, core.Errorf(core.CodeTranslatorUnavailable, "%s answered something that is not a completion", c.config.Kind)
	}
}

// guard is the transport below the clients. They never see an HTTP failure: guard maps it, because it has the headers.
type guard struct {
	config Config
	base   http.RoundTripper
}

// RoundTrip sends the request with the extra headers. Any answer other than 2xx is an error, including a redirect: following it would send
// the key and the page to an address that is not configured.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range g.config.Headers {
		r.Header.Set(name, value)
	}
	response, err := g.base.RoundTrip(r)
	if err != nil {
		return nil, core.Wrap(core.CodeTranslatorUnavailable, err, g.config.Kind+" cannot be reached")
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		defer func(body io.Closer) { _ = body.Close() }(response.Body)
		response.Body = &boundedBody{ReadCloser: response.Body, kind: g.config.Kind, left: g.config.MaxResponseBytes}
		if err := readUsage(response); err != nil {
			return nil, err
		}
		return response, nil
	}
	// If the body cannot be read, the status alone determines the error.
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBytes))
	_ = response.Body.Close()
	return nil, failure(g.config, response.StatusCode, response.Header, body, time.Now())
}

// boundedBody fails once the bound is exceeded, and distinguishes a closed connection from the end of the body.
type boundedBody struct {
	io.ReadCloser
	kind string
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return 0, core.Errorf(core.CodeTranslatorUnavailable, "%s answers without end", b.kind)
	case err != nil && !errors.Is(err, io.EOF):
		return n, core.Wrap(core.CodeTranslatorUnavailable, err, b.kind+" cut the connection in the middle of its answer")
	}
	return n, err
}

// endpoint returns address without user, query and fragment, because any of them may contain a key.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
