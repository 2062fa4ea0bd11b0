package comic

import (
	"context"
	"slices"
)

// Pass is an optional part of reading a page. It can be left out to measure its benefit and its cost.
type Pass string

// The passes of the engine, in the order in which a page goes through them.
const (
	PassCandidates Pass = "candidates" // detection at full scale only in tiles where the reduced page leaves doubt
	PassAskew      Pass = "askew"      // doubtful slanted lettering is detected again on the page turned level
	PassLarge      Pass = "large"      // lettering too large for a tile is detected on the reduced page
	PassExtended   Pass = "extended"   // lines are extended over ink that the detection model missed
	PassLong       Pass = "long"       // lines longer than any of a bubble are read with a smaller model
	PassUpright    Pass = "upright"    // doubtful columns are read again as rows of upright characters
	PassTighter    Pass = "tighter"    // doubtful lines are read again with a smaller crop
	PassRuby       Pass = "ruby"       // doubtful columns are read again without the part where furigana is
	PassUpward     Pass = "upward"     // doubtful columns are read again as rows that run up the page
	PassShort      Pass = "short"      // lines that are hardly higher than wide are read as columns too
	PassSettled    Pass = "settled"    // dots and lookalike characters are corrected by their neighbors
)

// AllPasses are the passes that can be left out.
func AllPasses() []Pass {
	return []Pass{PassCandidates, PassAskew, PassLarge, PassExtended, PassLong, PassUpright, PassTighter, PassRuby, PassUpward, PassShort, PassSettled}
}

type leftOut struct{}

// Without returns a context in which pages are read without some passes.
func Without(ctx context.Context, passes ...Pass) context.Context {
	return context.WithValue(ctx, leftOut{}, passes)
}

// Runs reports whether the pass is not left out.
func (p Pass) Runs(ctx context.Context) bool {
	passes, _ := ctx.Value(leftOut{}).([]Pass)
	return !slices.Contains(passes, p)
}
