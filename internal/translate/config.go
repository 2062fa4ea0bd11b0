package translate

import (
	"log/slog"
	"math"
	"strings"

	"plait/internal/translate/provider"
)

// Defaults of Config, and what callers put into a Request.
const (
	// DefaultTemperature keeps to the text (reference models of the field run at 0.1).
	DefaultTemperature = 0.1
	// DefaultMaxRounds asks once, again, in halves, and in quarters.
	DefaultMaxRounds = 4
	// DefaultRepetitionThreshold is beyond any scream in print that was not also in the source.
	DefaultRepetitionThreshold = 20
	// ContextPages is the number of previous pages to give as Request.Context.
	ContextPages = 3
)

// Config says which model translates, and within which bounds.
type Config struct {
	Provider provider.Config
	// Temperature, 0..2, is that of the first round; each further round adds 0.2, up to 1.
	Temperature float64
	// TopP, 0..1, and MaxTokens are sent when they are not 0.
	TopP      float64
	MaxTokens int
	// MaxRounds bounds how often one Translate pays for asking again; 0 is DefaultMaxRounds.
	MaxRounds int
	// RepetitionThreshold is how often a character or word may repeat in a row; 0 is DefaultRepetitionThreshold.
	RepetitionThreshold int
	// Prices by model name. A model without an entry takes that of the longest name that its own begins with, as
	// providers append dates; without any it costs nothing.
	Prices map[string]Price
}

// Price is what a model costs, in units of one currency per million tokens.
type Price struct {
	Input, Output float64
}

// micros is the cost in millionths of the currency: per million tokens, a unit is a micro-unit a token.
func (c Config) micros(model string, inputTokens, outputTokens int) int64 {
	price, best := Price{}, -1
	for name, p := range c.Prices {
		if strings.HasPrefix(model, name) && len(name) > best {
			price, best = p, len(name)
		}
	}
	return int64(math.Round(float64(inputTokens)*price.Input + float64(outputTokens)*price.Output))
}

// New makes a translator that asks a language model and keeps its account in l; neither l nor log is nil. It makes no
// call. It fails as provider.Open does.
func New(c Config, l Ledger, log *slog.Logger) (Translator, error) {
	p, err := provider.Open(c.Provider)
	if err != nil {
		return nil, err
	}
	return newModel(c, p, l, log), nil
}

func newModel(c Config, p provider.Provider, l Ledger, log *slog.Logger) *model {
	if c.MaxRounds <= 0 {
		c.MaxRounds = DefaultMaxRounds
	}
	if c.RepetitionThreshold <= 0 {
		c.RepetitionThreshold = DefaultRepetitionThreshold
	}
	return &model{config: c, provider: p, ledger: l, log: log}
}
