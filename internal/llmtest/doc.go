// Package llmtest is a model server that implements the protocols of OpenAI (chat completions) and Gemini (generateContent), with and
// without streaming, and those of Anthropic (messages) and DeepL without streaming. It translates the numbered segments of a prompt, and
// injects faults into answers on request.
//
//	server := llmtest.New(t, llmtest.WithFaults(llmtest.Missing(2), llmtest.RateLimit("7")))
//	translator, err := translate.New(translate.Config{Provider: provider.Config{
//		Kind: provider.OpenAI, BaseURL: server.OpenAIURL(), Model: server.Model(),
//	}}, ledger, log)
//
// The first call answers without segment 2, the second asks to wait seven seconds, and every later one is correct. [Server.Calls] returns
// the calls that the server received, and [Server.MaxInFlight] the largest number at once.
//
// With [WithMatrix] a server injects faults by a seed, each [Kind] with its own probability. The same requests get the same faults.
//
// The correct answer is [Mark] of each segment, which is reversible and never equal to its source, or the result of [WithTable] or
// [WithTranslate], cut to the room that the prompt gives. [Start] runs the server outside of tests, for demonstrations.
package llmtest
