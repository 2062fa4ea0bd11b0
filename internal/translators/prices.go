package translators

import (
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"plait/internal/assets"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/tokens"
)

// TokenCounter returns a counter that uses the vocabulary in the assets and reads it when it counts the first text. Without a vocabulary
// it returns nil, so that translators count characters.
func TokenCounter(assetsDir string, log *slog.Logger) func(string) int {
	set, err := assets.Open(assetsDir)
	if err != nil {
		return nil
	}
	path, err := set.Path(assets.Tokenizer)
	if err != nil {
		return nil
	}
	counter := sync.OnceValue(func() *tokens.Counter {
		c, err := tokens.Load(path)
		if err != nil {
			log.Warn("tokens are counted from characters", "error", err)
		}
		return c
	})
	return func(text string) int {
		if c := counter(); c != nil {
			return c.Count(text)
		}
		return translate.CountCharacters(text)
	}
}

// pricesOf reads the price table.
func pricesOf(t config.Translator) (map[string]translate.Price, error) {
	prices := map[string]translate.Price{}
	for name, text := range t.Prices {
		input, output, found := strings.Cut(text, "/")
		in, inErr := strconv.ParseFloat(strings.TrimSpace(input), 64)
		out, outErr := strconv.ParseFloat(strings.TrimSpace(output), 64)
		if !found || inErr != nil || outErr != nil || !(in >= 0 && in < 1e6) || !(out >= 0 && out < 1e6) {
			return nil, core.Errorf(core.CodeInvalidInput, "translator.prices: %q of %s is not input/output, such as 0.25/2", text, name)
		}
		prices[name] = translate.Price{Input: in, Output: out}
	}
	return prices, nil
}
