package comic

import "slices"

// Pass is a part of reading a page that can be left out, to measure what it gains and what it costs.
type Pass string

// The passes of the engine, in the order in which a page goes through them.
const (
	PassCandidates Pass = "candidates" // the model sees only what may be text at full scale; without it, the whole page
	PassLarge      Pass = "large"      // lettering too large for a tile is taken from the look at the whole page
	PassExtended   Pass = "extended"   // the ends of lines are moved over ink that the model left out
	PassTighter    Pass = "tighter"    // doubtful lines are read with a smaller crop, too
	PassLooser     Pass = "looser"     // and doubtful voicing marks with a larger one
	PassUpward     Pass = "upward"     // doubtful columns are read as rows that run up the page, too
	PassSettled    Pass = "settled"    // dots and lookalikes are told by their neighbors
)

// AllPasses are the passes that can be left out.
func AllPasses() Passes {
	return Passes{PassCandidates, PassLarge, PassExtended, PassTighter, PassLooser, PassUpward, PassSettled}
}

// Passes are those that are left out; none as a rule.
type Passes []Pass

// Lack reports whether a pass is left out.
func (p Passes) Lack(pass Pass) bool { return slices.Contains(p, pass) }
