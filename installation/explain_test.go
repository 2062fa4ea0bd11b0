package installation_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/installation"
	"plait/internal/core"
	"plait/internal/files"
	child "plait/internal/stack/process"
)

func TestAnErrorIsExplainedByItsSentenceItsCauseAndItsFile(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for want, err := range map[string]error{
		"the store does not answer: no space left on device": fmt.Errorf("save: %w", core.Wrap(core.CodeUnavailable, full, "the store does not answer")),
		"names.csv: the header is missing":                   files.In("names.csv", core.NewError(core.CodeInvalidInput, "the header is missing")),
		"postgres: no space left on device; its last lines are in logs/postgres.log of the data folder. Nothing is lost: the same command continues": fmt.Errorf(
			"start: %w", &child.ChildError{Name: "postgres", Err: full, LogTail: "PANIC"}),
		"no space left on device": full,
		"paper.pdf: the file is not a PDF": files.In("paper.pdf", core.Wrap(core.CodeInvalidDocument,
			core.NewError(core.CodeInvalidDocument, "the file is not a PDF"), `"paper.pdf": the file is not a PDF`)),
		"paper.pdf: the file is damaged: 3": files.In("paper.pdf", core.Wrap(core.CodeInvalidDocument,
			core.Wrap(core.CodeInvalidDocument, errors.New("3"), "the file is damaged"), `"paper.pdf": the file is damaged`)),
		"book.png: is a folder": files.In("book.png", files.In("book.png", errors.New("is a folder"))),
		"there is no leader at a:1: the leader does not answer: no space left on device": core.Wrap(core.CodeUnavailable,
			core.Wrap(core.CodeUnavailable, full, "the leader does not answer"), "there is no leader at a:1"),
	} {
		require.Equal(t, want, installation.Explain(err))
	}
}
