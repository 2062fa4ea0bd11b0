package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// wish is what a customer does with a chapter beyond sending it, whatever happens meanwhile.
type wish struct {
	what string
	// after is how long he leaves it alone before, from its acceptance; hold is how long a pause lasts.
	after, hold time.Duration
}

func (w wish) String() string {
	switch w.what {
	case "":
		return "left alone"
	case wishCancel:
		return fmt.Sprintf("to be canceled after %s", w.after.Round(time.Millisecond))
	case wishPause:
		return fmt.Sprintf("to be paused after %s, for %s", w.after.Round(time.Millisecond), w.hold.Round(time.Millisecond))
	default:
		return "to be followed by: " + w.what
	}
}

const (
	wishCancel = "cancel"
	wishPause  = "pause"
	// What follows waits for the end of the task.
	wishRetry  = "retry"  // its failed pages
	wishEdit   = "edit"   // a page
	wishRepeat = "repeat" // the request, several times at once, and once more after its end

	wishSeed = 0x3154
	// The longest time before a wish, and of a pause.
	longestAfter, longestHold = 4 * time.Second, 8 * time.Second
)

// newWishes draws a wish for each chapter: each kind comes as often as any other, and as many chapters are left alone as are not.
func newWishes(seed uint64, n int) []wish {
	r := rand.New(rand.NewPCG(seed, wishSeed))
	var deck []string
	wishes := make([]wish, n)
	for i := range wishes {
		if len(deck) == 0 {
			deck = []string{wishCancel, wishPause, wishRetry, wishEdit, wishRepeat, "", "", "", "", ""}
			r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		wishes[i] = wish{
			what: deck[0], after: time.Duration(r.Int64N(int64(longestAfter))), hold: time.Duration(r.Int64N(int64(longestHold))),
		}
		deck = deck[1:]
	}
	return wishes
}

// inCalm is the chapter with what of its wish changes its pages.
func (c chapter) inCalm() chapter {
	if c.wish.what != wishEdit {
		c.wish = wish{}
	}
	return c
}
