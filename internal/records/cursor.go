package records

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"plait/internal/core"
)

// Cursor is a place in a list of tasks: the task after which it goes on. The zero Cursor is the beginning.
type Cursor struct {
	At time.Time
	ID string
}

// IsZero reports whether c is the beginning of a list, or, when returned by one, its end.
func (c Cursor) IsZero() bool { return c.ID == "" && c.At.IsZero() }

// String is c as a client carries it: URL-safe and without meaning to it. The zero Cursor is the empty string.
func (c Cursor) String() string {
	if c.IsZero() {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.At.UnixMicro(), 36) + "." + c.ID))
}

// ParseCursor reads what String wrote. It fails with [core.CodeInvalidInput].
func ParseCursor(s string) (Cursor, error) {
	if s == "" {
		return Cursor{}, nil
	}
	malformed := core.NewError(core.CodeInvalidInput, "the cursor is not one that a list returned")
	if len(s) > 200 {
		return Cursor{}, malformed
	}
	decoded, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Cursor{}, malformed
	}
	micros, id, found := strings.Cut(string(decoded), ".")
	at, err := strconv.ParseInt(micros, 36, 64)
	if !found || err != nil || id == "" || !isID(id) || at < 0 || at > maxMicros {
		return Cursor{}, malformed
	}
	return Cursor{At: time.UnixMicro(at).UTC(), ID: id}, nil
}

// maxMicros is the end of the year 9999.
const maxMicros = 253_402_300_799_999_999

// isID reports whether every character of s may stand in the id of a task or the name of a tenant.
func isID(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		allowed := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_.-", r)
		return !allowed
	})
}
