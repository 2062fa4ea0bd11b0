package videoinstallation

import (
	"context"

	"plait/activities"
	"plait/installation"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translators"
	"plait/internal/video"
	videotasks "plait/tasks/video"
)

// instructions are those for a language model that rewrites a prompt.
const instructions = `You rewrite prompts for a model that makes short videos.
Describe in one paragraph what the video shows: the subject and what it does, the place, the camera, the light and the style.
Keep everything that the prompt says, and its language. Add nothing that contradicts it.
Answer with the paragraph alone, in at most 600 characters.`

// extender returns what rewrites prompts, with the model that is configured for translations, under one of its slots.
func extender(w installation.Worker) (func(context.Context, core.Item, video.Options) (string, error), error) {
	set, err := translators.New(&w.Config.Config, w.Records, translators.NewMetrics(w.Registry), w.Blobs, w.Log)
	if err != nil {
		return nil, err
	}
	slots := activities.Slots{Name: "translate", Count: max(w.Config.Worker.TranslateSlots, 1)}
	return func(ctx context.Context, item core.Item, o video.Options) (string, error) {
		model, err := set.Model(ctx, "")
		writer, able := model.(translate.Writer)
		if core.CodeOf(err) == core.CodeTranslatorMissing || err == nil && !able {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		text, err := activities.InSlot(ctx, w.Host, slots, item, func(ctx context.Context, slot *activities.ItemSlot) (string, error) {
			return writer.Write(ctx, translate.WriteRequest{
				Page: item, System: instructions, User: o.Prompt, Most: videotasks.MaxPromptRunes, Slot: slot,
			})
		})
		if core.CodeOf(err) == core.CodeTranslatorMissing { // it only translates
			return "", nil
		}
		return text, err
	}, nil
}
