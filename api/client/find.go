package client

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"plait/api/schema"
	"plait/internal/core"
)

// minPrefix is the smallest length of a prefix of a task id, in characters.
const minPrefix = 4

// errFound ends the listing early.
var errFound = errors.New("found")

// Resolve returns the id of the only task whose id starts with prefix. It fails with [core.CodeNotFound] when no task matches, and with
// [core.CodeInvalidInput] when several do or the prefix is shorter than 4 characters.
func (c *Client) Resolve(ctx context.Context, prefix string) (string, error) {
	prefix = strings.ToLower(prefix)
	if _, err := uuid.Parse(prefix); err == nil {
		return prefix, nil
	}
	if len(prefix) < minPrefix {
		return "", core.Errorf(core.CodeInvalidInput, "%q is too short for the id of a task; give %d characters or more", prefix, minPrefix)
	}
	var found []string
	err := c.Tasks(ctx, Filter{}, 0, func(t schema.Task) error {
		switch {
		case strings.HasPrefix(t.ID, prefix):
			found = append(found, t.ID)
		case len(found) > 0: // ids start with the creation time and the list is sorted by it, so that matches are adjacent
			return errFound
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errFound):
		return "", err
	case len(found) == 0:
		return "", core.Errorf(core.CodeNotFound, "there is no task whose id begins with %s; \"plait tasks\" lists them", prefix)
	case len(found) > 1:
		return "", core.Errorf(core.CodeInvalidInput, "%d tasks have an id that begins with %s, such as %s and %s", len(found), prefix, found[0], found[1])
	}
	return found[0], nil
}
