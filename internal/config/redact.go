package config

import (
	"net/url"
	"regexp"
	"strings"
)

// removed stands for a part of a URL that is a secret, as url.URL.Redacted writes it.
const removed = "xxxxx"

// secretParameter matches the names of query parameters that carry a secret, such as password, sslpassword and api-key.
var secretParameter = regexp.MustCompile(`(?i)pass|secret|token|key|sig|cred|auth`)

// redacted is a URL without its secrets: passwords, a token in the place of a user, parameters that are named like a secret, and
// what URLs within parameters have of these.
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
