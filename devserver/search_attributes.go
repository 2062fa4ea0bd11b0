package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// registerSearchAttributes adds to every namespace the attributes it lacks. One that exists with another type is an error:
// workflows would start and then fail to set it.
func registerSearchAttributes(ctx context.Context, o options) error {
	if len(o.searchAttributes) == 0 {
		return nil
	}
	address := net.JoinHostPort(o.ip, strconv.Itoa(o.port))
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()

	operator := operatorservice.NewOperatorServiceClient(conn)
	for _, namespace := range o.namespaces {
		if err := addMissing(ctx, operator, namespace, o.searchAttributes); err != nil {
			return fmt.Errorf("search attributes of namespace %s: %w", namespace, err)
		}
	}
	return nil
}

func addMissing(ctx context.Context, operator operatorservice.OperatorServiceClient, namespace string,
	wanted map[string]enumspb.IndexedValueType,
) error {
	listed, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return err
	}
	missing := map[string]enumspb.IndexedValueType{}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		switch existing, ok := listed.CustomAttributes[name]; {
		case !ok:
			missing[name] = wanted[name]
		case existing != wanted[name]:
			return fmt.Errorf("%s exists as %s, not %s", name, existing, wanted[name])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: missing,
	})
	return err
}
