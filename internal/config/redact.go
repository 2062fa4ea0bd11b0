package config

import (
	"net/url"
	"regexp"
	"strings"
)

// removed replaces a secret part of a URL. It is the text that url.URL.Redacted uses.
const removed = "xxxxx"

// secretParameter matches the names of query parameters that contain a secret, such as password, sslpassword and api-key.
var secretParameter = regexp.MustCompile(`(?i)pass|secret|token|key|sig|cred|auth`)

// redacted returns a URL without its secrets: passwords, a token in place of a user name, parameters whose names suggest a secret, and
// all of these in URLs that are values of parameters.
func redacted(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return Hidden
	}
	if _, has := u.User.Password(); u.User != nil && !has && strings.HasPrefix(u.Scheme, "http") {
		u.User = url.User(removed)
	}
	if u.RawQuery != "" {
		query := u.Query()
		for name, values := range query {
			for i, value := range values {
				switch {
				case secretParameter.MatchString(name):
					values[i] = removed
				case strings.Contains(value, "://"):
					values[i] = redacted(value)
				}
			}
		}
		u.RawQuery = query.Encode()
	}
	return u.Redacted()
}
