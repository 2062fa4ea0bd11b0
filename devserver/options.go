package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"strings"

	"go.temporal.io/server/common/dynamicconfig"
)

// options are the flags of `server start-dev`, named as the Temporal CLI names them.
type options struct {
	ip            string
	port          int
	uiPort        int
	uiNews        bool
	headless      bool
	namespaces    []string
	database      string            // empty: kept in memory
	pragmas       map[string]string // of the SQLite file
	dynamicConfig dynamicconfig.StaticClient
	logLevel      string
}

// parseOptions reads the flags; a repeatable flag adds one value each time. Complaints of the flag package go to w.
func parseOptions(args []string, w io.Writer) (options, error) {
	o := options{uiNews: true, pragmas: map[string]string{}, dynamicConfig: dynamicconfig.StaticClient{}}
	fs := flag.NewFlagSet("server start-dev", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.StringVar(&o.ip, "ip", "127.0.0.1", "address of the frontend")
	fs.IntVar(&o.port, "port", 7233, "port of the frontend")
	fs.IntVar(&o.uiPort, "ui-port", 0, "port of the web UI (default: port + 1000)")
	fs.BoolVar(&o.headless, "headless", false, "no web UI")
	fs.StringVar(&o.database, "db-filename", "", "SQLite file; without it everything is lost at exit")
	fs.StringVar(&o.logLevel, "log-level", "warn", "debug, info, warn, error or never")
	fs.Func("namespace", "namespace to create (repeatable; default is always there)", func(v string) error {
		o.namespaces = append(o.namespaces, v)
		return nil
	})
	fs.BoolFunc("ui-disable-news-fetch", "the web UI does not ask its maker for news", func(string) error {
		o.uiNews = false
		return nil
	})
	fs.Func("sqlite-pragma", "name=value of the SQLite file (repeatable): journal_mode, synchronous", o.addPragma)
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

func (o *options) addPragma(v string) error {
	name, value, ok := strings.Cut(v, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not name=value", v)
	}
	o.pragmas[name] = value
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
