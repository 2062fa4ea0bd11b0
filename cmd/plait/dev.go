package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/internal/core"
	"plait/internal/llmtest"
)

func newDev() *cobra.Command {
	c := &cobra.Command{
		Use:   "dev",
		Short: "Tools for trying Plait out",
	}
	c.AddCommand(newDevLLM())
	return c
}

func newDevLLM() *cobra.Command {
	var address, retryAfter, standIn string
	var length float64
	var models, faults []string
	var rate float64
	var matrix llmtest.Matrix
	c := &cobra.Command{
		Use:   "llm",
		Short: "Serve a model that translates nothing, and lies as often as it is told",
		Long: `llm serves the protocols of OpenAI and Gemini, streaming and not. Its translations are legible nonsense, and it fails and lies
by a seed: the same requests meet the same faults again. Until Ctrl-C it tells where it listens, and then what it saw.

  plait dev llm --rate 0.05 &
  plait translate book.cbz --from ja --to en --translator-base-url http://127.0.0.1:8089/v1 --translator-model test-model`,
		RunE: func(c *cobra.Command, _ []string) error {
			rates, err := llmtest.ParseRates(faults, rate)
			if err != nil {
				return usageError(c, err)
			}
			matrix.Rates, matrix.RetryAfter = rates, retryAfter
			options := []llmtest.Option{llmtest.WithAddress(address), llmtest.WithModels(models...), llmtest.WithMatrix(matrix)}
			if standIn != "" {
				options = append(options, llmtest.WithTranslate(llmtest.StandIn(standIn, length)))
			}
			s, err := llmtest.Start(options...)
			if err != nil {
				return err
			}
			defer s.Close()
			fmt.Fprintf(c.OutOrStdout(), "OpenAI  %s\nGemini  %s\nmodels  %v\n", s.OpenAIURL(), s.GeminiURL(), models)
			<-c.Context().Done()
			return json.NewEncoder(c.OutOrStdout()).Encode(s.Seen())
		},
	}
	f := c.Flags()
	f.StringVar(&address, "address", "127.0.0.1:8089", "where to listen")
	f.StringSliceVar(&models, "models", []string{llmtest.DefaultModel}, "names of the models")
	f.StringVar(&standIn, "stand-in", "", "translate into words of a script, as long as real ones: latin, zh or ar (default: legible nonsense)")
	f.Float64Var(&length, "length", 1, "length of stand-ins relative to the usual one")
	f.Uint64Var(&matrix.Seed, "seed", 1, "seed of the faults")
	f.Float64Var(&rate, "rate", 0, "probability of each fault, 0..1")
	f.StringSliceVar(&faults, "faults", nil, "faults to make, all when none is named: "+core.Join(llmtest.Kinds(), ", "))
	f.StringVar(&retryAfter, "retry-after", "2", "header Retry-After of the fault rate_limit")
	f.DurationVar(&matrix.Latency.Median, "latency", 800*time.Millisecond, "median time of an answer")
	f.Float64Var(&matrix.Latency.Sigma, "latency-sigma", 0.4, "standard deviation of the logarithm of that time")
	return c
}
