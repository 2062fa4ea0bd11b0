package schema

// CheckList has the parts of an installation that can be checked.
type CheckList struct {
	Parts []string `json:"parts"`
}

// Finding is the result of a check.
type Finding struct {
	Part string `json:"part"`
	OK   bool   `json:"ok"`
	// Found describes the part, or its problem.
	Found string `json:"found"`
	// Remedy describes how to fix the problem; absent where there is none.
	Remedy string `json:"remedy,omitempty"`
}
