package payload

import (
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"
)

const (
	encoding      = "binary/plait-aes-256-gcm"
	metadataKeyID = "plait-key-id"
)

// Apply makes a client, and workers that use it, encrypt the payloads that they send and decrypt those that they receive.
func (k *Keys) Apply(o *client.Options) {
	o.DataConverter = converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), k.Codec())
	// Messages and stack traces of failures are encrypted as well; their types, which retry policies name, are not.
	o.FailureConverter = temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{
		DataConverter: o.DataConverter, EncodeCommonAttributes: true,
	})
}

// Codec encrypts and decrypts payloads.
func (k *Keys) Codec() converter.PayloadCodec { return codec{k} }

type codec struct{ keys *Keys }

// Encode encrypts each payload as a whole, including its metadata.
func (c codec) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	sealed := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode payload: %w", err)
		}
		sealed[i] = &commonpb.Payload{
			Metadata: map[string][]byte{
				converter.MetadataEncoding: []byte(encoding),
				metadataKeyID:              []byte(c.keys.current),
			},
			Data: c.keys.byID[c.keys.current].Seal(nil, nil, plain, nil), //nolint:gosec // G407: the cipher makes a random nonce
		}
	}
	return sealed, nil
}

// Decode decrypts the payloads that Encode encrypted, and leaves every other payload unchanged.
func (c codec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	opened := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		if string(p.GetMetadata()[converter.MetadataEncoding]) != encoding {
			opened[i] = p
			continue
		}
		var err error
		if opened[i], err = c.open(p); err != nil {
			return nil, err
		}
	}
	return opened, nil
}

func (c codec) open(p *commonpb.Payload) (*commonpb.Payload, error) {
	id := string(p.GetMetadata()[metadataKeyID])
	key, ok := c.keys.byID[id]
	if !ok {
		return nil, fmt.Errorf("%w: temporal.payload_keys has no key %.16q", errUndecryptable, id)
	}
	plain, err := key.Open(nil, nil, p.GetData(), nil)
	if err != nil {
		return nil, fmt.Errorf("%w with key %s", errUndecryptable, id)
	}
	var original commonpb.Payload
	if err := proto.Unmarshal(plain, &original); err != nil {
		return nil, fmt.Errorf("%w: %w", errUndecryptable, err)
	}
	return &original, nil
}
