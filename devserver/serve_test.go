package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/testing/freeport"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// One test starts all servers: the SQLite plugin keeps its connections for the life of the process.
func TestServeKeepsNamespaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "temporal.db")
	port, uiPort := freeport.MustGetFreePort(), freeport.MustGetFreePort()
	run := func(check func(conn *grpc.ClientConn), extra ...string) {
		args := append([]string{"--port", strconv.Itoa(port), "--ui-port", strconv.Itoa(uiPort), "--db-filename", file,
			"--sqlite-pragma", "journal_mode=wal"}, extra...)
		o, err := parseOptions(args, io.Discard)
		require.NoError(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		ended := make(chan error, 1)
		go func() { ended <- serve(ctx, o) }()
		conn, err := grpc.NewClient(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
			grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }()
		check(conn)
		stop()
		require.NoError(t, <-ended)
	}

	var namespaceID string
	run(func(conn *grpc.ClientConn) {
		described, err := workflowservice.NewWorkflowServiceClient(conn).DescribeNamespace(t.Context(),
			&workflowservice.DescribeNamespaceRequest{Namespace: "default"})
		require.NoError(t, err)
		namespaceID = described.NamespaceInfo.Id
		requirePage(t, fmt.Sprintf("http://127.0.0.1:%d", uiPort))
		require.FileExists(t, file+"-wal")
	})

	run(func(conn *grpc.ClientConn) {
		described, err := workflowservice.NewWorkflowServiceClient(conn).DescribeNamespace(t.Context(),
			&workflowservice.DescribeNamespaceRequest{Namespace: "default"})
		require.NoError(t, err)
		require.Equal(t, namespaceID, described.NamespaceInfo.Id)
	}, "--headless")
}

func requirePage(t *testing.T, url string) {
	t.Helper()
	require.Eventually(t, func() bool {
		page, err := http.Get(url)
		if err != nil {
			return false
		}
		defer func() { _ = page.Body.Close() }()
		return page.StatusCode == http.StatusOK
	}, 20*time.Second, 20*time.Millisecond)
}
