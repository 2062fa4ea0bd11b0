package fetch

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"http://example.com", "https://example.com/a/b.png?x=1#y", "HTTPS://EXAMPLE.COM/", "http://example.com:80/", "http://example.com:443/",
		"http://example.com:1024/", "http://example.com:8080/", "https://example.com:65535/", "http://1.2.3.4/", "http://[2606:4700::1]:8443/",
		"http://1e100.net/", "http://3com.test./", "http://under_score.test/", "http://例え.jp/頁.png", "http://xn--r8jz45g.jp/", "http://example.com:/",
	} {
		require.NoError(t, Check(good), good)
	}
	for bad, what := range map[string]string{
		"":                                                  "only http and https",
		"example.com/a.png":                                 "only http and https",
		"//example.com/a.png":                               "only http and https",
		"/etc/passwd":                                       "only http and https",
		"file:///etc/passwd":                                "file:///etc/passwd: only http and https",
		"gopher://example.com/_x":                           "only http and https",
		"ftp://example.com/":                                "only http and https",
		"data:image/png;base64,AAAA":                        "only http and https",
		"javascript:alert(1)":                               "only http and https",
		"http:example.com":                                  "no host",
		"http:///a.png":                                     "no host",
		"http://:80/":                                       "no host",
		"http://user@example.com/":                          "user name or password",
		"http://user:secret@example.com/":                   "user name or password",
		"http://@example.com/":                              "user name or password",
		"http://example.com:22/":                            "port",
		"http://example.com:0/":                             "port",
		"http://example.com:1023/":                          "port",
		"http://example.com:6667/":                          "port",
		"http://example.com:65536/":                         "port",
		"http://example.com:99999999999/":                   "port",
		"http://example.com:-1/":                            "cannot be read",
		"http://2130706433/":                                "host",
		"http://0x7f000001/":                                "host",
		"http://0x7f.0.0.1/":                                "host",
		"http://0177.0.0.1/":                                "host",
		"http://127.1/":                                     "host",
		"http://127.0.0.1./":                                "host",
		"http://example.0x/":                                "host",
		"http://example.9/":                                 "host",
		"http://1.2.3.4.5/":                                 "host",
		"http://256.1.1.1/":                                 "host",
		"http://２１３０７０６４３３/":                                "host",
		"http://a\u202eb.test/":                             "host",
		"http://[1:2]/":                                     "cannot be read",
		"http://[fe80::1%25lo]/":                            "host",
		"http://[::1/":                                      "cannot be read",
		"http://%31%32%37.0.0.1/":                           "cannot be read",
		"http://example.com/\r\nX: y":                       "cannot be read",
		"http://exa mple.com/":                              "cannot be read",
		"http://example.com/%zz":                            "cannot be read",
		"http://example.com/" + string([]byte{0}):           "cannot be read",
		"http://example.com/" + strings.Repeat("x", MaxURL): "8192 bytes",
	} {
		err := Check(bad)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), bad)
		require.Contains(t, core.PublicMessage(err), what, bad)
	}
}

// A URL by an address to which a client does not connect is refused before it is used. The address of a name is not known before.
func TestAnAddressIsCheckedBeforeItIsDialed(t *testing.T) {
	t.Parallel()
	c := New(Config{
		Allowed: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}, Denied: []netip.Prefix{netip.MustParsePrefix("1.1.1.1/32")},
	})
	for url, refused := range map[string]bool{
		"http://127.0.0.1:8080/": true, "http://[::1]/": true, "http://[::ffff:127.0.0.1]/": true, "http://[::127.0.0.1]/": true,
		"http://0.0.0.0/": true, "http://169.254.169.254/latest/meta-data": true, "http://10.0.0.1/": true, "http://[64:ff9b::7f00:1]/": true,
		"http://[2002:7f00:1::]/": true, "http://[fd00:ec2::254]/": true, "http://1.1.1.1/": true,
		"http://10.1.2.3/": false, "http://8.8.8.8/": false, "https://[2606:4700::1111]/": false, "https://example.com/": false, "http://localhost/": false,
	} {
		err := c.Check(url)
		if !refused {
			require.NoError(t, err, url)
			continue
		}
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), url)
		require.ErrorContains(t, err, "no public address", url)
	}
}

func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"http://example.com/a.png?token=x", "https://user:secret@example.com/", "http://127.1", "http://[::ffff:127.0.0.1]/", "http://0x7f.1/", "http://１２７.1/",
		"file:///etc/passwd", "http://example.com:6667", "http:\\\\example.com", "http://[fe80::1%25lo]/", "\x00", "http://a.0x/", "http://a..", "http://.", "http://x.１", "http://[::%25\xb4]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := parse(text)
		if err != nil {
			message := core.PublicMessage(err)
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
			require.LessOrEqual(t, len([]rune(message)), maxShown+100)
			require.Equal(t, core.Printable(message), message, "in one line")
			return
		}
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.Nil(t, u.User)
		require.NotEmpty(t, u.Hostname())
		if _, err := netip.ParseAddr(u.Hostname()); err != nil {
			last := strings.TrimSuffix(u.Hostname(), ".")
			last = last[strings.LastIndexByte(last, '.')+1:]
			if strings.Trim(last, "0123456789") == "" && last != "" {
				t.Fatalf("the host %q is a number in another notation", u.Hostname())
			}
		}
		require.NoError(t, Check(u.String()), "what is sent is accepted as well")
		require.NotContains(t, shown(u), "?")
	})
}
