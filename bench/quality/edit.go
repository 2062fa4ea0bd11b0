package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"plait/internal/comic/engine"
	"plait/internal/core"
)

// editTally is how long edits take: one text of a page changes, and the page is lettered again from the context that the edit before left,
// as the edit step does. Times are in milliseconds.
type editTally struct{ took, lettering, cpu []float64 }

// editFigures are the figures of edits: the median and the maximum of the time, the median without writing the file, and the median of the
// CPU time.
type editFigures struct {
	Case      string  `json:"case"`
	Half      string  `json:"half"`
	Edits     int     `json:"edits"`
	PerEdit   float64 `json:"ms_per_edit"`
	AtMost    float64 `json:"ms_at_most"`
	Lettering float64 `json:"ms_lettering"`
	CPU       float64 `json:"cpu_ms_per_edit"`
}

// edit changes each text of a page in turn, to twice itself, and fails if the page does not show the change.
func (t *editTally) edit(ctx context.Context, e *engine.Engine, c *engine.Context, texts []core.Translation) error {
	prepared, err := e.Prepare(ctx, c, texts)
	if err != nil {
		return err
	}
	before, _, err := e.Render(ctx, prepared, texts)
	if err != nil {
		return err
	}
	for i, text := range texts {
		if text.Text == "" {
			continue
		}
		changed := slices.Clone(texts)
		changed[i].Text = text.Text + " " + text.Text
		began, used := time.Now(), processorTime()
		lettered, err := e.Letter(ctx, prepared, changed)
		if err != nil {
			return err
		}
		t.lettering = append(t.lettering, milliseconds(time.Since(began)))
		after, _, err := lettered.Encode(ctx)
		if err != nil {
			return err
		}
		t.took, t.cpu = append(t.took, milliseconds(time.Since(began))), append(t.cpu, milliseconds(processorTime()-used))
		if bytes.Equal(before, after) {
			return fmt.Errorf("the page does not show the edit of region %d", text.Index)
		}
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (t *editTally) figures(half string) editFigures {
	return editFigures{
		Case: "edit", Half: half, Edits: len(t.took), PerEdit: round(quantile(t.took, 0.5)), AtMost: round(quantile(t.took, 1)),
		Lettering: round(quantile(t.lettering, 0.5)), CPU: round(quantile(t.cpu, 0.5)),
	}
}
