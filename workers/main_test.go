package workers_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"testing"

	"plait/internal/stack/stacktest"
	"plait/workflows"
)

func TestMain(m *testing.M) {
	for env, poll := range map[string]func(context.Context, []string) error{
		envHost: pollAsHost, envMortal: pollAsMortal, envTranslator: pollAsTranslator, envOldWorker: pollAsOldWorker, envPoisoned: pollAsPoisoned,
		envWebhooks: pollAsWebhooks,
	} {
		if places := os.Getenv(env); places != "" {
			os.Exit(runAs(poll, strings.Split(places, "|")))
		}
	}
	stacktest.Main(m, stacktest.WithSearchAttributes(workflows.SearchAttributes()))
}

// runAs is a worker process of a test's own, until it is interrupted.
func runAs(poll func(context.Context, []string) error, places []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := poll(ctx, places); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
