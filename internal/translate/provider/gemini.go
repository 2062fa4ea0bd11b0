package provider

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"google.golang.org/genai"
)

// gemini implements the generateContent protocol.
type gemini struct {
	*caller
	client *genai.Client
}

func newGemini(c *caller) (*gemini, error) {
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:      c.config.Key,
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  c.http,
		HTTPOptions: genai.HTTPOptions{BaseURL: c.config.BaseURL},
	})
	if err != nil {
		// The client's error would contain its whole configuration, with the key.
		return nil, errors.New("the Gemini client refuses its configuration")
	}
	return &gemini{caller: c, client: client}, nil
}

// Complete makes one call.
func (g *gemini) Complete(ctx context.Context, p Prompt) (Completion, error) {
	return g.call(ctx, func(ctx context.Context) (Completion, error) {
		response, err := g.client.Models.GenerateContent(ctx, g.config.Model, genai.Text(p.User), geminiConfig(p))
		if err != nil {
			return Completion{}, err
		}
		return g.completion(response)
	})
}

// adjustable are the harm categories that a caller may set. A comic is translated as it was published, so none of them blocks; the
// provider's own limits that cannot be adjusted still apply.
var adjustable = []genai.HarmCategory{
	genai.HarmCategoryHarassment, genai.HarmCategoryHateSpeech, genai.HarmCategorySexuallyExplicit, genai.HarmCategoryDangerousContent,
}

func geminiConfig(p Prompt) *genai.GenerateContentConfig {
	c := &genai.GenerateContentConfig{
		SystemInstruction: genai.NewContentFromText(p.System, genai.RoleUser),
		Temperature:       genai.Ptr(float32(p.Temperature)),
		MaxOutputTokens:   int32(min(p.MaxTokens, 1<<30)),
	}
	if p.Schema {
		c.ResponseMIMEType, c.ResponseJsonSchema = "application/json", json.RawMessage(SegmentsSchema)
	}
	if p.TopP > 0 {
		c.TopP = genai.Ptr(float32(p.TopP))
	}
	for _, category := range adjustable {
		c.SafetySettings = append(c.SafetySettings, &genai.SafetySetting{Category: category, Threshold: genai.HarmBlockThresholdBlockNone})
	}
	return c
}

func (g *gemini) completion(r *genai.GenerateContentResponse) (Completion, error) {
	c := Completion{FinishReason: FinishStop, Model: r.ModelVersion}
	if u := r.UsageMetadata; u != nil {
		c.InputTokens = int(u.PromptTokenCount)
		// Thoughts are billed as output.
		c.OutputTokens = int(u.CandidatesTokenCount + u.ThoughtsTokenCount)
	}
	if r.PromptFeedback != nil && r.PromptFeedback.BlockReason != "" {
		c.FinishReason = FinishRefused
		return c, nil
	}
	if len(r.Candidates) == 0 || r.Candidates[0] == nil {
		return Completion{}, errors.New("no candidates")
	}
	candidate := r.Candidates[0]
	switch candidate.FinishReason {
	case genai.FinishReasonSafety, genai.FinishReasonRecitation, genai.FinishReasonBlocklist,
		genai.FinishReasonProhibitedContent, genai.FinishReasonSPII:
		c.FinishReason = FinishRefused
	case genai.FinishReasonMaxTokens:
		c.FinishReason = FinishLength
	default:
	}
	c.Text = answerText(candidate.Content)
	return c, nil
}

// answerText returns the text of the parts other than thoughts.
func answerText(content *genai.Content) string {
	if content == nil {
		return ""
	}
	var text strings.Builder
	for _, part := range content.Parts {
		if part != nil && !part.Thought {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}
