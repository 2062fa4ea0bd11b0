package link

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"plait/internal/core"
)

// The method that a rank calls, and the metadata that has its token.
const (
	serviceName = "plait.ranks.Ranks"
	methodName  = "Join"
	tokenKey    = "plait-token"
)

// raw is a gRPC codec that carries bytes as they are.
type raw struct{}

var _ encoding.Codec = raw{}

func (raw) Name() string { return "plait-frame" }

func (raw) Marshal(v any) ([]byte, error) {
	b, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("a frame is bytes, not %T", v)
	}
	return *b, nil
}

func (raw) Unmarshal(data []byte, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("a frame is bytes, not %T", v)
	}
	*b = append([]byte(nil), data...) // gRPC uses its buffer again
	return nil
}

// stream is a gRPC stream as a connection.
type stream struct {
	grpc interface {
		SendMsg(any) error
		RecvMsg(any) error
	}
	close func()
}

func (s *stream) Send(b []byte) error { return s.grpc.SendMsg(&b) }

func (s *stream) Receive() (b []byte, err error) {
	err = s.grpc.RecvMsg(&b)
	if status.Code(err) == codes.Unauthenticated {
		err = core.NewError(core.CodeUnauthorized, "the leader has another token")
	}
	return b, err
}

func (s *stream) Close() error {
	s.close()
	return nil
}

// Serve accepts the connections of ranks that know the token until ctx ends. join gets each; the stream of a connection lives until it is
// closed. shared is true for a Unix socket: the other side is then on this host.
//
// Errors: those of the listener.
func Serve(ctx context.Context, listener net.Listener, token string, join func(c Conn, shared bool)) error {
	shared := listener.Addr().Network() == "unix"
	handle := func(_ any, s grpc.ServerStream) error {
		if !authorized(s.Context(), token) {
			return status.Error(codes.Unauthenticated, "the token of the ranks is another one")
		}
		// The stream ends when this function returns.
		closed := make(chan struct{})
		join(&stream{grpc: s, close: sync.OnceFunc(func() { close(closed) })}, shared)
		select {
		case <-closed:
		case <-s.Context().Done():
		}
		return nil
	}
	server := grpc.NewServer(grpc.ForceServerCodec(raw{}), grpc.MaxRecvMsgSize(maxFrame))
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: serviceName, HandlerType: (*any)(nil),
		Streams: []grpc.StreamDesc{{StreamName: methodName, Handler: handle, ServerStreams: true, ClientStreams: true}},
	}, nil)
	stop := context.AfterFunc(ctx, server.Stop)
	defer stop()
	if err := server.Serve(listener); err != nil && ctx.Err() == nil {
		return core.Errorf(core.CodeUnavailable, "ranks cannot be waited for at %s: %w", listener.Addr(), err)
	}
	return nil
}

func authorized(ctx context.Context, token string) bool {
	md, _ := metadata.FromIncomingContext(ctx)
	tokens := md.Get(tokenKey)
	return len(tokens) == 1 && subtle.ConstantTimeCompare([]byte(tokens[0]), []byte(token)) == 1
}

// Dial connects to the leader at an address: host:port, or unix: and the path of a socket, which is on this host. The connection fails with
// CodeUnauthorized if the leader has another token.
//
// Errors: CodeInvalidInput, CodeUnavailable.
func Dial(ctx context.Context, address, token string) (conn Conn, shared bool, err error) {
	client, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(
		grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(maxFrame)))
	if err != nil {
		return nil, false, core.Errorf(core.CodeInvalidInput, "the address of the leader %q cannot be used: %w", address, err)
	}
	ctx, cancel := context.WithCancel(metadata.AppendToOutgoingContext(ctx, tokenKey, token))
	s, err := client.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, "/"+serviceName+"/"+methodName)
	if err != nil {
		cancel()
		return nil, false, errors.Join(core.Errorf(core.CodeUnavailable, "the leader at %s does not answer: %w", address, err), client.Close())
	}
	return &stream{grpc: s, close: sync.OnceFunc(func() {
		cancel()
		_ = client.Close() // the stream has ended
	})}, strings.HasPrefix(address, "unix:"), nil
}
