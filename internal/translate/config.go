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

// Defaults of Config, and what callers put into a Request.
const (
	// DefaultTemperature keeps to the text (reference models of the field run at 0.1).
	DefaultTemperature = 0.1
	// DefaultRetries are warm enough, 0.7 from the default temperature, and seldom needed: two answers that are both not fit
	// for the same segment are rare.
	DefaultRetries = 3
	// DefaultRepetitionThreshold is beyond any scream in print that was not also in the source.
	DefaultRepetitionThreshold = 20
	// ContextPages is the number of previous pages to give as Request.Context.
	ContextPages = 3
)

// Config says which model translates, and within which bounds.
type Config struct {
	Provider provider.Config
	// Fallback is the model that is asked when the first one refuses the content, or gives no fit answer; nil is none.
	Fallback *provider.Config
	// Temperature, 0..2, is that of the first call; each retry after an answer that was not fit adds 0.2, up to 1.
	Temperature float64
	// TopP, 0..1, and MaxTokens are sent when they are not 0.
	TopP      float64
	MaxTokens int
	// Prompts are what the model is told of its work; nil are those of the default domain.
	Prompts *Prompts
	// Schema asks for JSON by a schema where the provider can hold a model to one, in place of numbered lines.
	Schema bool
	// Retries is how often all that is not fit is asked again of the first model; 0 is DefaultRetries, and a negative number
	// none.
	Retries int
	// RepetitionThreshold is how often a character or word may repeat in a row; 0 is DefaultRepetitionThreshold.
	RepetitionThreshold int
	// Prices by model name. A model without an entry takes that of the longest name that its own begins with, as
	// providers append dates; without any it costs nothing.
	Prices map[string]Price
	// Count is the number of tokens of a text, where the provider does not tell it; nil goes by the characters.
	Count func(text string) int
	// CircuitFailures in a row open the circuit of a provider for the time of CircuitPause; 0 are the defaults of
	// provider.WithCircuit. While that of the first model is open, the fallback model is asked.
	CircuitFailures int
	CircuitPause    time.Duration
	// Limits are what an account may take in a minute, as Budgets keeps it; Budgets may be nil where there are none.
	Limits  ledger.Limits
	Budgets Budgets
	// Observer hears what is asked; nil is nobody.
	Observer Observer
}

// Observer hears what a translator does, for metrics. It is safe for concurrent use.
type Observer interface {
	// Called tells of a call that was made.
	Called(c ledger.Call)
	// Circuit tells that the circuit of a model has opened or closed.
	Circuit(provider, model string, open bool)
}

// Price is what a model costs, in units of one currency per million tokens.
type Price struct {
	Input, Output float64
}

// PriceOf is the price of a model in a table as [Config] has it, and whether the table has one.
func PriceOf(prices map[string]Price, model string) (price Price, found bool) {
	best := -1
	for name, p := range prices {
		if strings.HasPrefix(model, name) && len(name) > best {
			price, best = p, len(name)
		}
	}
	return price, best >= 0
}

// micros is the cost in millionths of the currency: per million tokens, a unit is a micro-unit a token.
func (c Config) micros(model string, inputTokens, outputTokens int) int64 {
	price, _ := PriceOf(c.Prices, model)
	return int64(math.Round(float64(inputTokens)*price.Input + float64(outputTokens)*price.Output))
}

// New makes a translator that asks a language model and keeps its account in l; neither l nor log is nil. It makes no
// call. It fails as provider.Open does.
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

// asked puts the limits before a provider.
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

// newModel takes nil for a fallback that there is none.
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
	// DeepL says the same to the same question, however often it is asked.
	settled := first.Name() == provider.DeepL
	if settled {
		c.Retries = 0
	}
	return &model{config: c, settled: settled, plan: plan(c.Retries, fallback != nil, !settled), first: first, fallback: fallback, ledger: l, log: log}
}
