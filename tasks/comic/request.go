package comictasks

import (
	"cmp"

	"plait/internal/comic"
	"plait/internal/core"
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

// options checks the options of the request. It parses the script, whose blob is not known yet.
func (r Request) options() (comic.Options, error) {
	o := comic.Options{Translator: r.Translator}
	err := r.Request.Check()
	if err != nil {
		return o, err
	}
	if o.From, o.To, err = tasks.Languages(r.From, r.To); err != nil {
		return o, err
	}
	if o.Mode, err = core.OneOf("mode", cmp.Or(core.Mode(r.Mode), comic.ModeSplit), comic.ModeSplit, comic.ModeUnified); err != nil {
		return o, err
	}
	if o.Strict, err = tasks.Switch("strict", r.Strict); err != nil {
		return o, err
	}
	if o.Fast, err = tasks.Switch("fast", r.Fast); err != nil {
		return o, err
	}
	if o.Sounds, err = comic.ParseSoundMode(r.Sounds); err != nil {
		return o, err
	}
	if err := tasks.CheckTranslator(r.Translator, core.TranslatorScript); err != nil {
		return o, err
	}
	if err := r.PromptContext.Check(); err != nil {
		return o, err
	}
	return o, r.checkTranslator(&o)
}

// checkTranslator checks the translator against the script, and parses the script.
func (r Request) checkTranslator(o *comic.Options) error {
	switch {
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
