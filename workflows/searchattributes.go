package workflows

import (
	"context"
	"errors"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"plait/internal/core"
)

// The search attributes by which an operator filters tasks in the Temporal UI.
var (
	KeyTenant = temporal.NewSearchAttributeKeyKeyword("PlaitTenant")
	keyKind   = temporal.NewSearchAttributeKeyKeyword("PlaitKind")
	keyStatus = temporal.NewSearchAttributeKeyKeyword("PlaitStatus")
	// KeyTargetLanguage is set by kinds that translate.
	KeyTargetLanguage = temporal.NewSearchAttributeKeyKeyword("PlaitTargetLanguage")
	// keyRetry is the number of the retry that a run belongs to: 1 or more, and absent on the first run. It is not a memo, because memos
	// are encrypted, and callers that ask for the state of a task have no key.
	keyRetry = temporal.NewSearchAttributeKeyInt64("PlaitRetry")
)

// SearchAttributes returns the names and types that must be registered in a namespace before a task starts in it.
func SearchAttributes() map[string]string {
	all := map[string]string{}
	for _, key := range []temporal.SearchAttributeKey{KeyTenant, keyKind, keyStatus, KeyTargetLanguage, keyRetry} {
		all[key.GetName()] = key.GetValueType().String()
	}
	return all
}

// RegisterSearchAttributes registers the search attributes in a namespace of a Temporal server that Plait did not start. Existing ones
// stay unchanged. It fails with CodeUnavailable.
func RegisterSearchAttributes(ctx context.Context, c client.Client, namespace string) error {
	known, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not list its search attributes")
	}
	missing := make(map[string]enumspb.IndexedValueType)
	for name, kind := range SearchAttributes() {
		if _, ok := known.GetCustomAttributes()[name]; ok {
			continue
		}
		if missing[name], err = enumspb.IndexedValueTypeFromString(kind); err != nil {
			return err
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
