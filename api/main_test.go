package api_test

import (
	"os"
	"testing"

	"plait/internal/stack/stacktest"
	"plait/workflows"
)

func TestMain(m *testing.M) {
	if os.Getenv(envServeDatabase) != "" {
		os.Exit(serveUntilStdinEnds())
	}
	stacktest.Main(m, stacktest.WithSearchAttributes(workflows.SearchAttributes()))
}
