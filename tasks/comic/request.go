package comictasks

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/glossary"
	"plait/internal/translate/provider"
	"plait/internal/translate/script"
	"plait/tasks"
)

// Request is what a client asks for, as it came.
type Request struct {
	Tenant string
	// Title is what a person calls the chapter; when empty, the name of the archive or of the folder.
	Title string
	// From, To and Mode are names that are checked here; From defaults to auto and Mode to split.
	From, To, Mode string
	// Translator is the name of a configured translator; empty for the default, or for script when there is one.
	Translator string
	// Files are one archive, or images, in any order.
	Files []tasks.Upload
	// Script holds the translations when the translator is script; nil is none, and an empty one is refused.
	Script []byte
	// Glossary says what names and terms are called in this chapter, before the glossary of the tenant; Synopsis what the
	// chapter is about. A model is given both with every page; either may be empty.
	Glossary []glossary.Entry
	Synopsis string
	// Priority is comic.Options.Priority.
	Priority int
	// IdempotencyKey makes a repetition of the request answer with the first task.
	IdempotencyKey string
}

const (
	maxTitleRunes      = 300
	maxTranslatorRunes = 64
	maxKeyRunes        = 255
	// MaxSynopsisRunes is about a page of prose.
	MaxSynopsisRunes = 2000
)

// options checks what the client chose. The script is parsed; its blob is not known yet.
func (r Request) options() (comic.Options, error) {
	o := comic.Options{Mode: core.Mode(r.Mode), Translator: r.Translator}
	var err error
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
	switch {
	case r.Priority == 0 || r.Priority == core.DefaultPriority:
	case r.Priority < core.FirstPriority || r.Priority > core.LastPriority:
		return o, core.Errorf(core.CodeInvalidInput, "priority is a number from %d, which goes first, to %d", core.FirstPriority, core.LastPriority)
	default:
		o.Priority = r.Priority
	}
	for field, text := range map[string]struct {
		value string
		most  int
	}{
		"title": {r.Title, maxTitleRunes}, "translator": {r.Translator, maxTranslatorRunes}, "idempotency key": {r.IdempotencyKey, maxKeyRunes},
		"synopsis": {r.Synopsis, MaxSynopsisRunes},
	} {
		if err := checkText(field, text.value, text.most); err != nil {
			return o, err
		}
	}
	if err := glossary.Check(r.Glossary); err != nil {
		return o, err
	}
	return o, r.checkTranslator(&o)
}

func checkText(field, value string, most int) error {
	switch {
	case !utf8.ValidString(value):
		return core.Errorf(core.CodeInvalidInput, "the %s is not valid UTF-8", field)
	case strings.ContainsFunc(value, func(r rune) bool { return core.IsUnprintable(r) && r != '\n' && r != '\r' && r != '\t' }):
		return core.Errorf(core.CodeInvalidInput, "the %s holds a control character", field)
	case utf8.RuneCountInString(value) > most:
		return core.Errorf(core.CodeInvalidInput, "the %s has more than %d characters", field, most)
	}
	return nil
}

// checkTranslator refuses a name that no worker can know before anything is read for it, and reads the script. Whether a
// worker has the key of a translator, only the worker can say.
func (r Request) checkTranslator(o *comic.Options) error {
	switch {
	case o.Translator != "" && o.Translator != core.TranslatorScript && !slices.Contains(provider.Kinds(), o.Translator):
		return core.Errorf(core.CodeInvalidInput, "translator %q is not known; known are %s and %s",
			o.Translator, strings.Join(provider.Kinds(), ", "), core.TranslatorScript)
	case r.Script == nil && o.Translator == core.TranslatorScript:
		return core.NewError(core.CodeInvalidInput, "translator script needs a script")
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

// title is the one given, or the name of the only file, or of the folder that the files share.
func (r Request) title() string {
	name := ""
	switch {
	case r.Title != "":
		return r.Title
	case len(r.Files) == 1:
		name = path.Base(r.Files[0].Name)
		name = strings.TrimSuffix(name, path.Ext(name))
	case len(r.Files) > 1:
		if folder := path.Dir(r.Files[0].Name); folder != "." {
			name = path.Base(folder)
		}
	}
	runes := []rune(core.Printable(strings.ToValidUTF8(name, "")))
	return string(runes[:min(len(runes), maxTitleRunes)])
}
