// Package llmtest is a model server that speaks the protocols of OpenAI (chat completions) and Gemini (generateContent)
// truly, streaming and not, and those of Anthropic (messages) and DeepL without streaming. It translates the numbered segments of
// a prompt, and lies on demand.
//
//	server := llmtest.New(t, llmtest.WithFaults(llmtest.Missing(2), llmtest.RateLimit("7")))
//	translator, err := translate.New(translate.Config{Provider: provider.Config{
//		Kind: provider.OpenAI, BaseURL: server.OpenAIURL(), Model: server.Model(),
//	}}, ledger, log)
//
// The first call answers without segment 2, the second asks to wait seven seconds, every later one is honest. What the server
// saw is in [Server.Calls]; how many calls it held at once in [Server.MaxInFlight].
//
// With [WithMatrix] a server lies by a seed, each [Kind] of fault with a probability of its own, the same again for the same
// requests.
//
// An honest answer is [Mark] of each segment, which is reversible and never equal to its source, or what [WithTable]
// or [WithTranslate] say, cut to the room that the prompt says it has. [Start] runs the server outside of tests, for demonstrations.
package llmtest
