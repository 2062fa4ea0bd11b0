package main

import (
	"log/slog"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// requireEncryptedHistories reads what Temporal keeps, as somebody does who has the server and no key.
func (in *sandbox) requireEncryptedHistories() {
	in.t.Helper()
	l := in.located()
	reader, err := client.Dial(client.Options{HostPort: l.Temporal.Address, Namespace: l.Temporal.Namespace, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(in.t, err)
	defer reader.Close()
	listed, err := reader.ListWorkflow(in.t.Context(), &workflowservice.ListWorkflowExecutionsRequest{})
	require.NoError(in.t, err)
	require.NotEmpty(in.t, listed.Executions)
	encodings := map[string]int{}
	for _, execution := range listed.Executions {
		require.Empty(in.t, execution.GetMemo().GetFields())
		history := reader.GetWorkflowHistory(in.t.Context(), execution.Execution.WorkflowId, execution.Execution.RunId, false,
			enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			event, err := history.Next()
			require.NoError(in.t, err)
			require.NoError(in.t, proxy.VisitPayloads(in.t.Context(), event, proxy.VisitPayloadsOptions{
				SkipSearchAttributes: true,
				Visitor: func(_ *proxy.VisitPayloadsContext, payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
					for _, p := range payloads {
						encodings[string(p.Metadata["encoding"])]++
					}
					return payloads, nil
				},
			}))
		}
	}
	require.Len(in.t, encodings, 1, "%v", encodings)
	require.NotZero(in.t, encodings["binary/plait-aes-256-gcm"])
}
