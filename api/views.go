package api

import (
	"context"
	"fmt"

	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
)

// The paths of the API, in the group of its version.
const (
	v1           = "/v1"
	translations = "/comic/translations"
)

func taskPath(id string) string { return v1 + translations + "/" + id }

func pagePath(id string, index int) string {
	return fmt.Sprintf("%s/pages/%d", taskPath(id), index)
}

// viewTask is a task without its pages.
func (s *Server) viewTask(ctx context.Context, t records.Task) (schema.Task, error) {
	p, err := s.Records.Progress(ctx, t.ID)
	if err != nil {
		return schema.Task{}, err
	}
	counts, err := s.chapters().Counts(ctx, t.ID)
	if err != nil {
		return schema.Task{}, err
	}
	u, err := s.Records.Usage(ctx, t.ID)
	if err != nil {
		return schema.Task{}, err
	}
	v, err := viewTask(t, p, counts[t.ID])
	if err != nil {
		return schema.Task{}, err
	}
	if u != (records.TaskUsage{}) {
		v.Usage = &schema.Usage{Usage: u.Actual, Estimated: u.Estimated}
	}
	return v, nil
}

// chapters are the records of comics.
func (s *Server) chapters() comicrecords.Store { return comicrecords.New(s.Records) }

func viewTask(t records.Task, p records.Progress, n comicrecords.Counts) (schema.Task, error) {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return schema.Task{}, err
	}
	self := taskPath(t.ID)
	v := schema.Task{
		ID: t.ID, Kind: t.Kind, Title: t.Title, Status: t.Status,
		From: o.From, To: o.To, Mode: o.Mode, Translator: o.Translator,
		Priority:  t.Priority,
		CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, EndedAt: t.EndedAt, CancelRequestedAt: t.CancelRequestedAt,
		TotalCount: t.TotalCount, SuccessCount: t.SuccessCount, FailedCount: t.FailedCount, FallbackCount: n.Fallbacks,
		UntranslatedCount: n.Untranslated, RetryCount: t.RetryCount, FilesRemovedAt: t.FilesRemovedAt,
		Progress: viewProgress(p, n),
		Failure:  viewFailure(t.Failure),
		Links:    map[string]string{"self": self, "script": self + "/script"},
	}
	if t.Status.Ended() && t.SuccessCount > 0 && t.FilesRemovedAt == nil {
		v.Links["result"] = self + "/result"
	}
	return v, nil
}

func viewProgress(p records.Progress, n comicrecords.Counts) schema.Progress {
	v := schema.Progress{
		Detected: n.Detected, Translated: n.Translated, Done: p.Done, Total: p.Total,
		QueuePosition: p.QueuePosition, ElapsedMS: p.Elapsed.Milliseconds(),
	}
	if x := p.Trouble; x != nil {
		v.Trouble = &schema.Trouble{PageIndex: x.Item, Stage: x.Stage, Code: x.Code, Message: x.Message, Since: x.Since}
	}
	if p.Remaining != nil {
		ms := p.Remaining.Milliseconds()
		v.EstimatedMS = &ms
	}
	return v
}

func viewFailure(f *core.Failure) *schema.Failure {
	if f == nil {
		return nil
	}
	return &schema.Failure{Stage: f.Stage, Code: f.Code, Message: f.Message}
}

func viewPage(id string, p comicrecords.Page) schema.Page {
	self := pagePath(id, p.Ref.Index)
	v := schema.Page{
		Index: p.Ref.Index, Name: p.Ref.Name, Status: p.Status, Stage: p.Stage, Mode: p.Mode,
		Width: p.Width, Height: p.Height, Regions: p.Regions, Untranslated: p.Untranslated,
		OutputChanged: p.OutputChanged, NoChangeReason: p.NoChangeReason, Missing: p.Missing, Failure: viewFailure(p.Failure),
		Edit:  viewEdit(p.Edit),
		Links: map[string]string{"self": self},
	}
	if p.FilesRemoved {
		return v
	}
	v.Links["original"] = self + "/original"
	if p.Status == core.StatusSuccess {
		v.Links["image"], v.Links["regions"] = self+"/image", self+"/regions"
	}
	return v
}
