package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/dynamicconfig"
)

// options are the flags of `server start-dev`, named as the Temporal CLI names them.
type options struct {
	ip               string
	port             int
	uiPort           int
	headless         bool
	namespaces       []string
	retention        time.Duration
	database         string // empty: kept in memory
	searchAttributes map[string]enumspb.IndexedValueType
	dynamicConfig    dynamicconfig.StaticClient
	logLevel         string
}

// parseOptions reads the flags; a repeatable flag adds one value each time. Complaints of the flag package go to w.
func parseOptions(args []string, w io.Writer) (options, error) {
	o := options{
		searchAttributes: map[string]enumspb.IndexedValueType{},
		dynamicConfig:    defaultDynamicConfig(),
	}
	fs := flag.NewFlagSet("server start-dev", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.StringVar(&o.ip, "ip", "127.0.0.1", "address of the frontend")
	fs.IntVar(&o.port, "port", 7233, "port of the frontend")
	fs.IntVar(&o.uiPort, "ui-port", 0, "port of the web UI (default: port + 1000)")
	fs.BoolVar(&o.headless, "headless", false, "no web UI")
	fs.StringVar(&o.database, "db-filename", "", "SQLite file; without it everything is lost at exit")
	fs.StringVar(&o.logLevel, "log-level", "warn", "debug, info, warn, error or never")
	fs.DurationVar(&o.retention, "retention", 30*24*time.Hour, "how long a namespace made here keeps closed workflows")
	fs.Func("namespace", "namespace to create (repeatable; default is always there)", func(v string) error {
		o.namespaces = append(o.namespaces, v)
		return nil
	})
	fs.Func("search-attribute", "Name=Type, registered in every namespace (repeatable)", o.addSearchAttribute)
	fs.Func("dynamic-config-value", "key=JSON value of the server's dynamic config (repeatable)", o.addDynamicConfig)
	if err := fs.Parse(args); err != nil {
		return options{}, err
	}
	if fs.NArg() > 0 {
		return options{}, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return o, o.complete()
}

// complete fills what depends on other flags and refuses what cannot work.
func (o *options) complete() error {
	if net.ParseIP(o.ip) == nil {
		return fmt.Errorf("--ip %q is not an IP address", o.ip)
	}
	if o.uiPort == 0 {
		o.uiPort = o.port + 1000
	}
	for _, p := range []int{o.port, o.uiPort} {
		if p < 1 || p > 65535 {
			return fmt.Errorf("port %d is out of range", p)
		}
	}
	if o.retention < time.Hour {
		return errors.New("--retention must be at least 1h")
	}
	if _, ok := logLevels[o.logLevel]; !ok {
		return fmt.Errorf("--log-level %q is not one of debug, info, warn, error, never", o.logLevel)
	}
	for _, ns := range o.namespaces {
		if ns == defaultNamespace {
			return nil
		}
	}
	o.namespaces = append(o.namespaces, defaultNamespace)
	return nil
}

const defaultNamespace = "default"

func (o *options) addSearchAttribute(v string) error {
	name, typeName, ok := strings.Cut(v, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not Name=Type", v)
	}
	t, err := enumspb.IndexedValueTypeFromString(typeName)
	if err != nil || t == enumspb.INDEXED_VALUE_TYPE_UNSPECIFIED {
		return fmt.Errorf("search attribute %s: unknown type %q", name, typeName)
	}
	o.searchAttributes[name] = t
	return nil
}

// addDynamicConfig reads key=value; the value is JSON, as with the Temporal CLI, so a string needs its quotes.
func (o *options) addDynamicConfig(v string) error {
	key, text, ok := strings.Cut(v, "=")
	if !ok || key == "" {
		return fmt.Errorf("%q is not key=value", v)
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return fmt.Errorf("dynamic config %s: value %q is not JSON: %w", key, text, err)
	}
	if number, ok := value.(float64); ok && number == float64(int(number)) {
		value = int(number) // integer settings refuse a float
	}
	o.dynamicConfig[dynamicconfig.MakeKey(key)] = value
	return nil
}
