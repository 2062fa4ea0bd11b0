package translate

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"plait/internal/core"
)

// DefaultDomain is the domain of texts by default.
const DefaultDomain = "comic"

// maxPromptBytes bounds one file of a prompt.
const maxPromptBytes = 64 << 10

//go:embed prompts
var embedded embed.FS

// Prompts are the instructions for a model: the text of a domain, and notes on style by language pair. The form of an answer is not part
// of them, so that no file can change it.
type Prompts struct {
	domain *template.Template
	// dir contains the user's files, which take precedence over the embedded ones; empty means none.
	dir string
}

var domainName = regexp.MustCompile(`^[a-z0-9_-]{1,40}$`)

// LoadPrompts reads the text of a domain: DOMAIN.txt in dir, or else an embedded one (comic, general, legal, medical). It is a text/template with
// From and To, the English names of the languages. Notes on style are read on demand from style.FROM-TO.txt, such as style.ja-en.txt. It
// fails with CodeInvalidInput.
func LoadPrompts(domain, dir string) (*Prompts, error) {
	if !domainName.MatchString(domain) {
		return nil, core.Errorf(core.CodeInvalidInput, "the domain %q is not a name such as %s", domain, DefaultDomain)
	}
	p := &Prompts{dir: dir}
	text, err := p.read(domain + ".txt")
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, "there is no text for the domain "+domain)
	}
	if p.domain, err = template.New(domain).Option("missingkey=error").Parse(text); err == nil {
		err = p.domain.Execute(io.Discard, languagePair{})
	}
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, "the text for the domain "+domain+" is not a valid template")
	}
	return p, nil
}

// languagePair is the data of a domain's template.
type languagePair struct{ From, To string }

// builtIn are the prompts of the default domain.
var builtIn = func() *Prompts {
	p, err := LoadPrompts(DefaultDomain, "")
	if err != nil {
		panic(err) // cannot fail: the file is embedded
	}
	return p
}()

// about returns the text of the domain and the notes for the pair of languages, each ending in a line break.
func (p *Prompts) about(from, to string) (domain, style string) {
	var b strings.Builder
	if err := p.domain.Execute(&b, languagePair{From: languageName(from), To: languageName(to)}); err != nil {
		return "", "" // cannot fail: LoadPrompts has executed the template
	}
	notes, err := p.read("style." + base(from) + "-" + base(to) + ".txt")
	if err != nil {
		notes = ""
	}
	return strings.TrimSpace(b.String()) + "\n", notes
}

// base is the first part of a tag, safe for a file name.
func base(tag string) string {
	first, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, first)
}

func (p *Prompts) read(name string) (string, error) {
	if p.dir != "" {
		text, err := readBounded(os.DirFS(filepath.Clean(p.dir)), name)
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return readBounded(embedded, "prompts/"+name)
}

func readBounded(from fs.FS, name string) (string, error) {
	file, err := from.Open(name)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(file, maxPromptBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	if len(b) > maxPromptBytes {
		return "", errors.New("the file is too long for a prompt")
	}
	text := strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), ""))
	return strings.TrimSpace(text) + "\n", nil
}
