package onnx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"plait/internal/core"
)

// Kind is what a model does, which fixes the contract that its files keep.
type Kind string

// The kinds of models.
const (
	KindDetector   Kind = "detector"   // PP-OCR detection: lines of text on a page
	KindRecognizer Kind = "recognizer" // PP-OCR recognition: what a line says
	KindBubbles    Kind = "bubbles"    // RT-DETRv2: bubbles and the text in and outside of them
	KindMangaOCR   Kind = "manga-ocr"  // encoder and decoder: what a Japanese line says
	KindClassifier Kind = "classifier" // PP-OCR angle classification: whether a line stands upside down
	KindInpainter  Kind = "inpainter"  // what lies behind a hole in art
)

// Contracts of inpainters.
const (
	ContractLaMa  = "lama"
	ContractAOT   = "aot"
	ContractMIGAN = "migan"
)

// Roles of the files of an entry.
const (
	RoleModel      = "model"
	RoleEncoder    = "encoder"
	RoleDecoder    = "decoder"
	RoleVocabulary = "vocabulary"
)

// contracts are the contracts of inpainters.
var contracts = []string{ContractLaMa, ContractAOT, ContractMIGAN}

var rolesOf = map[Kind][]string{
	KindDetector:   {RoleModel},
	KindRecognizer: {RoleModel},
	KindBubbles:    {RoleModel},
	KindMangaOCR:   {RoleDecoder, RoleEncoder, RoleVocabulary},
	KindClassifier: {RoleModel},
	KindInpainter:  {RoleModel},
}

// Entry is one model of a manifest.
type Entry struct {
	// Name is how messages call the model; no two of a manifest share one.
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Files are the files by their roles: "model", or "encoder", "decoder" and "vocabulary" of manga-ocr.
	Files map[string]File `json:"files"`
	// License is the SPDX identifier of the license of the weights, Source where they come from.
	License string `json:"license"`
	Source  string `json:"source"`
	// Scripts are the scripts that a recognizer is for, by their Unicode names, such as Hangul or Cyrillic. A recognizer
	// without any takes the place of the base one.
	Scripts []string `json:"scripts,omitempty"`
	// Contract is what the file of an inpainter takes and gives: lama, aot or migan.
	Contract string `json:"contract,omitempty"`
	// Ports are the names of inputs and outputs in the files, by the names of the contract, where the two differ.
	Ports map[string]string `json:"ports,omitempty"`
}

// File is a file of an entry.
type File struct {
	// Path is absolute once the manifest is read; in the text it may be relative to the manifest's folder.
	Path string `json:"path"`
	// SHA256 is 64 lower-case hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// maxManifestBytes bounds a manifest: some 2,000 entries.
const maxManifestBytes = 1 << 20

// ReadManifest reads the manifest at path: a JSON object whose field "models" lists entries. It fails with
// CodeModelMissing when the file is absent, and with CodeInvalidInput, naming the entry and the field, when it holds
// what no manifest may. The files of the entries are not touched.
func ReadManifest(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the model manifest cannot be read")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxManifestBytes+1))
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the model manifest cannot be read")
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	entries, err := ParseManifest(b, dir)
	if err != nil {
		return nil, core.Wrap(core.CodeInvalidInput, err, fmt.Sprintf("the model manifest %s cannot be used: %v", path, err))
	}
	return entries, nil
}

// ParseManifest reads the text of a manifest whose relative paths begin in dir.
func ParseManifest(b []byte, dir string) ([]Entry, error) {
	if len(b) > maxManifestBytes {
		return nil, fmt.Errorf("it is longer than %d bytes", maxManifestBytes)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var m struct {
		Models []Entry `json:"models"`
	}
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows its end")
	}
	names := map[string]bool{}
	for i, e := range m.Models {
		if e.Name == "" {
			return nil, fmt.Errorf("model %d has no name", i+1)
		}
		if names[e.Name] {
			return nil, fmt.Errorf("two models are called %q", e.Name)
		}
		names[e.Name] = true
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("model %q: %w", e.Name, err)
		}
		for role, f := range e.Files {
			if !filepath.IsAbs(f.Path) {
				f.Path = filepath.Join(dir, filepath.FromSlash(f.Path))
				e.Files[role] = f
			}
		}
	}
	return m.Models, nil
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (e Entry) check() error {
	roles, known := rolesOf[e.Kind]
	switch {
	case !known:
		return fmt.Errorf("kind %q is not known; known are %s", e.Kind, join(slices.Sorted(maps.Keys(rolesOf))))
	case e.License == "":
		return errors.New("license is missing")
	case e.Source == "":
		return errors.New("source is missing")
	case e.Kind == KindInpainter && !slices.Contains(contracts, e.Contract):
		return fmt.Errorf("contract of an inpainter is one of %s, not %q", join(contracts), e.Contract)
	case e.Kind != KindInpainter && e.Contract != "":
		return fmt.Errorf("contract is of inpainters, not of kind %q", e.Kind)
	case len(e.Scripts) > 0 && e.Kind != KindRecognizer:
		return fmt.Errorf("scripts are of recognizers, not of kind %q", e.Kind)
	}
	if have := slices.Sorted(maps.Keys(e.Files)); !slices.Equal(have, roles) {
		return fmt.Errorf("files has %q; kind %q takes %s", have, e.Kind, join(roles))
	}
	for _, role := range roles {
		if f := e.Files[role]; f.Path == "" || !digest.MatchString(f.SHA256) {
			return fmt.Errorf("files.%s needs a path, and a sha256 of 64 lower-case hexadecimal digits", role)
		}
	}
	for _, s := range e.Scripts {
		if unicode.Scripts[s] == nil {
			return fmt.Errorf("script %q is not known; scripts have their Unicode names, such as Hangul, Cyrillic, Thai", s)
		}
	}
	return nil
}

func join[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}

// Model is the entry of the file of that role under a contract, with the names of the ports as the file has them.
func (e Entry) Model(role string, contract func(name, path, sha256 string) Model) Model {
	m := contract(e.fileName(role), e.Files[role].Path, e.Files[role].SHA256)
	for _, ports := range [][]Port{m.Inputs, m.Outputs} {
		for i, p := range ports {
			if name, renamed := e.Ports[p.Name]; renamed {
				ports[i].Name = name
			}
		}
	}
	return m
}

// CheckPorts fails with CodeInvalidInput when the entry renames a port that none of its contracts has.
func (e Entry) CheckPorts(contracts ...func(name, path, sha256 string) Model) error {
	var known []string
	for _, contract := range contracts {
		m := contract(e.Name, "", "")
		known = append(known, portNames(append(m.Inputs, m.Outputs...))...)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Ports)) {
		if !slices.Contains(known, name) {
			return core.Errorf(core.CodeInvalidInput, "model %q renames the port %q; its contract has %s", e.Name, name, join(known))
		}
	}
	return nil
}

// ReadFile is the content of the file of that role once its digest is that of the manifest.
func (e Entry) ReadFile(role string) ([]byte, error) {
	return Model{Name: e.fileName(role), Path: e.Files[role].Path, SHA256: e.Files[role].SHA256}.read()
}

func (e Entry) fileName(role string) string {
	if role == RoleModel {
		return e.Name
	}
	return e.Name + " " + role
}
