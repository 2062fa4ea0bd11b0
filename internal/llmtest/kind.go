package llmtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plait/internal/core"
)

// Kind is a fault that a seed can choose.
type Kind string

// The kinds. Kinds up to KindInvalidJSON leave the caller without an answer, those up to KindWrongLanguage give an answer that is unusable
// as a whole, and answers with the last two must be accepted.
const (
	KindRateLimit     Kind = "rate_limit"
	KindServerError   Kind = "server_error"
	KindHang          Kind = "hang"
	KindCut           Kind = "cut"
	KindInvalidJSON   Kind = "invalid_json"
	KindMissing       Kind = "missing"
	KindDouble        Kind = "double"
	KindMerged        Kind = "merged"
	KindRenumbered    Kind = "renumbered"
	KindEcho          Kind = "echo"
	KindRefusal       Kind = "refusal"
	KindRepetition    Kind = "repetition"
	KindWrongLanguage Kind = "wrong_language"
	KindThink         Kind = "think"
	KindNoUsage       Kind = "no_usage"
)

// Kinds are all kinds, in the order in which they are drawn.
func Kinds() []Kind {
	return []Kind{
		KindRateLimit, KindServerError, KindHang, KindCut, KindInvalidJSON, KindMissing, KindDouble, KindMerged, KindRenumbered, KindEcho,
		KindRefusal, KindRepetition, KindWrongLanguage, KindThink, KindNoUsage,
	}
}

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, error) {
	if k := Kind(name); slices.Contains(Kinds(), k) {
		return k, nil
	}
	return "", fmt.Errorf("fault %q is not known; known are %s", name, core.Join(Kinds(), ", "))
}

// transport are the kinds that do not depend on the prompt.
var transport = map[Kind]Fault{
	KindServerError: Status(http.StatusInternalServerError),
	KindHang:        Hang(),
	KindCut:         Cut(),
	KindInvalidJSON: WrongJSON(),
	KindThink:       Think("The first one is <|1|>a draft, I think.\n<|2|>Another."),
	KindNoUsage:     NoUsage(),
}

// fault makes one fault of the kind for a prompt of n segments.
func (k Kind) fault(r *rand.Rand, n int, retryAfter string) Fault {
	at := 1 + r.IntN(max(n, 1))
	switch k {
	case KindRateLimit:
		return RateLimit(retryAfter)
	case KindMissing:
		return either(r, Missing(at), Empty(at))
	case KindDouble:
		return Double(at)
	case KindMerged:
		return either(r, Merge(at), MergeMarkers(at))
	case KindRenumbered:
		return either(r, MergeAndRenumber(at), Renumber(1), Renumber(-1))
	case KindEcho:
		return either(r, Echo(at), EchoPrompt())
	case KindRefusal:
		return either(r, RefuseInWords(), ContentFilter())
	case KindRepetition:
		return Repeat(at)
	case KindWrongLanguage:
		return either(r, Say(at, "私はここにいるよ"), Say(at, "我就在这里等你"), Say(at, "Я здесь и жду тебя"), Say(at, "나는 여기 있어"))
	default:
		return transport[k]
	}
}

func either(r *rand.Rand, faults ...Fault) Fault { return faults[r.IntN(len(faults))] }

// Renumber adds by to the number of every segment.
func Renumber(by int) Fault {
	return func(r *reply) {
		for i := range r.lines {
			if n, err := strconv.Atoi(strings.TrimSpace(r.lines[i].number)); err == nil {
				r.lines[i].number = strconv.Itoa(n + by)
			}
		}
	}
}
