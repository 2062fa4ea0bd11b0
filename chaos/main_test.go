package chaos_test

import (
	"flag"
	"os"
	"testing"
	"time"
)

var (
	seed     = flag.Uint64("seed", 1, "what chapters and faults are drawn from")
	duration = flag.Duration("duration", 90*time.Second, "how long the storm lasts; 0: until every kind of fault has come once")
)

func TestMain(m *testing.M) {
	if description := os.Getenv(envPart); description != "" {
		os.Exit(runPart(description))
	}
	os.Exit(m.Run())
}
