package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/tasks"
)

// What a person can only mend by another command line is wrong usage; what may work another time, or with other files, has failed.
func TestWrongUsageEndsOtherwiseThanAFailure(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	long := strings.Repeat("星", tasks.MaxSynopsisRunes+1)
	about := filepath.Join(in.dir, "about.txt")
	require.NoError(t, os.WriteFile(about, []byte(long), 0o600))
	page := filepath.Join(in.dir, "01.png")
	require.NoError(t, os.WriteFile(page, []byte("no picture"), 0o600))
	for says, args := range map[string][]string{
		"--synopsis has more than 2000 characters; see \"plait translate --help\"": {"translate", page, "--to", "en", "--synopsis", long},
		"--synopsis has more than 2000 characters; see \"plait estimate --help\"":  {"estimate", page, "--synopsis", "@" + about},
		`target language "!"`:                         {"glossary", "set", page, "--to", "!"},
		`target language "xx"`:                        {"glossary", "show", "--to", "xx"},
		`unknown command "names" for "plait glossary`: {"glossary", "show", "names"},
		`unknown command "merge"`:                     {"glossary", "merge"},
		"name one TASK, not 0":                        {"glossary", "suggest"},
		`the tenant "a b" may contain only`:           {"keys", "create", "--tenant", "a b"},
		"the tenant is missing":                       {"keys", "create", "--tenant", ""},
		"more than 200 characters":                    {"keys", "create", "--name", strings.Repeat("x", 201)},
		`"first" is not the number of a key`:          {"keys", "revoke", "first"},
		"name one ID, not 2":                          {"keys", "revoke", "1", "2"},
		`scope "root" is not read, write or admin`:    {"keys", "create", "--scope", "root"},
		`unknown command "x" for "plait keys list"`:   {"keys", "list", "x"},
		`unknown command "x" for "plait hosts"`:       {"hosts", "x"},
		"name one NAME, not 0":                        {"hosts", "drain"},
		"unknown flag: --now":                         {"hosts", "drain", "a", "--now"},
		"CBZ files to read":                           {"read"},
		`reading order "up"`:                          {"read", page, "--order", "up"},
		"--jobs: 65 is not from 1 to 64":              {"read", page, "--jobs", "65"},
		"--jobs: -1 is not from 1 to 64":              {"erase", page, "-o", "out", "--jobs", "-1"},
		"--out is missing: folder for":                {"letter", page, "--script", "x.csv", "--to", "en"},
		`target language "klingon"`:                   {"letter", page, "--script", "x.csv", "--to", "klingon", "-o", "out"},
		"CBZ files to estimate":                       {"estimate"},
		`source language "tlh"`:                       {"estimate", page, "--from", "tlh"},
		`target language "tlh"`:                       {"estimate", page, "--to", "tlh"},
		`"x" is none of the parts assets, database`:   {"doctor", "blobs", "x"},
		`unknown command "x" for "plait config"`:      {"config", "x"},
		`unknown command "x" for "plait migrate"`:     {"migrate", "x"},
		`unknown command "x" for "plait version"`:     {"version", "x"},
		"--json: ":  {"version", "--json=maybe"},
		"log.level": {"keys", "list", "--log-level", "loud"},
	} {
		f := in.plait(args...)
		require.Equal(t, exitUsage, f.status, "%v: %s", args, f.stderr)
		require.Contains(t, f.stderr, says)
		require.Equal(t, 1, strings.Count(f.stderr, "\n"), f.stderr)
	}
	require.NoDirExists(t, filepath.Join(in.data, "postgres"), "nothing was started")

	for says, args := range map[string][]string{
		"absent.csv: no such file": {"glossary", "set", "absent.csv"},
		"01.png: the header":       {"glossary", "set", page},
		"absent.txt: no such file": {"estimate", page, "--synopsis", "@absent.txt"},
		"absent.tsv: no such file": {"estimate", page, "--glossary", "absent.tsv"},
		"no stack runs in":         {"glossary", "show"},
		"start \"plait up\" there": {"keys", "list"},
		"or set database.url":      {"keys", "revoke", "1"},
		"(DATABASE_URL)":           {"hosts", "drain", "a"},
		"(TEMPORAL_ADDRESS)":       {"hosts"},
		"temporal.address":         {"migrate"},
		"plait: 01.png: ":          {"read", page},
		"absent: cannot be read: ": {"erase", "absent", "-o", "out"},
		"script.csv: no such file": {"letter", page, "--script", "script.csv", "--to", "en", "-o", "out"},
	} {
		f := in.plait(args...)
		require.Equal(t, exitFailed, f.status, "%v: %s", args, f.stderr)
		require.Contains(t, f.stderr, says)
	}
}
