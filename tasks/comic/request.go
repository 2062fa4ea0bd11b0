package comictasks

import (
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/provider"
	"plait/internal/translate/script"
	"plait/tasks"
)

// Request is an unchecked request for the translation of a chapter.
type Request struct {
	// Request contains the files: one archive, or images in any order.
	tasks.Request
	// From, To and Mode are names that Plan checks; From defaults to auto and Mode to split.
	From, To, Mode string
	// Translator is the name of a configured translator; empty means the default, or script when there is a script.
	Translator string
	// Script contains the translations when the translator is script; nil means none, and an empty one is refused.
	Script []byte
	// Strict is true or false, the default: whether a page with a text that the script lacks fails.
	Strict string
	// Sounds is the name of a comic.SoundMode.
	Sounds string
	// Fast is true or false, the default: whether smaller models read the pages.
	Fast string
	// PromptContext goes to the model with every page.
	tasks.PromptContext
}

const maxTranslatorRunes = 64

// options checks the options of the request. It parses the script, whose blob is not known yet.
func (r Request) options() (comic.Options, error) {
	o := comic.Options{Mode: core.Mode(r.Mode), Translator: r.Translator}
	err := r.Request.Check()
	if err != nil {
		return o, err
	}
	if r.From == "" {
		r.From = languages.Auto
	}
	if o.From, err = languages.ParseSource(r.From); err != nil {
		return o, err
	}
	if r.To == "" {
		return o, core.NewError(core.CodeInvalidInput, "the target language (to) is missing")
	}
	if o.To, err = languages.ParseTarget(r.To); err != nil {
		return o, err
	}
	if o.From == o.To {
		return o, core.Errorf(core.CodeInvalidInput, "the source language (from) and the target language (to) are both %s", o.To)
	}
	switch o.Mode {
	case "":
		o.Mode = comic.ModeSplit
	case comic.ModeSplit, comic.ModeUnified:
	default:
		return o, core.NewError(core.CodeInvalidInput, "mode is split or unified")
	}
	if o.Strict, err = parseSwitch("strict", r.Strict); err != nil {
		return o, err
	}
	if o.Fast, err = parseSwitch("fast", r.Fast); err != nil {
		return o, err
	}
	if o.Sounds, err = comic.ParseSoundMode(r.Sounds); err != nil {
		return o, err
	}
	if err := tasks.CheckText("translator", r.Translator, maxTranslatorRunes); err != nil {
		return o, err
	}
	if err := r.PromptContext.Check(); err != nil {
		return o, err
	}
	return o, r.checkTranslator(&o)
}

// parseSwitch returns the value of a field that is true or false, the default.
func parseSwitch(field, value string) (bool, error) {
	switch value {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, core.Errorf(core.CodeInvalidInput, "%s is true or false", field)
}

// checkTranslator refuses a name that no worker can know before anything is read for it, and parses the script. Only the workers know
// whether they have the key of a translator.
func (r Request) checkTranslator(o *comic.Options) error {
	switch {
	case o.Translator != "" && o.Translator != core.TranslatorScript && !slices.Contains(provider.Kinds(), o.Translator):
		return core.Errorf(core.CodeInvalidInput, "translator %q is not known; known are %s and %s",
			o.Translator, strings.Join(provider.Kinds(), ", "), core.TranslatorScript)
	case r.Script == nil && o.Translator == core.TranslatorScript:
		return core.NewError(core.CodeInvalidInput, "translator script needs a script")
	case r.Script == nil && o.Strict:
		return core.NewError(core.CodeInvalidInput, "strict needs a script")
	case r.Script == nil:
		return nil
	case o.Translator == "":
		o.Translator = core.TranslatorScript
	case o.Translator != core.TranslatorScript:
		return core.Errorf(core.CodeInvalidInput, "a script is given, but the translator is %q", o.Translator)
	}
	_, err := script.Parse(r.Script)
	return err
}
