package llmtest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"plait/internal/llmtest"
)

const question = "Translate:\n<|1|>おはよう\n<|2|>行こう\n<|3|>ありがとう\n"

// streamed is what the provider's own client makes of a streamed answer.
type streamed struct {
	text, finish  string
	input, output int
	pieces        int
}

func overOpenAI(ctx context.Context, s *llmtest.Server) (got streamed, err error) {
	config := openai.DefaultConfig("key")
	config.BaseURL = s.OpenAIURL()
	stream, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{
		Model: s.Model(), StreamOptions: &openai.StreamOptions{IncludeUsage: true},
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleSystem, Content: "rules"}, {Role: openai.ChatMessageRoleUser, Content: question}},
	})
	if err != nil {
		return got, err
	}
	defer stream.Close()
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		got.pieces++
		for _, choice := range part.Choices {
			got.text += choice.Delta.Content
			got.finish += string(choice.FinishReason)
		}
		if part.Usage != nil {
			got.input, got.output = part.Usage.PromptTokens, part.Usage.CompletionTokens
		}
	}
}

func overGemini(ctx context.Context, s *llmtest.Server) (got streamed, err error) {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: s.GeminiURL()},
	})
	if err != nil {
		return got, err
	}
	for part, err := range client.Models.GenerateContentStream(ctx, s.Model(), genai.Text(question), nil) {
		if err != nil {
			return got, err
		}
		got.pieces++
		got.text += part.Text()
		got.finish += string(part.Candidates[0].FinishReason)
		if u := part.UsageMetadata; u != nil {
			got.input, got.output = int(u.PromptTokenCount), int(u.CandidatesTokenCount)
		}
	}
	return got, nil
}

// The providers' own clients read the streams, whole and broken.
func TestStreams(t *testing.T) {
	t.Parallel()
	for protocol, over := range map[string]func(context.Context, *llmtest.Server) (streamed, error){"openai": overOpenAI, "gemini": overGemini} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, llmtest.WithFaults(llmtest.Honest(), llmtest.All(llmtest.Missing(2), llmtest.NoUsage()),
				llmtest.Cut(), llmtest.WrongJSON(), llmtest.RateLimit("1"), llmtest.ContentFilter()))
			got, err := over(t.Context(), s)
			require.NoError(t, err)
			require.Equal(t, "<|1|>"+llmtest.Mark("おはよう")+"\n<|2|>"+llmtest.Mark("行こう")+"\n<|3|>"+llmtest.Mark("ありがとう"), got.text)
			require.Equal(t, "stop", strings.ToLower(got.finish))
			require.Positive(t, got.input)
			require.Positive(t, got.output)
			require.Greater(t, got.pieces, 3)
			in, out := s.Tokens()
			require.Equal(t, [2]int{in, out}, [2]int{got.input, got.output})

			got, err = over(t.Context(), s)
			require.NoError(t, err)
			require.NotContains(t, got.text, "<|2|>")
			require.Zero(t, got.input)
			for range 3 {
				_, err = over(t.Context(), s)
				require.Error(t, err)
			}
			got, err = over(t.Context(), s)
			require.NoError(t, err)
			require.NotEqual(t, "stop", strings.ToLower(got.finish))
			require.True(t, s.Calls()[0].Stream)
		})
	}
}

// What a request meets follows from the seed and the request, in whatever order requests come.
func TestAMatrixIsTheSameAgain(t *testing.T) {
	t.Parallel()
	run := func(seed uint64, prompts ...string) map[string]string {
		s := llmtest.New(t, llmtest.WithMatrix(llmtest.Matrix{Seed: seed, Rates: map[llmtest.Kind]float64{
			llmtest.KindMissing: 0.3, llmtest.KindServerError: 0.3, llmtest.KindThink: 0.3,
		}}))
		answers := map[string]string{}
		for _, prompt := range prompts {
			status, content, err := chat(t.Context(), s, prompt)
			require.NoError(t, err)
			answers[prompt] += strings.Join([]string{time.Duration(status).String(), content, "|"}, " ")
		}
		return answers
	}
	prompts := []string{"<|1|>a\n<|2|>b", "<|1|>c\n<|2|>d", "<|1|>a\n<|2|>b", "<|1|>e\n<|2|>f", "<|1|>a\n<|2|>b", "<|1|>g"}
	shuffled := []string{prompts[5], prompts[0], prompts[3], prompts[2], prompts[1], prompts[4]}
	require.Equal(t, run(1, prompts...), run(1, shuffled...))
	require.NotEqual(t, run(1, prompts...), run(2, prompts...))
}

func TestRatesOfAMatrix(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithMatrix(llmtest.Matrix{
		Seed: 3, Rates: map[llmtest.Kind]float64{llmtest.KindNoUsage: 0.25, llmtest.KindThink: 1},
		Latency: llmtest.Latency{Median: 100 * time.Microsecond, Sigma: 0.5},
	}))
	for range 200 {
		_, _, err := chat(t.Context(), s, "<|1|>a")
		require.NoError(t, err)
	}
	require.Equal(t, 200, s.Met()[llmtest.KindThink])
	require.InDelta(t, 50, s.Met()[llmtest.KindNoUsage], 20)
	require.Zero(t, s.Met()[llmtest.KindCut])
	_, err := llmtest.ParseKind("rain")
	require.ErrorContains(t, err, "rain")
}
