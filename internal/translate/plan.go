package translate

// attempt is one round over the segments of a page that have no fit translation yet.
type attempt struct {
	// fallback asks the fallback model in place of the first.
	fallback bool
	// heat is by how many steps the temperature is raised at most.
	heat int
	// parts is in how many calls the segments are asked.
	parts int
}

// splits are the last attempts: halves of the batch, three levels deep. A smaller batch gives a model less to confuse, and
// keeps one refused segment from taking its neighbors along.
var splits = []int{2, 4, 8}

// plan is the whole course of a page, the same in every run, so that a later run finds the answers of an earlier one
// under the same keys: all at once and warmer each time, then the fallback model, then halves.
func plan(retries int, fallback, halves bool) []attempt {
	var attempts []attempt
	for heat := range 1 + retries {
		attempts = append(attempts, attempt{heat: heat, parts: 1})
	}
	if fallback {
		attempts = append(attempts, attempt{fallback: true, parts: 1}, attempt{fallback: true, heat: 1, parts: 1})
	}
	if !halves {
		return attempts
	}
	for _, parts := range splits {
		attempts = append(attempts, attempt{heat: 1, parts: parts})
	}
	return attempts
}

// chunk is how many of n segments one call asks for.
func (a attempt) chunk(n int) int {
	return min((n+a.parts-1)/a.parts, maxSegments)
}
