package chaos_test

import (
	"flag"
	"os"
	"testing"
)

var (
	seed     = flag.Uint64("seed", 1, "what chapters and faults are drawn from")
	duration = flag.Duration("duration", 0, "how long the storm lasts; 0: until every kind of fault has struck once")
)

func TestMain(m *testing.M) {
	if description := os.Getenv(envPart); description != "" {
		os.Exit(runPart(description))
	}
	os.Exit(m.Run())
}
