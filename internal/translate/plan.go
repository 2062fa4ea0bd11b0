package translate

// attempt is one round over the segments of a page that have no acceptable translation yet.
type attempt struct {
	// fallback asks the fallback model instead of the first.
	fallback bool
	// heat is the largest number of steps by which the temperature is raised.
	heat int
	// parts is the number of calls among which the segments are divided.
	parts int
}

// splits are the last attempts: halves of the batch, three levels deep. A smaller batch confuses a model less, and limits the effect of a
// refused segment on its neighbors.
var splits = []int{2, 4, 8}

// plan is the sequence of attempts for a page. It is the same in every run, so that a later run finds the answers of an earlier one under
// the same keys: all segments at once and warmer each time, then the fallback model, then halves.
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

// chunk is the number of segments, of n, that one call asks for.
func (a attempt) chunk(n int) int {
	return min((n+a.parts-1)/a.parts, maxSegments)
}
