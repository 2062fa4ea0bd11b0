package hostapi

import (
	"context"
	"crypto/sha256"

	"github.com/google/uuid"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

// internalTenant owns the model calls for pages without translations.
const internalTenant = "internal"

// page processes a whole page: the compensating branch of a caller that has translations, or every stage. The device is free during the
// translation.
func (s *Server) page(c *call) error {
	in, err := s.readForm(c.request)
	if err != nil {
		return err
	}
	c.headers.models = &in.models
	if in.translations != nil {
		c.headers.mode = comic.ModeFallback
	}
	ctx := c.request.Context()
	kept, found, err := c.found(ctx, in)
	if err != nil {
		return err
	}
	defer kept.Memory.Release()
	half := found.Elapsed["total"]
	if len(found.Regions) == 0 && len(in.translations) == 0 {
		c.headers.elapsed = core.ElapsedMS{"context": half, "render": 0}
		_ = c.send(contentTypeOfResults, in.image)
		return nil
	}
	translations, err := c.translations(ctx, in, found)
	if err != nil {
		return err
	}
	return c.letter(ctx, in, kept.Value, translations, half)
}

// translations returns the translations of the caller, or new ones. They are checked before the step takes the device again.
func (c *call) translations(ctx context.Context, in *form, found comic.DetectOutput) ([]core.Translation, error) {
	translations := in.translations
	if translations == nil {
		made, err := c.Translate(ctx, comic.TranslateInput{
			Page:    core.Item{TaskID: uuid.NewString(), Tenant: internalTenant, Name: "page", Blob: in.hash},
			Options: in.options, FromLang: found.FromLang, Regions: found.Regions,
		})
		if err != nil {
			return nil, err
		}
		translations = made.Translations
	}
	return translations, core.CheckTranslations(len(found.Regions), translations)
}

func (c *call) letter(
	ctx context.Context, in *form, kept lease.Value, translations []core.Translation, half int64,
) error {
	image, report, err := c.Device.Render(ctx, c.headers.stage, kept, translations)
	c.headers.elapsed = core.ElapsedMS{"context": half, "render": report.Elapsed["total"]}
	if err != nil {
		return err
	}
	c.headers.changed = core.NewBlobRef(sha256.Sum256(image)) != in.hash
	_ = c.send(contentTypeOfResults, image)
	return nil
}
