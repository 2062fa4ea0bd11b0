package glossary

import (
	"slices"
	"strconv"
	"strings"

	"plait/internal/core"
)

// MaxChanges is how many changes [Apply] makes at once.
const MaxChanges = 1000

// Change is an entry that a person adds, replaces or removes.
type Change struct {
	// Before is the entry as the person saw it; nil for one that is added.
	Before *Entry `json:"before,omitempty"`
	// After is the entry as it becomes, which may have another source; nil for one that is removed.
	After *Entry `json:"after,omitempty"`
}

// Merge joins lists of entries. The first entry of a source counts.
func Merge(lists ...[]Entry) []Entry {
	var merged []Entry
	named := map[string]bool{}
	for _, list := range lists {
		for _, e := range list {
			if !named[e.Source] {
				merged = append(merged, e)
			}
			named[e.Source] = true
		}
	}
	return merged
}

// Apply returns a copy of entries with all changes, in their order; new entries come last. A change that is made already changes nothing. It
// fails with CodeConflict for an entry that is no longer what the person saw, and for a source that has another entry, with CodeTooLarge,
// and with CodeInvalidInput for an entry that [Check] refuses.
func Apply(entries []Entry, changes []Change) (changed []Entry, err error) {
	if len(changes) > MaxChanges {
		return nil, core.Errorf(core.CodeTooLarge, "there are more than %d changes", MaxChanges)
	}
	changed = Merge(entries)
	for i, c := range changes {
		if c, err = c.checked("change " + strconv.Itoa(i+1)); err != nil {
			return nil, err
		}
		if changed, err = c.apply(changed); err != nil {
			return nil, err
		}
	}
	if len(changed) > MaxEntries {
		return nil, errTooMany
	}
	return changed, nil
}

// checked returns the change with its texts trimmed.
func (c Change) checked(place string) (Change, error) {
	if c.After == nil {
		if c.Before == nil {
			return c, core.Errorf(core.CodeInvalidInput, "glossary, %s: both before and after are missing", place)
		}
		return c, nil
	}
	after := *c.After
	for _, text := range []*string{&after.Source, &after.Target, &after.PartOfSpeech, &after.Note} {
		*text = strings.TrimSpace(*text)
	}
	c.After = &after
	return c, after.check(place)
}

func (c Change) apply(entries []Entry) ([]Entry, error) {
	place := func(e *Entry) int {
		return slices.IndexFunc(entries, func(other Entry) bool { return e != nil && other.Source == e.Source })
	}
	before, after := place(c.Before), place(c.After)
	made := before < 0
	if c.After != nil {
		made = after >= 0 && entries[after] == *c.After && (before < 0 || before == after)
	}
	switch {
	case made:
		return entries, nil
	case c.Before != nil && (before < 0 || entries[before] != *c.Before):
		return nil, core.Errorf(core.CodeConflict, "the entry of %q is another one by now", c.Before.Source)
	case after >= 0 && after != before:
		return nil, core.Errorf(core.CodeConflict, "%q has another entry by now", c.After.Source)
	case c.After == nil:
		return slices.Delete(entries, before, before+1), nil
	case c.Before == nil:
		return append(entries, *c.After), nil
	default:
		entries[before] = *c.After
		return entries, nil
	}
}
