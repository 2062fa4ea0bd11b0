package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"
)

// rules checks the validate tags. Besides the rules of the library, they can contain address (host:port) and scheme=A B (a URL with one
// of these schemes).
var rules = newRules()

func newRules() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("key") })
	for name, holds := range map[string]validator.Func{"address": isAddress, "scheme": hasScheme} {
		if err := v.RegisterValidation(name, holds); err != nil {
			panic(err) // impossible: only an empty name is an error
		}
	}
	return v
}

// isAddress accepts host:port. Unlike the library's hostname_port it also accepts IPv6 addresses, and port 0, which means any free port.
func isAddress(field validator.FieldLevel) bool {
	_, port, err := net.SplitHostPort(field.Field().String())
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	return err == nil
}

func hasScheme(field validator.FieldLevel) bool {
	u, err := url.Parse(field.Field().String())
	return err == nil && slices.Contains(strings.Fields(field.Param()), u.Scheme)
}

// check returns an error for each setting whose value breaks its rules. Each begins with the setting's name and origin.
func (l *Loaded) check() error {
	var broken validator.ValidationErrors
	if err := rules.Struct(l.Config); !errors.As(err, &broken) {
		return err
	}
	var problems []error
	for _, b := range broken {
		_, name, _ := strings.Cut(b.Namespace(), ".")
		problems = append(problems, fmt.Errorf("%s (%s): %w", name, l.Origin[name], reason(b)))
	}
	return errors.Join(problems...)
}

// reason returns an error that says which rule a value breaks. It never contains the value of a URL, which may have a password, or of a
// secret.
func reason(broken validator.FieldError) error {
	alternatives := strings.Split(broken.Tag(), "|")
	rule, _, _ := strings.Cut(alternatives[len(alternatives)-1], "=")
	value, bound := broken.Value(), broken.Param()
	switch {
	case rule == "min" && broken.Kind() == reflect.String:
		return fmt.Errorf("%d characters are too few; use %s or more", utf8.RuneCountInString(fmt.Sprint(value)), bound)
	case rule == "min":
		return fmt.Errorf("%v is less than %s", value, bound)
	case rule == "max":
		return fmt.Errorf("%v is more than %s", value, bound)
	case rule == "ltefield":
		return fmt.Errorf("%v is more than %s", value, other(broken))
	case rule == "required_with":
		return fmt.Errorf("is empty, and %s is set", other(broken))
	case rule == "oneof":
		return fmt.Errorf("%q is not one of %s", value, strings.ReplaceAll(bound, " ", ", "))
	case rule == "address":
		return fmt.Errorf("%q is not host:port, such as 127.0.0.1:8080", value)
	case rule == "scheme":
		return fmt.Errorf("is not a URL that begins with %s://", strings.ReplaceAll(bound, " ", ":// or "))
	case rule == "url":
		return errors.New("is a URL without a host")
	default:
		return fmt.Errorf("breaks the rule %s %s", rule, bound)
	}
}

// other returns the name of the setting that a rule compares with. The rule names a field of the same section.
func other(broken validator.FieldError) string {
	section, _ := reflect.TypeFor[Config]().FieldByName(strings.Split(broken.StructNamespace(), ".")[1])
	field, _ := section.Type.FieldByName(broken.Param())
	return section.Tag.Get("key") + "." + field.Tag.Get("key")
}
