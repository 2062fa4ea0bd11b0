// Package provider makes calls to language models: OpenAI and every server with its chat completions protocol (Ollama, vLLM, llama.cpp, LM
// Studio, OpenRouter), Gemini and Anthropic, each through its maintained Go client, and DeepL.
//
// The clients build requests and read replies. One HTTP transport below them does what must be equal for all: time-outs, proxy, extra
// headers, the bound on a response, no redirects, and the mapping of an HTTP status to an error of package core. The clients' own retries
// are off: the workflow retries, and waits without holding a translate slot.
package provider
