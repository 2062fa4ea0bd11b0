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
	if os.Getenv(envTranslator) != "" {
		os.Exit(runTranslator())
	}
	stacktest.Main(m, stacktest.WithSearchAttributes(workflows.SearchAttributes()))
}
