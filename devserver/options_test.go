package main

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/dynamicconfig"
)

func TestParseOptions(t *testing.T) {
	o, err := parseOptions([]string{
		"--ip", "127.0.0.1", "--port", "7300", "--namespace", "comics", "--namespace", "films", "--db-filename", "t.db",
		"--search-attribute", "PlaitTenant=Keyword", "--search-attribute", "PlaitPages=Int",
		"--dynamic-config-value", "history.transferProcessorMaxPollRPS=7", "--dynamic-config-value", `a.b="text"`,
		"--log-level", "error", "--retention", "48h",
	}, io.Discard)
	require.NoError(t, err)
	require.Equal(t, []string{"comics", "films", "default"}, o.namespaces)
	require.Equal(t, 8300, o.uiPort, "the UI is a thousand above, as with the CLI")
	require.Equal(t, 48*time.Hour, o.retention)
	require.Equal(t, map[string]enumspb.IndexedValueType{
		"PlaitTenant": enumspb.INDEXED_VALUE_TYPE_KEYWORD, "PlaitPages": enumspb.INDEXED_VALUE_TYPE_INT,
	}, o.searchAttributes)
	require.Equal(t, 7, o.dynamicConfig[dynamicconfig.TransferProcessorMaxPollRPS.Key()], "a flag overrides the default")
	require.Equal(t, "text", o.dynamicConfig[dynamicconfig.MakeKey("a.b")])
	require.Equal(t, 1, o.dynamicConfig[dynamicconfig.MatchingNumTaskqueueReadPartitions.Key()])
}

func TestParseOptionsRefuses(t *testing.T) {
	for complaint, args := range map[string][]string{
		"not an IP address":   {"--ip", "localhost"},
		"out of range":        {"--port", "70000"},
		"unexpected argument": {"stray"},
		"not Name=Type":       {"--search-attribute", "PlaitTenant"},
		"unknown type":        {"--search-attribute", "PlaitTenant=Colour"},
		"not key=value":       {"--dynamic-config-value", "matching"},
		"not JSON":            {"--dynamic-config-value", "a=text"},
		"at least 1h":         {"--retention", "1m"},
		"not one of":          {"--log-level", "loud"},
	} {
		_, err := parseOptions(args, io.Discard)
		require.ErrorContains(t, err, complaint, "%v", args)
	}
}
