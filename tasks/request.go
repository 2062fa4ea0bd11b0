package tasks

import (
	"cmp"
	"path"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/provider"
)

// Request contains what unchecked requests for tasks of every kind share.
type Request struct {
	Tenant string
	// Title is the name of the task for people; when empty, the name of the only file or of the folder of the files.
	Title string
	// Priority is from core.FirstPriority to core.LastPriority; 0 is core.DefaultPriority.
	Priority int
	// IdempotencyKey makes a repetition of the request return the first task.
	IdempotencyKey string
	// CallbackURL is told of the end of the task; it may be empty, and has been checked.
	CallbackURL string
	// Files are the files of the request in any order.
	Files []Upload
}

const (
	maxTitleRunes = 300
	maxKeyRunes   = 255
)

// Check fails with INVALID_INPUT for a title, priority or key that is out of range.
func (r Request) Check() error {
	if r.Priority != 0 && (r.Priority < core.FirstPriority || r.Priority > core.LastPriority) {
		return core.Errorf(core.CodeInvalidInput, "priority is a number from %d (highest) to %d", core.FirstPriority, core.LastPriority)
	}
	if err := CheckText("title", r.Title, maxTitleRunes); err != nil {
		return err
	}
	return CheckText("idempotency key", r.IdempotencyKey, maxKeyRunes)
}

// NewPlan returns a plan of a task of the kind, with the request's title, priority, key and callback URL.
func (r Request) NewPlan(kind core.Kind) Plan {
	return Plan{Kind: kind, Tenant: r.Tenant, Title: r.title(), Priority: r.Priority, IdempotencyKey: r.IdempotencyKey, CallbackURL: r.CallbackURL}
}

// title returns the title of the request, or the name of the only file, or of the folder that the files share.
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

// CheckText fails with INVALID_INPUT for a text that is not UTF-8, contains control characters other than tabs and line breaks, or has
// more than most characters.
func CheckText(field, value string, most int) error {
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

// Switch reads a field that is true or false, the default. It fails with INVALID_INPUT.
func Switch(field, value string) (bool, error) {
	switch value {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, core.Errorf(core.CodeInvalidInput, "%s is true or false", field)
}

// Languages reads the tags of the languages of a translation; no source is auto. It fails with INVALID_INPUT and UNKNOWN_LANGUAGE.
func Languages(source, target string) (from, to string, err error) {
	if from, err = languages.ParseSource(cmp.Or(source, languages.Auto)); err != nil {
		return "", "", err
	}
	if target == "" {
		return "", "", core.NewError(core.CodeInvalidInput, "the target language (to) is missing")
	}
	if to, err = languages.ParseTarget(target); err != nil {
		return "", "", err
	}
	if from == to {
		return "", "", core.Errorf(core.CodeInvalidInput, "the source language (from) and the target language (to) are both %s", to)
	}
	return from, to, nil
}

// CheckTranslator refuses a name that no worker can know, before anything is read for it; empty is the default. Only the workers know
// whether they have the key of a translator. It fails with INVALID_INPUT.
func CheckTranslator(name string, besides ...string) error {
	if name == "" {
		return nil
	}
	_, err := core.OneOf("translator", name, append(provider.Kinds(), besides...)...)
	return err
}
