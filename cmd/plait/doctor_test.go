package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/translators"
)

// checkTranslatorOfTheStack runs doctor and estimate in a shell that has another key than the stack, and not its model: what they say is
// of the translator that the stack's tasks have.
func (in *sandbox) checkTranslatorOfTheStack(server *llmtest.Server) {
	in.t.Helper()
	elsewhere := func(args ...string) finished {
		cmd := in.command(args...)
		cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(line string) bool {
			return strings.HasPrefix(line, "OPENAI_") || strings.HasPrefix(line, "PLAIT_TRANSLATOR_")
		})
		cmd.Env = append(cmd.Env, "GEMINI_API_KEY=another", "PLAIT_TRANSLATOR_PROVIDER=gemini", "PLAIT_TRANSLATOR_MODEL=gemini-x")
		return in.finish(cmd)
	}
	doctor := elsewhere("doctor")
	require.Contains(in.t, doctor.stdout, "openai with model "+server.Model()+", of the running stack")
	asked := server.CallCount()
	call := elsewhere("doctor", "--translator")
	require.Equal(in.t, exitFailed, call.status)
	require.Contains(in.t, call.stdout, "set the key of the running stack here too")

	f := elsewhere("estimate", example("small", "01.png"), "--from", "ja", "--json")
	require.Zero(in.t, f.status, f.stderr)
	var estimate translators.Estimate
	require.NoError(in.t, json.Unmarshal([]byte(f.stdout), &estimate))
	require.Equal(in.t, "openai", estimate.Provider)
	require.Equal(in.t, server.Model(), estimate.Model)
	f = elsewhere("estimate", example("small", "01.png"), "--from", "ja", "--translator-model", "gpt-x", "--translator-prices", "gpt=1/1")
	require.Zero(in.t, f.status, f.stderr)
	require.Contains(in.t, f.stdout, "openai gpt-x\n", "a flag chooses another model")
	require.Contains(in.t, f.stdout, "in the currency of translator.prices\n")
	require.Equal(in.t, asked, server.CallCount())

	own := in.plait("doctor", "--translator")
	require.Contains(in.t, own.stdout, "openai answers with model "+server.Model())
}
