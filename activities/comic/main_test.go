package comic_test

import (
	"testing"

	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }
