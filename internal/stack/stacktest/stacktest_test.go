package stacktest_test

import (
	"context"
	"errors"
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

func TestATemplateIsPreparedOnceAndCopied(t *testing.T) {
	t.Parallel()
	var template stacktest.Template
	prepared := 0
	copied := func() *pgx.Conn {
		return connect(t, template.Copy(t, func(ctx context.Context, url string) error {
			prepared++
			conn, err := pgx.Connect(ctx, url)
			if err != nil {
				return err
			}
			_, err = conn.Exec(ctx, "CREATE TABLE page (id bigint)")
			return errors.Join(err, conn.Close(ctx))
		}))
	}
	first, second := copied(), copied()
	require.Equal(t, 1, prepared)

	_, err := first.Exec(t.Context(), "INSERT INTO page VALUES (1)")
	require.NoError(t, err)
	var pages int
	require.NoError(t, second.QueryRow(t.Context(), "SELECT count(*) FROM page").Scan(&pages))
	require.Zero(t, pages, "what is written to a copy stays there")
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
