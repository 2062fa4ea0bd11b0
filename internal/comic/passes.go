package comic

import "slices"

// Pass is an optional part of reading a page. It can be left out to measure its benefit and its cost.
type Pass string

// The passes of the engine, in the order in which a page goes through them.
const (
	PassCandidates Pass = "candidates" // detection at full scale only in tiles where the reduced page leaves doubt
	PassAskew      Pass = "askew"      // doubtful slanted lettering is detected again on the page turned level
	PassLarge      Pass = "large"      // lettering too large for a tile is detected on the reduced page
	PassExtended   Pass = "extended"   // lines are extended over ink that the detection model missed
	PassLong       Pass = "long"       // lines longer than any of a bubble are read with a smaller model
	PassTighter    Pass = "tighter"    // doubtful lines are read again with a smaller crop
	PassUpward     Pass = "upward"     // doubtful columns are read again as rows that run up the page
	PassShort      Pass = "short"      // lines that are hardly higher than wide are read as columns too
	PassSettled    Pass = "settled"    // dots and lookalike characters are corrected by their neighbors
)

// AllPasses are the passes that can be left out.
func AllPasses() Passes {
	return Passes{PassCandidates, PassAskew, PassLarge, PassExtended, PassLong, PassTighter, PassUpward, PassShort, PassSettled}
}

// Passes is a set of passes to leave out; usually empty.
type Passes []Pass

// Lack reports whether the pass is left out.
func (p Passes) Lack(pass Pass) bool { return slices.Contains(p, pass) }
