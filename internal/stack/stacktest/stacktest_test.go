package stacktest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"

	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) {
	stacktest.Main(m, stacktest.WithSearchAttributes(map[string]string{"PlaitTenant": "Keyword"}))
}

func TestDatabasesAreApart(t *testing.T) {
	t.Parallel()
	first, second := connect(t, stacktest.Postgres(t)), connect(t, stacktest.Postgres(t))

	_, err := first.Exec(t.Context(), "CREATE TABLE page (id bigint)")
	require.NoError(t, err)
	_, err = second.Exec(t.Context(), "SELECT FROM page")
	require.ErrorContains(t, err, "does not exist")

	var collation string
	require.NoError(t, first.QueryRow(t.Context(), "SELECT upper('ж')").Scan(&collation))
	require.Equal(t, "Ж", collation, "letters of every language have case")
}

func TestTemporalServes(t *testing.T) {
	t.Parallel()
	conn, err := grpc.NewClient(stacktest.Temporal(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	answer, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{
		Service: "temporal.api.workflowservice.v1.WorkflowService",
	})
	require.NoError(t, err)
	require.Equal(t, grpc_health_v1.HealthCheckResponse_SERVING, answer.Status)
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}
