package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/server/common/dynamicconfig"
)

func TestParseOptions(t *testing.T) {
	o, err := parseOptions([]string{
		"--ip", "127.0.0.1", "--port", "7300", "--namespace", "comics", "--namespace", "films", "--db-filename", "t.db",
		"--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=1", "--ui-disable-news-fetch",
		"--dynamic-config-value", "history.transferProcessorMaxPollRPS=7", "--dynamic-config-value", `a.b="text"`,
		"--log-level", "error",
	}, io.Discard)
	require.NoError(t, err)
	require.Equal(t, []string{"comics", "films", "default"}, o.namespaces)
	require.Equal(t, 8300, o.uiPort, "the UI is a thousand above, as with the CLI")
	require.Equal(t, map[string]string{"journal_mode": "wal", "synchronous": "1"}, o.pragmas)
	require.False(t, o.uiNews)
	require.Equal(t, 7, o.dynamicConfig[dynamicconfig.TransferProcessorMaxPollRPS.Key()])
	require.Equal(t, "text", o.dynamicConfig[dynamicconfig.MakeKey("a.b")])
}

func TestParseOptionsRefuses(t *testing.T) {
	for complaint, args := range map[string][]string{
		"not an IP address":   {"--ip", "localhost"},
		"out of range":        {"--port", "70000"},
		"unexpected argument": {"stray"},
		"not name=value":      {"--sqlite-pragma", "journal_mode"},
		"not key=value":       {"--dynamic-config-value", "matching"},
		"not JSON":            {"--dynamic-config-value", "a=text"},
		"not one of":          {"--log-level", "loud"},
	} {
		_, err := parseOptions(args, io.Discard)
		require.ErrorContains(t, err, complaint, "%v", args)
	}
}
