package ranks_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"plait/internal/ranks"
	"plait/internal/ranks/segment"
)

// niceness returns the nice value of the thread that calls it: getpriority returns 20 minus that value.
func niceness(t *testing.T) int {
	t.Helper()
	raw, err := unix.Getpriority(unix.PRIO_PROCESS, unix.Gettid())
	require.NoError(t, err)
	return 20 - raw
}

// Threads that decode have a lower priority than those on which ranks apply requests.
func TestDecodersGiveWay(t *testing.T) {
	decodes := 0
	apply := func(_ context.Context, s ranks.Step) (ranks.Answer, error) {
		return ranks.Answer{Meta: json.RawMessage(strconv.Itoa(niceness(t)))}, s.Err
	}
	leader, err := ranks.NewLeader(ranks.Options{Ranks: 1, Handler: apply, Store: &segment.Store{}, Decoders: ranks.Decoders{"nice": {
		Size: func([]byte) (int64, error) { return 1, nil },
		Decode: func(context.Context, []byte, []byte) error {
			decodes = niceness(t)
			return nil
		},
	}}})
	require.NoError(t, err)
	defer leader.Close()
	answers, err := leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{{Data: []byte("x"), Decoder: "nice"}}})
	require.NoError(t, err)
	applies, err := strconv.Atoi(string(answers[0].Meta))
	require.NoError(t, err)
	require.Equal(t, min(19, applies+10), decodes)
}
