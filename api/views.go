package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

// The paths that all kinds share.
const (
	v1        = "/v1"
	tasksPath = "/tasks"
	adminPath = "/admin"
)

func taskPath(id string) string { return v1 + tasksPath + "/" + id }

func itemPath(id string, index int) string { return fmt.Sprintf("%s/items/%d", taskPath(id), index) }

// viewTask returns a task without its items.
func (s *Server) viewTask(ctx context.Context, t records.Task) (schema.Task, error) {
	list, err := s.viewTasks(ctx, []records.Task{t})
	if err != nil {
		return schema.Task{}, err
	}
	if len(list) == 0 {
		return schema.Task{}, core.Errorf(core.CodeNotFound, "there is no task %s", t.ID)
	}
	u, err := s.Records.Usage(ctx, t.ID)
	if u != (records.TaskUsage{}) {
		list[0].Usage = &schema.Usage{Usage: u.Actual, Estimated: u.Estimated}
	}
	return list[0], err
}

// viewTasks returns tasks without their items and usage. It omits tasks that are deleted meanwhile.
func (s *Server) viewTasks(ctx context.Context, found []records.Task) ([]schema.Task, error) {
	ids, ofKind := make([]string, len(found)), map[core.Kind][]records.Task{}
	for i, t := range found {
		ids[i] = t.ID
		ofKind[t.Kind] = append(ofKind[t.Kind], t)
	}
	progress, err := s.Records.Progresses(ctx, ids)
	if err != nil {
		return nil, err
	}
	details := map[string]any{}
	for name, list := range ofKind {
		k := s.kind(name)
		if k.TaskDetails == nil {
			continue
		}
		ofTasks, err := k.TaskDetails(ctx, list)
		if err != nil {
			return nil, err
		}
		for i, t := range list {
			details[t.ID] = ofTasks[i]
		}
	}
	list := make([]schema.Task, 0, len(found))
	for _, t := range found {
		if p, there := progress[t.ID]; there {
			v, err := s.describeTask(t, p, details[t.ID])
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	}
	return list, nil
}

func (s *Server) describeTask(t records.Task, p records.Progress, details any) (schema.Task, error) {
	k := s.kind(t.Kind)
	d, err := k.Describe(t)
	if err != nil {
		return schema.Task{}, err
	}
	self := taskPath(t.ID)
	v := schema.Task{
		ID: t.ID, Kind: t.Kind, Title: t.Title, Status: t.Status, Priority: t.Priority,
		CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, EndedAt: t.EndedAt, CancelRequestedAt: t.CancelRequestedAt,
		TotalCount: t.TotalCount, SuccessCount: t.SuccessCount, FailedCount: t.FailedCount,
		RetryCount: t.RetryCount, FilesRemovedAt: t.FilesRemovedAt, CallbackURL: t.CallbackURL,
		Progress: viewProgress(p),
		Failure:  viewFailure(t.Failure),
		Links:    map[string]string{"self": self},
	}
	if t.Status.Ended() && t.SuccessCount > 0 && t.FilesRemovedAt == nil {
		v.Links["result"] = self + "/result"
	}
	if k.Glossary != nil {
		v.Links["glossary"] = self + glossaryPath
	}
	maps.Copy(v.Links, d.Links)
	if v.Options, err = encode(d.Options); err == nil {
		v.Details, err = encode(details)
	}
	return v, err
}

// encode returns nil for nil.
func encode(object any) (json.RawMessage, error) {
	if object == nil {
		return nil, nil
	}
	b, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode the details of a kind: %w", err)
	}
	return b, nil
}

func viewProgress(p records.Progress) schema.Progress {
	v := schema.Progress{Done: p.Done, Total: p.Total, QueuePosition: p.QueuePosition, ElapsedMS: p.Elapsed.Milliseconds()}
	if x := p.Trouble; x != nil {
		v.Trouble = &schema.Trouble{ItemIndex: x.Item, Stage: x.Stage, Code: x.Code, Message: x.Message, Since: x.Since}
	}
	if p.EstimatedStart != nil {
		start := p.EstimatedStart.UTC()
		v.EstimatedStart = &start
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

func (k Kind) describeItem(i records.Item, details any) (schema.Item, error) {
	self := itemPath(i.Ref.TaskID, i.Ref.Index)
	v := schema.Item{
		Index: i.Ref.Index, Name: i.Ref.Name, Status: i.Status, Stage: i.Stage, Mode: i.Mode, Failure: viewFailure(i.Failure),
		Links: map[string]string{"self": self},
	}
	if !i.FilesRemoved {
		v.Links["input"] = self + "/input"
		if i.Status == core.StatusSuccess {
			v.Links["result"] = self + "/result"
		}
		if k.ItemLinks != nil {
			maps.Copy(v.Links, k.ItemLinks(i))
		}
	}
	var err error
	v.Details, err = encode(details)
	return v, err
}
