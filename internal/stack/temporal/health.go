package temporal

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

const (
	// frontendService is the name under which Temporal's frontend reports its health.
	frontendService = "temporal.api.workflowservice.v1.WorkflowService"

	healthTimeout = 2 * time.Second
)

func dial(address string) (*grpc.ClientConn, error) {
	// A starting server refuses connections at first, and the default backoff would wait a second after the first refusal.
	return grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{BaseDelay: readyPoll, Multiplier: 1, MaxDelay: readyPoll}, MinConnectTimeout: healthTimeout,
		}))
}

// checkHealth asks the frontend's gRPC health service whether it is serving.
func checkHealth(ctx context.Context, conn grpc.ClientConnInterface) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	answer, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: frontendService})
	if err != nil {
		return err
	}
	if answer.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		return fmt.Errorf("frontend is %s", answer.GetStatus())
	}
	return nil
}
