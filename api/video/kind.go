// Package videoapi is the API of videos, in a form that clients of other services for videos know: submit, ask or follow, fetch, delete.
// docs/video.md describes it.
package videoapi

import (
	"context"

	"plait/api"
	"plait/api/schema"
	videoschema "plait/api/video/schema"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	videotasks "plait/tasks/video"
)

// videos is the API of videos.
type videos struct {
	service *videotasks.Service
	records videorecords.Store
}

// Kind returns the kind of videos.
func Kind(service *videotasks.Service, store *records.Store) api.Kind {
	v := videos{service, videorecords.New(store)}
	return api.Kind{
		Name: video.Kind, Path: videoschema.Path, Describe: describe, TaskDetails: v.taskDetails, Models: modelsOf(service.Catalog()),
		Contract: &api.Contract{Prefixes: []string{"", "/api"}, Code: word, Estimates: true, Memory: service.Memory(), Routes: func(r api.ContractRoutes) {
			r.Post("", maxBody, v.create)
			r.PostOnce("/estimate", maxBody, v.estimate)
			r.Get("/tasks/:id", v.get)
			r.Get("/:id", v.get)
			r.Delete("/tasks/:id", v.delete)
			r.Delete("/:id", v.delete)
			r.Events("/:id/events")
		}},
	}
}

func modelsOf(catalog video.Catalog) []schema.CapableModel {
	models := make([]schema.CapableModel, len(catalog.Models))
	for i, m := range catalog.Models {
		models[i] = schema.CapableModel{Name: m.Name, Types: textsOf(m.Types), Durations: m.Durations, Scales: m.Scales}
		if len(m.Scales) == 0 {
			models[i].Resolutions = textsOf(m.Offers())
		}
	}
	return models
}

func textsOf[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, element := range list {
		texts[i] = string(element)
	}
	return texts
}

func describe(t records.Task) (api.Description, error) {
	return api.Description{Options: t.Options, ResultType: videoschema.MediaType, ResultSuffix: "mp4"}, nil
}

func (v videos) taskDetails(ctx context.Context, list []records.Task) ([]any, error) {
	ids := make([]string, len(list))
	for i, t := range list {
		ids[i] = t.ID
	}
	found, err := v.records.Videos(ctx, ids)
	if err != nil {
		return nil, err
	}
	enlarged, err := v.records.Upscales(ctx, ids)
	details := make([]any, len(list))
	for i, t := range list {
		of := found[t.ID]
		d := videoschema.TaskDetails{State: stateOf(t, of), Percent: percentOf(t, of), ActualPrompt: of.ActualPrompt}
		if u, ok := enlarged[t.ID]; ok {
			d.Upscale = upscaleOf(&u)
		}
		details[i] = d
	}
	return details, err
}
