package temporal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	namespacepb "go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"
)

// retention is how long the server keeps closed workflows, for operators to inspect. The server's default is one day.
const retention = 30 * 24 * time.Hour

// configureNamespace sets what has no command-line flag: the retention, if the database is new, and the search attributes that the
// namespace lacks.
func (c Config) configureNamespace(ctx context.Context, conn grpc.ClientConnInterface, isNew bool) error {
	if isNew {
		_, err := workflowservice.NewWorkflowServiceClient(conn).UpdateNamespace(ctx, &workflowservice.UpdateNamespaceRequest{
			Namespace: c.Namespace,
			Config:    &namespacepb.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(retention)},
		})
		if err != nil {
			return fmt.Errorf("retention of namespace %s: %w", c.Namespace, err)
		}
	}
	if err := c.addSearchAttributes(ctx, operatorservice.NewOperatorServiceClient(conn)); err != nil {
		return fmt.Errorf("search attributes of namespace %s: %w", c.Namespace, err)
	}
	return nil
}

// addSearchAttributes adds the search attributes that the namespace lacks. It returns an error if one exists with another type, because
// workflows would start and then fail to set it.
func (c Config) addSearchAttributes(ctx context.Context, operator operatorservice.OperatorServiceClient) error {
	if len(c.SearchAttributes) == 0 {
		return nil
	}
	listed, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: c.Namespace})
	if err != nil {
		return err
	}
	missing := map[string]enumspb.IndexedValueType{}
	for _, name := range slices.Sorted(maps.Keys(c.SearchAttributes)) {
		wanted, err := enumspb.IndexedValueTypeFromString(c.SearchAttributes[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		switch existing, ok := listed.GetCustomAttributes()[name]; {
		case !ok:
			missing[name] = wanted
		case existing != wanted:
			return fmt.Errorf("%s exists as %s, not %s", name, existing, wanted)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: c.Namespace, SearchAttributes: missing,
	})
	return err
}
