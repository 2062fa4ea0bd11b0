package llmtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/llmtest"
)

func chat(ctx context.Context, s *llmtest.Server, user string) (status int, content string, err error) {
	body, err := json.Marshal(map[string]any{
		"model": s.Model(), "messages": []map[string]string{{"role": "system", "content": "rules"}, {"role": "user", "content": user}},
	})
	if err != nil {
		return 0, "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.OpenAIURL()+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return response.StatusCode, "", err
	}
	var form struct {
		Choices []struct {
			Message struct{ Content string }
		}
	}
	if err := json.Unmarshal(answer, &form); err != nil || len(form.Choices) == 0 {
		return response.StatusCode, "", err
	}
	return response.StatusCode, form.Choices[0].Message.Content, nil
}

func TestFaultsComeInOrderAndThenHonesty(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithTable(map[string]string{"a": "A", "b": "B"}),
		llmtest.WithFaults(llmtest.Missing(1), llmtest.Status(500), llmtest.All(llmtest.Fence(), llmtest.Think("hm"))))
	for _, want := range []struct {
		status  int
		content string
	}{
		{200, "<|2|>B"},
		{500, ""},
		{200, "<think>\nhm\n</think>\n\n```text\n<|1|>A\n<|2|>B\n```"},
		{200, "<|1|>A\n<|2|>B"},
	} {
		status, content, err := chat(t.Context(), s, "Translate:\n<|1|>a\n<|2|>b\n")
		require.NoError(t, err)
		require.Equal(t, want.status, status)
		require.Equal(t, want.content, content)
	}
	require.Equal(t, 4, s.CallCount())
	require.Equal(t, []string{"a", "b"}, s.Calls()[0].Segments)
	require.Equal(t, "rules", s.Calls()[0].System)
	require.Zero(t, s.InFlight())
	require.Equal(t, 1, s.MaxInFlight())
}

func TestHangsUntilReleased(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithEvery(llmtest.Hang()))
	var group errgroup.Group
	for range 3 {
		group.Go(func() error {
			_, _, err := chat(t.Context(), s, "<|1|>a")
			return err
		})
	}
	require.NoError(t, s.WaitInFlight(t.Context(), 3))
	s.Release()
	require.NoError(t, group.Wait())
	require.NoError(t, s.WaitInFlight(t.Context(), 0))
	require.Equal(t, 3, s.MaxInFlight())
}

func TestAClientThatLeavesEndsItsCall(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithEvery(llmtest.Hang()))
	ctx, cancel := context.WithCancel(t.Context())
	var group errgroup.Group
	group.Go(func() error {
		_, _, err := chat(ctx, s, "<|1|>a")
		return err
	})
	require.NoError(t, s.WaitInFlight(t.Context(), 1))
	cancel()
	require.ErrorIs(t, group.Wait(), context.Canceled)
	require.NoError(t, s.WaitInFlight(t.Context(), 0))
}

func TestWhatWasAnsweredIsTold(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithFaults(llmtest.Cut(), llmtest.Status(500), llmtest.Honest()))
	for range 3 {
		_, _, _ = chat(t.Context(), s, "<|1|>a")
	}
	require.NoError(t, s.WaitInFlight(t.Context(), 0))
	calls := s.Calls()
	require.Len(t, calls, 3)
	require.True(t, calls[0].Answered.IsZero(), "broken off")
	require.True(t, calls[1].Answered.IsZero(), "failed")
	require.False(t, calls[2].Answered.IsZero(), "answered")
}
