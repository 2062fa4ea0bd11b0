package videotasks

import (
	"context"
	"slices"

	"plait/internal/core"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
)

// Estimate is what a video would be and cost.
type Estimate struct {
	Model string
	// Resolution and Duration, in seconds, are zero for a model that enlarges videos.
	Resolution video.Resolution
	Duration   int
	// PriceMicros is in millionths of the currency; 0 for a model without a price.
	PriceMicros int64
	// Outlook is when the video would be made; of an estimate without records it is zero.
	videorecords.Outlook
}

// EstimateOf estimates a request from its model, type and parameters. Errors: INVALID_INPUT, UNKNOWN_MODEL.
func EstimateOf(catalog video.Catalog, r Request) (Estimate, error) {
	m, err := r.model(catalog)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{Model: m.Name}
	if r.Type != "" {
		if _, err := core.OneOf("type", video.Type(r.Type), m.Types...); err != nil {
			return e, err
		}
	}
	if len(m.Scales) > 0 {
		return e, r.scale(m, &video.Options{})
	}
	var o video.Options
	err = r.shape(m, &o)
	e.Resolution, e.Duration, e.PriceMicros = o.Resolution, o.Duration, o.PriceMicros
	return e, err
}

// Estimate estimates a request, with the queue as it is now. Errors: INVALID_INPUT, UNKNOWN_MODEL.
func (s *Service) Estimate(ctx context.Context, r Request) (Estimate, error) {
	e, err := EstimateOf(s.deps.Catalog, r)
	if err != nil {
		return e, err
	}
	m, _ := s.deps.Catalog.Model(e.Model)
	e.Outlook, err = videorecords.New(s.deps.Records).Outlook(ctx, r.Tenant, m, e.Resolution, e.Duration)
	return e, err
}

// scale sets how many times a video is enlarged.
func (r Request) scale(m video.Model, o *video.Options) error {
	if o.Scale = or(r.Scale, m.Scales[0]); !slices.Contains(m.Scales, o.Scale) {
		return core.Errorf(core.CodeInvalidInput, "parameters.scale %d is none of those of model %s: %s", o.Scale, m.Name, numbers(m.Scales))
	}
	return nil
}
