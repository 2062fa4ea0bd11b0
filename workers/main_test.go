package workers_test

import (
	"os"
	"testing"

	"plait/internal/stack/stacktest"
	"plait/workflows"
)

func TestMain(m *testing.M) {
	if os.Getenv(envHost) != "" {
		os.Exit(runHost())
	}
	stacktest.Main(m, stacktest.WithSearchAttributes(workflows.SearchAttributes()))
}
