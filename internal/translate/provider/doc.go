// Package provider asks language models: OpenAI and every server of its chat completions protocol (Ollama, vLLM, llama.cpp,
// LM Studio, OpenRouter), and Gemini, each through its maintained Go client.
//
// The clients build requests and read replies; everything that must be alike for all of them is done below, in one HTTP
// transport: time-outs, proxy, extra headers, the bound on a response, no redirects, and the mapping of an HTTP status
// to an error of package pipeline. The clients' own retries are off: a retry belongs to the workflow, which waits without
// holding a translate slot.
package provider
