package translate

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// Defaults of Config, and values that callers use in a Request.
const (
	// DefaultTemperature keeps answers close to the text (reference models of the field run at 0.1).
	DefaultTemperature = 0.1
	// DefaultRetries reach a temperature of 0.7 from the default, and are seldom needed: two unacceptable answers in a row for one segment
	// are rare.
	DefaultRetries = 3
	// DefaultRepetitionThreshold is above any scream in print that is not also in the source.
	DefaultRepetitionThreshold = 20
	// ContextPages is the number of previous pages in Request.Context.
	ContextPages = 3
)

// Config determines the model that translates, and its bounds.
type Config struct {
	Provider provider.Config
	// Fallback is the model that is asked when the first one refuses the content, or gives no acceptable answer; nil means none.
	Fallback *provider.Config
	// Temperature, 0..2, is that of the first call; each retry after an unacceptable answer adds 0.2, up to 1.
	Temperature float64
	// TopP, 0..1, and MaxTokens are sent when they are not 0.
	TopP      float64
	MaxTokens int
	// Prompts are the instructions for the model; nil means those of the default domain.
	Prompts *Prompts
	// Schema requests JSON by a schema instead of numbered lines, if the provider can enforce one.
	Schema bool
	// Retries is how many times unacceptable segments are asked again of the first model; 0 means DefaultRetries, and a negative number
	// none.
	Retries int
	// RepetitionThreshold is the largest number of repetitions of a character or word in a row; 0 means DefaultRepetitionThreshold.
	RepetitionThreshold int
	// Prices are by model name. A model without an entry has the price of the longest entry that is a prefix of its name, because
	// providers append dates; without any it costs nothing.
	Prices map[string]Price
	// Count returns the number of tokens of a text when the provider does not report usage; nil estimates from the characters.
	Count func(text string) int
	// CircuitFailures is the number of failures in a row that open the circuit of a provider for CircuitPause; 0 means the defaults of
	// provider.WithCircuit. While the circuit of the first model is open, the fallback model is asked.
	CircuitFailures int
	CircuitPause    time.Duration
	// Limits are the limits of an account per minute, which Budgets enforces; Budgets may be nil when there are none.
	Limits  ledger.Limits
	Budgets Budgets
	// Observer receives the calls; nil means none.
	Observer Observer
}

// Observer receives the calls of a translator, for metrics. It is safe for concurrent use.
type Observer interface {
	// Called reports a call that was made.
	Called(c ledger.Call)
	// Circuit reports that the circuit of a model has opened or closed.
	Circuit(provider, model string, open bool)
}

// Price is the price of a model, in units of one currency per million tokens.
type Price struct {
	Input, Output float64
}

// PriceOf returns the price of a model in a table as in [Config], and whether the table has one.
func PriceOf(prices map[string]Price, model string) (price Price, found bool) {
	best := -1
	for name, p := range prices {
		if strings.HasPrefix(model, name) && len(name) > best {
			price, best = p, len(name)
		}
	}
	return price, best >= 0
}

// micros is the cost in millionths of the currency: a price per million tokens is the same number of micro-units per token.
func (c Config) micros(model string, inputTokens, outputTokens int) int64 {
	price, _ := PriceOf(c.Prices, model)
	return int64(math.Round(float64(inputTokens)*price.Input + float64(outputTokens)*price.Output))
}

// New makes a translator that asks a language model and records its calls in l; neither l nor log is nil. It makes no call. It fails as
// provider.Open does.
func New(c Config, l Ledger, log *slog.Logger) (Translator, error) {
	first, err := provider.Open(c.Provider)
	if err != nil {
		return nil, err
	}
	var fallback *asked
	if c.Fallback != nil {
		p, err := provider.Open(*c.Fallback)
		if err != nil {
			return nil, fmt.Errorf("the fallback model: %w", err)
		}
		fallback = c.asked(p, *c.Fallback, log)
	}
	return newModel(c, c.asked(first, c.Provider, log), fallback, l, log), nil
}

// asked wraps a provider in its limits.
func (c Config) asked(p provider.Provider, from provider.Config, log *slog.Logger) *asked {
	tell := func(open bool) {
		log.Warn("the circuit of a model has changed", "provider", p.Name(), "model", p.Model(), "open", open)
		if c.Observer != nil {
			c.Observer.Circuit(p.Name(), p.Model(), open)
		}
	}
	a := &asked{Provider: provider.WithCircuit(p, c.CircuitFailures, c.CircuitPause, tell)}
	if c.Budgets != nil {
		a.budget = &budget{budgets: c.Budgets, account: accountOf(from, p.Endpoint()), limits: c.Limits}
	}
	return a
}

// newModel accepts nil for a missing fallback.
func newModel(c Config, first, fallback *asked, l Ledger, log *slog.Logger) *model {
	if c.Retries == 0 {
		c.Retries = DefaultRetries
	}
	c.Retries = max(c.Retries, 0)
	if c.RepetitionThreshold <= 0 {
		c.RepetitionThreshold = DefaultRepetitionThreshold
	}
	if c.Count == nil {
		c.Count = CountCharacters
	}
	// DeepL gives the same answer to a repeated question.
	settled := first.Name() == provider.DeepL
	if settled {
		c.Retries = 0
	}
	return &model{config: c, settled: settled, plan: plan(c.Retries, fallback != nil, !settled), first: first, fallback: fallback, ledger: l, log: log}
}
