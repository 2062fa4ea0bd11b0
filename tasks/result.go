package tasks

import (
	"context"
	"io"

	"plait/internal/core"
	"plait/internal/records"
)

// WriteResult writes the result of a task to w. Before the first byte it fails with NOT_FOUND, also when retention has removed the files
// of the task, with CONFLICT for a task that runs or in which no item succeeded, and with BLOB_MISSING.
func (s *Service) WriteResult(ctx context.Context, w io.Writer, tenant, id string) error {
	return s.WriteResultAs(ctx, w, tenant, id, "")
}

// WriteResultAs is WriteResult in a format of the kind, of which the empty one is the usual one. It fails with INVALID_INPUT for another.
func (s *Service) WriteResultAs(ctx context.Context, w io.Writer, tenant, id, format string) error {
	t, err := s.records.Task(ctx, tenant, id)
	if err != nil {
		return err
	}
	if err := hasResult(t); err != nil {
		return err
	}
	kind := s.kinds[t.Kind]
	write, found := kind.Formats[format]
	if format == "" {
		write, found = kind.WriteResult, true
	}
	if !found {
		return core.Errorf(core.CodeInvalidInput, "the result of a task of kind %s has no format %q", t.Kind, format)
	}
	return write(ctx, w, t)
}

func hasResult(t records.Task) error {
	switch {
	case t.FilesRemovedAt != nil:
		return core.Errorf(core.CodeNotFound, "the files and the result of task %s are no longer kept", t.ID)
	case !t.Status.Ended():
		return core.Errorf(core.CodeConflict, "task %s has no result yet: it is %s", t.ID, t.Status)
	case t.SuccessCount == 0:
		return core.Errorf(core.CodeConflict, "task %s has no result: no item succeeded", t.ID)
	}
	return nil
}
