package workflows

import (
	"context"
	"errors"
	"maps"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// What an operator filters tasks by in the Temporal UI.
var (
	keyTenant         = temporal.NewSearchAttributeKeyKeyword("PlaitTenant")
	keyKind           = temporal.NewSearchAttributeKeyKeyword("PlaitKind")
	keyStatus         = temporal.NewSearchAttributeKeyKeyword("PlaitStatus")
	keyTargetLanguage = temporal.NewSearchAttributeKeyKeyword("PlaitTargetLanguage")
)

// SearchAttributes are the names and types that a namespace must know before a task starts in it.
func SearchAttributes() map[string]string {
	all := make(map[string]string, 4)
	for _, key := range []temporal.SearchAttributeKeyKeyword{keyTenant, keyKind, keyStatus, keyTargetLanguage} {
		all[key.GetName()] = key.GetValueType().String()
	}
	return all
}

// RegisterSearchAttributes makes the search attributes known to a namespace of a Temporal server that Plait did not
// start. Those it has already are left alone. It fails with CodeUnavailable.
func RegisterSearchAttributes(ctx context.Context, c client.Client, namespace string) error {
	known, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not list its search attributes")
	}
	missing := make(map[string]enumspb.IndexedValueType)
	for name := range maps.Keys(SearchAttributes()) {
		if _, ok := known.GetCustomAttributes()[name]; !ok {
			missing[name] = enumspb.INDEXED_VALUE_TYPE_KEYWORD
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: missing,
	})
	var exists *serviceerror.AlreadyExists
	if err != nil && !errors.As(err, &exists) {
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not take the search attributes of Plait")
	}
	return nil
}
