package config

import (
	"net/url"
	"reflect"
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

// leastSecret is the shortest text that is taken for a secret, in bytes: a shorter one would be found in words.
const leastSecret = 8

// Redact returns a text, such as the message of an error, without the secrets of the configuration that occur in it.
func (l *Loaded) Redact(text string) string {
	for _, s := range Settings() {
		v := reflect.ValueOf(l.Config).FieldByIndex(s.index)
		switch {
		case s.URL && strings.Contains(v.String(), "://"):
			for _, secret := range secretsOf(v.String()) {
				text = without(text, secret)
			}
		case s.Secret && v.Kind() == reflect.String:
			for secret := range strings.SplitSeq(v.String(), ",") { // several keys may be one setting
				text = without(text, secret)
			}
		case s.Secret && v.Kind() == reflect.Map:
			for _, name := range v.MapKeys() {
				text = without(text, v.MapIndex(name).String())
			}
		}
	}
	return text
}

func without(text, secret string) string {
	if len(secret) < leastSecret {
		return text
	}
	return strings.ReplaceAll(text, secret, Hidden)
}

// secretsOf returns what [redacted] takes out of a URL, as it is written there and decoded.
func secretsOf(text string) []string {
	u, err := url.Parse(text)
	if err != nil {
		return []string{text}
	}
	var secrets []string
	add := func(secret string) {
		secrets = append(secrets, secret, url.QueryEscape(secret), url.PathEscape(secret))
	}
	if password, has := u.User.Password(); has {
		add(password)
	} else if u.User != nil && strings.HasPrefix(u.Scheme, "http") {
		add(u.User.Username())
	}
	for name, values := range u.Query() {
		for _, value := range values {
			switch {
			case secretParameter.MatchString(name):
				add(value)
			case strings.Contains(value, "://"):
				secrets = append(secrets, secretsOf(value)...)
			}
		}
	}
	return secrets
}
