package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/config"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plait.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestTheStrongestSourceWins(t *testing.T) {
	path := write(t, "worker:\n  translate_slots: 3\n  device_slots: 2\nlimits:\n  max_body: 2GiB\n")
	l, err := config.Load(config.Sources{
		File:    path,
		Environ: []string{"PLAIT_WORKER_TRANSLATE_SLOTS=5", "DATABASE_URL=postgres://u:pw@h/db", "HOME=/root", "PLAIT_LOG_LEVEL="},
		Flags:   map[string]string{"worker.translate_slots": "7", "context.ttl": "90s"},
	})
	require.NoError(t, err)
	require.Equal(t, 7, l.Worker.TranslateSlots)
	require.Equal(t, 2, l.Worker.DeviceSlots)
	require.Equal(t, config.Bytes(2<<30), l.Limits.MaxBody)
	require.Equal(t, 90*time.Second, l.Context.TTL)
	require.Equal(t, "info", l.Log.Level)
	require.Equal(t, map[string]string{
		"worker.translate_slots": "flag --worker-translate-slots",
		"worker.device_slots":    "file " + path,
		"database.url":           "environment DATABASE_URL",
		"log.level":              "default",
	}, pick(l.Origin, "worker.translate_slots", "worker.device_slots", "database.url", "log.level"))
}

func pick(m map[string]string, names ...string) map[string]string {
	out := map[string]string{}
	for _, n := range names {
		out[n] = m[n]
	}
	return out
}

func TestPlaitsOwnVariableBeatsTheUsualOne(t *testing.T) {
	l, err := config.Load(config.Sources{Environ: []string{"PLAIT_DATABASE_URL=postgres://a/b", "DATABASE_URL=postgres://c/d"}})
	require.NoError(t, err)
	require.Equal(t, "postgres://a/b", l.Database.URL)
}

func TestWhatCannotBeStopsTheStartAndIsNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		file    string
		environ []string
		flags   map[string]string
		want    string
	}{
		"unknown key in the file": {file: "worker:\n  slots: 1\n", want: "worker.slots is not a setting"},
		"unknown variable":        {environ: []string{"PLAIT_WORKER_SLOTS=1"}, want: "PLAIT_WORKER_SLOTS is not a setting"},
		"not a number":            {environ: []string{"PLAIT_WORKER_DEVICE_SLOTS=two"}, want: `worker.device_slots (environment PLAIT_WORKER_DEVICE_SLOTS): "two" is not a whole number`},
		"too small":               {flags: map[string]string{"worker.translate_slots": "0"}, want: "worker.translate_slots (flag --worker-translate-slots): 0 is less than 1"},
		"not one of":              {flags: map[string]string{"device.kind": "tpu"}, want: `device.kind (flag --device-kind): "tpu" is not one of cpu, cuda`},
		"not a duration":          {file: "context:\n  ttl: soon\n", want: "context.ttl"},
		"duration without a unit": {file: "retention:\n  files: 720\n", want: `"720" is not a duration, such as 30s`},
		"part of a slot":          {file: "worker:\n  translate_slots: 1.5\n", want: `"1.5" is not a whole number`},
		"slots by a switch":       {file: "worker:\n  translate_slots: true\n", want: `"true" is not a whole number`},
		"several for one":         {file: "log:\n  level: [info, warn]\n", want: `"[info warn]" is not a text`},
		"nothing for something":   {flags: map[string]string{"data_dir": ""}, want: "data_dir (flag --data-dir): is empty; its default is ./.plait"},
		"address without a port":  {flags: map[string]string{"http.address": "localhost"}, want: `"localhost" is not host:port`},
		"port beyond all":         {flags: map[string]string{"http.address": ":99999"}, want: `":99999" is not host:port`},
		"Temporal without a port": {environ: []string{"TEMPORAL_ADDRESS=temporal"}, want: `temporal.address (environment TEMPORAL_ADDRESS): "temporal" is not host:port`},
		"socket without a path":   {environ: []string{"TEMPORAL_ADDRESS=unix://run/t.sock"}, want: `"unix://run/t.sock" is not host:port`},
		"another database":        {environ: []string{"DATABASE_URL=mysql://u:hunter2@h/d"}, want: "database.url (environment DATABASE_URL): is not a URL that begins with postgres:// or postgresql://"},
		"another store":           {environ: []string{"PLAIT_BLOB_URL=ftp://h/d"}, want: "is not a URL that begins with s3:// or file://"},
		"collector that is none":  {environ: []string{"OTEL_EXPORTER_OTLP_ENDPOINT=jaeger:4318"}, want: "is not a URL that begins with http:// or https://"},
		"proxy that is none":      {environ: []string{"PLAIT_TRANSLATOR_PROXY=proxy:3128"}, want: "is not a URL that begins with http://"},
		"short token":             {environ: []string{"PLAIT_HOST_API_ADDRESS=:9000", "PLAIT_HOST_API_TOKEN=short"}, want: "host_api.token (environment PLAIT_HOST_API_TOKEN): 5 characters are too few; use 16 or more"},
		"no token":                {flags: map[string]string{"host_api.address": ":9000"}, want: "host_api.token (default): is empty, and host_api.address is set"},
		"page beyond a request":   {flags: map[string]string{"limits.max_body": "1MiB"}, want: "limits.max_page_bytes (default): 64 MiB is more than limits.max_body"},
		"unknown empty section":   {file: "loging:\n", want: "loging is not a setting"},
		"not an amount":           {flags: map[string]string{"limits.max_body": "much"}, want: "not an amount of bytes"},
		"network of a name":       {flags: map[string]string{"fetch.allowed_networks": "10.0.0.0/8,intranet"}, want: `"10.0.0.0/8,intranet" is not a list of networks, such as 10.1.0.0/16`},
		"network with a host":     {flags: map[string]string{"fetch.denied_networks": "10.1.2.3/16"}, want: "fetch.denied_networks (flag --fetch-denied-networks)"},
		"origin with a path":      {flags: map[string]string{"http.cors_origins": "https://a.example,https://b.example/"}, want: "is not a list of origins, such as https://studio.example"},
		"every origin":            {flags: map[string]string{"http.cors_origins": "*"}, want: "is not a list of origins"},
		"network in the file":     {file: "fetch:\n  allowed_networks: [10.0.0.0/8, 10.1]\n", want: "is not a list of networks"},
		"broken file":             {file: "worker: [", want: "settings file"},
		"file that is not there":  {file: "-", want: "settings file"},
	} {
		t.Run(name, func(t *testing.T) {
			src := config.Sources{Environ: tc.environ, Flags: tc.flags}
			switch tc.file {
			case "":
			case "-":
				src.File = filepath.Join(t.TempDir(), "absent.yaml")
			default:
				src.File = write(t, tc.file)
			}
			_, err := config.Load(src)
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), "\n", "one problem is one line")
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestSectionsMayBeCommentsAlone(t *testing.T) {
	l, err := config.Load(config.Sources{File: write(t, "log:\n  # level: debug\nworker:\n  translate_slots:\ntranslator:\n  retries: 0\n")})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"log.level": "default", "worker.translate_slots": "default"}, pick(l.Origin, "log.level", "worker.translate_slots"))
	require.Zero(t, l.Translator.Retries)
}

func TestNetworks(t *testing.T) {
	const list = "10.1.0.0/16,127.0.0.1/32,fd12::/64"
	for name, src := range map[string]config.Sources{
		"text": {Flags: map[string]string{"fetch.allowed_networks": "10.1.0.0/16, 127.0.0.1,fd12::/64"}},
		"file": {File: write(t, "fetch:\n  allowed_networks:\n    - 10.1.0.0/16\n    - 127.0.0.1\n    - fd12::/64\n")},
	} {
		l, err := config.Load(src)
		require.NoError(t, err, name)
		require.Equal(t, list, l.Fetch.AllowedNetworks.String(), name)
		require.Empty(t, l.Fetch.DeniedNetworks, name)
		for _, s := range config.Settings() {
			if s.Name == "fetch.allowed_networks" {
				require.Equal(t, list, l.Value(s), name)
			}
		}
		child, err := config.Load(config.Sources{Environ: l.Environ()})
		require.NoError(t, err, name)
		require.Equal(t, l.Config, child.Config, name)
	}
}

func TestOrigins(t *testing.T) {
	for name, src := range map[string]config.Sources{
		"text": {Flags: map[string]string{"http.cors_origins": "https://a.example, http://b.example:8080"}},
		"file": {File: write(t, "http:\n  cors_origins: [https://a.example, http://b.example:8080]\n")},
	} {
		l, err := config.Load(src)
		require.NoError(t, err, name)
		require.Equal(t, config.Origins{"https://a.example", "http://b.example:8080"}, l.HTTP.CORSOrigins, name)
		child, err := config.Load(config.Sources{Environ: l.Environ()})
		require.NoError(t, err, name)
		require.Equal(t, l.Config, child.Config, name)
	}
}

func TestEveryFormOfAnAddressIsTaken(t *testing.T) {
	for name, values := range map[string][]string{
		"database.url":     {"postgres://u:p@h/d?sslmode=disable", "postgresql:///d?host=/run", "host=h dbname=d", ""},
		"blob.url":         {"s3://bucket/prefix?endpoint=http://h", "file:///data", "/data", "blobs", ""},
		"temporal.address": {"temporal:7233", "unix:///run/temporal.sock", ""},
		"http.address":     {":8080", "[::1]:8080", "localhost:0"},
		"translator.proxy": {"socks5://h:1080", "http://u:p@h:3128", ""},
	} {
		for _, value := range values {
			_, err := config.Load(config.Sources{Environ: []string{envOf(name) + "=" + value}})
			require.NoError(t, err, "%s %q", name, value)
		}
	}
}

func TestSecretsAreHiddenWhenPrintedAndInErrors(t *testing.T) {
	l, err := config.Load(config.Sources{Environ: []string{
		"OPENAI_API_KEY=sk-verysecret", "DATABASE_URL=postgres://u:hunter2@h/db", "PLAIT_TRANSLATOR_HEADERS=X-Key=topsecret",
	}})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, l.Print(&out))
	for _, secret := range []string{"verysecret", "hunter2", "topsecret"} {
		require.NotContains(t, out.String(), secret)
	}
	require.Contains(t, out.String(), "postgres://u:xxxxx@h/db")

	_, err = config.Load(config.Sources{Environ: []string{"PLAIT_TRANSLATOR_HEADERS=topsecret"}})
	require.ErrorContains(t, err, "translator.headers")
	require.NotContains(t, err.Error(), "topsecret")
}

func TestURLsArePrintedWithoutTheirSecrets(t *testing.T) {
	for name, tc := range map[string]struct{ value, want string }{
		"database.url":        {"postgres://u:hunter2@h/db?sslmode=disable&password=hunter2&sslpassword=hunter2", "postgres://u:xxxxx@h/db?password=xxxxx&sslmode=disable&sslpassword=xxxxx"},
		"blob.url":            {"s3://key:hunter2@bucket/prefix?endpoint=http://u:hunter2@minio:9000&region=eu", "s3://key:xxxxx@bucket/prefix?endpoint=http%3A%2F%2Fu%3Axxxxx%40minio%3A9000&region=eu"},
		"translator.base_url": {"https://hunter2@h/v1?api-key=hunter2", "https://xxxxx@h/v1?api-key=xxxxx"},
		"tracing.endpoint":    {"http://u:hunter2@collector:4318", "http://u:xxxxx@collector:4318"},
		"translator.proxy":    {"socks5://u:hunter2@h:1080", "socks5://u:xxxxx@h:1080"},
	} {
		l, err := config.Load(config.Sources{Environ: []string{envOf(name) + "=" + tc.value}})
		require.NoError(t, err)
		for _, row := range l.Rows() {
			if row.Name == name {
				require.Equal(t, tc.want, row.Value, name)
			}
			require.NotContains(t, row.Value, "hunter2", row.Name)
		}
	}
	l, err := config.Load(config.Sources{Environ: []string{"DATABASE_URL=host=h password=hunter2"}})
	require.NoError(t, err)
	require.Equal(t, "(hidden)", l.Rows()[2].Value)
}

func TestTextsAreRedacted(t *testing.T) {
	l, err := config.Load(config.Sources{Environ: []string{
		"DATABASE_URL=postgres://user:hunters%2F2@host/db?sslpassword=hunters-3", "PLAIT_BLOB_URL=s3://bucket?endpoint=http://user:hunters-4@minio:9000",
		"OPENAI_BASE_URL=https://hunters-5@host/v1", "OPENAI_API_KEY=hunters-6", "PLAIT_TRANSLATOR_HEADERS=x-key=hunters-7", "GEMINI_API_KEY=test",
	}})
	require.NoError(t, err)
	require.Equal(t, "user at host: (hidden) (hidden) (hidden) (hidden) (hidden) (hidden) (hidden) test-model",
		l.Redact("user at host: hunters%2F2 hunters/2 hunters-3 hunters-4 hunters-5 hunters-6 hunters-7 test-model"))
}

func envOf(name string) string {
	for _, s := range config.Settings() {
		if s.Name == name {
			return s.Env[0]
		}
	}
	return ""
}

// Every user of the machine can read the flags of a process, so a secret must not be one.
func TestASecretHasNoFlag(t *testing.T) {
	l, err := config.Load(config.Sources{})
	require.NoError(t, err)
	secrets := 0
	for i, s := range config.Settings() {
		if !s.Secret {
			require.NotEmpty(t, s.Flag(), s.Name)
			continue
		}
		secrets++
		require.Empty(t, s.Flag(), s.Name)
		require.Empty(t, l.Rows()[i].Flag)
		_, err := config.Load(config.Sources{Flags: map[string]string{s.Name: "sk-verysecret"}})
		require.ErrorContains(t, err, s.Name+": a secret cannot be a flag; set "+s.Env[0]+" or use the settings file")
		require.NotContains(t, err.Error(), "verysecret")
	}
	require.NotZero(t, secrets)
}

func TestEverySettingIsDescribedAndItsDefaultIsValid(t *testing.T) {
	_, err := config.Load(config.Sources{})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, s := range config.Settings() {
		require.NotEmpty(t, s.Help, s.Name)
		require.False(t, seen[s.Env[0]], "two settings with the variable %s", s.Env[0])
		seen[s.Env[0]] = true
	}
}

func FuzzSettingsFile(f *testing.F) {
	f.Add([]byte("worker:\n  device_slots: 2\n"))
	f.Add([]byte("translator:\n  headers: {a: b}\n"))
	f.Add([]byte("worker: [1, {a: *x}]"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "plait.yaml")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		if l, err := config.Load(config.Sources{File: path}); err == nil {
			require.Len(t, l.Rows(), len(config.Settings()))
		}
	})
}

func TestAChildGetsTheSameConfiguration(t *testing.T) {
	first, err := config.Load(config.Sources{
		Environ: []string{"OPENAI_API_KEY=sk-1", "PLAIT_TRANSLATOR_HEADERS=B=2,A=1"},
		Flags:   map[string]string{"context.ttl": "90s", "limits.max_body": "1000000001", "translator.temperature": "0.25"},
	})
	require.NoError(t, err)
	second, err := config.Load(config.Sources{Environ: first.Environ()})
	require.NoError(t, err)
	require.Equal(t, first.Config, second.Config)
}

// Complete takes over the settings of another process of the same user, except flags of this process and secrets that both have.
func TestSharedSettingsHoldInAnotherProcess(t *testing.T) {
	t.Parallel()
	of := func(flags map[string]string, environ ...string) *config.Loaded {
		l, err := config.Load(config.Sources{Flags: flags, Environ: environ})
		require.NoError(t, err)
		return l
	}
	shared := of(nil, "OPENAI_BASE_URL=http://a/v1", "OPENAI_API_KEY=theirs", "PLAIT_TRANSLATOR_MODEL=m", "PLAIT_TRANSLATOR_PRICES=m=1/2").Shared("translator.")
	require.NotContains(t, shared, "http.address")
	require.NotContains(t, strings.Join(slices.Collect(maps.Values(shared)), " "), "theirs")
	l := of(map[string]string{"translator.model": "n"}, "OPENAI_API_KEY=ours", "GEMINI_API_KEY=x", "PLAIT_TRANSLATOR_CONTEXT_PAGES=1", "PLAIT_TRANSLATOR_TIMEOUT=7s")
	require.NoError(t, l.Complete(shared, "running stack"))
	require.Equal(t, "http://a/v1", l.Translator.BaseURL)
	require.Equal(t, "n", l.Translator.Model)
	require.Equal(t, "ours", l.Translator.OpenAIKey)
	require.Empty(t, l.Translator.GeminiKey)
	require.Equal(t, map[string]string{"m": "1/2"}, l.Translator.Prices)
	usual := of(nil).Translator
	require.Equal(t, usual.ContextPages, l.Translator.ContextPages)
	require.Equal(t, usual.Timeout, l.Translator.Timeout)
	require.Equal(t, "running stack", l.Origin["translator.gemini_key"])

	l = of(nil)
	require.NoError(t, l.Complete(shared, "running stack"))
	require.Equal(t, config.Hidden, l.Translator.OpenAIKey)
}
