package payload_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"plait/workflows/payload"
)

const pageText = "こんにちは、世界"

func keys(t *testing.T, text ...string) *payload.Keys {
	t.Helper()
	k, err := payload.ParseKeys(strings.Join(text, ","))
	require.NoError(t, err)
	return k
}

func options(k *payload.Keys) client.Options {
	var o client.Options
	k.Apply(&o)
	return o
}

func TestPayloadsAreEncryptedAndRead(t *testing.T) {
	t.Parallel()
	dc := options(keys(t, payload.NewKey())).DataConverter
	first, err := dc.ToPayloads(pageText, 7)
	require.NoError(t, err)
	second, err := dc.ToPayloads(pageText, 7)
	require.NoError(t, err)
	require.NotEqual(t, first.Payloads[0].Data, second.Payloads[0].Data, "each has a nonce of its own")
	wire, err := proto.Marshal(first)
	require.NoError(t, err)
	require.NotContains(t, string(wire), pageText)
	require.Contains(t, string(wire), "plait-key-id")

	var text string
	var number int
	require.NoError(t, dc.FromPayloads(first, &text, &number))
	require.Equal(t, pageText, text)
	require.Equal(t, 7, number)
}

func TestWhatWasWrittenInTheClearIsRead(t *testing.T) {
	t.Parallel()
	plain, err := converter.GetDefaultDataConverter().ToPayloads(pageText)
	require.NoError(t, err)
	var text string
	require.NoError(t, options(keys(t, payload.NewKey())).DataConverter.FromPayloads(plain, &text))
	require.Equal(t, pageText, text)
}

func TestMessagesOfFailuresAreEncrypted(t *testing.T) {
	t.Parallel()
	fc := options(keys(t, payload.NewKey())).FailureConverter
	failure := fc.ErrorToFailure(temporal.NewApplicationError("cannot read "+pageText, "INVALID_INPUT"))
	wire, err := proto.Marshal(failure)
	require.NoError(t, err)
	require.NotContains(t, string(wire), pageText)
	var back *temporal.ApplicationError
	require.ErrorAs(t, fc.FailureToError(failure), &back)
	require.Equal(t, "INVALID_INPUT", back.Type())
	require.Contains(t, back.Error(), pageText)
}

func TestAKeyIsReplacedByAnother(t *testing.T) {
	t.Parallel()
	older, newer := payload.NewKey(), payload.NewKey()
	before, err := options(keys(t, older)).DataConverter.ToPayload(pageText)
	require.NoError(t, err)

	both := options(keys(t, newer, older)).DataConverter
	var text string
	require.NoError(t, both.FromPayload(before, &text))
	require.Equal(t, pageText, text)
	after, err := both.ToPayload(pageText)
	require.NoError(t, err)
	require.NoError(t, options(keys(t, newer)).DataConverter.FromPayload(after, &text))
	require.ErrorContains(t, options(keys(t, older)).DataConverter.FromPayload(after, &text), "temporal.payload_keys has no key")
}

func TestAChangedPayloadIsRefused(t *testing.T) {
	t.Parallel()
	k := keys(t, payload.NewKey())
	sealed, err := options(k).DataConverter.ToPayload(pageText)
	require.NoError(t, err)
	for at := range sealed.Data {
		changed := proto.CloneOf(sealed)
		changed.Data[at] ^= 1
		_, err := k.Codec().Decode([]*commonpb.Payload{changed})
		require.ErrorContains(t, err, "cannot be decrypted")
	}
	sealed.Data = nil
	_, err = k.Codec().Decode([]*commonpb.Payload{sealed})
	require.ErrorContains(t, err, "cannot be decrypted")
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "hunter2", "aHVudGVyMg==", payload.NewKey() + ",", payload.NewKey() + ",hunter2"} {
		_, err := payload.ParseKeys(text)
		require.ErrorContains(t, err, "is not base64 of 32 bytes")
		require.NotContains(t, err.Error(), "hunter2")
	}
}
