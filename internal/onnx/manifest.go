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
	"unicode"

	"plait/internal/core"
)

// Kind says what a model does. It determines the contract of the model's files.
type Kind string

// The kinds of models.
const (
	KindDetector   Kind = "detector"   // PP-OCR detection: finds the text lines of a page
	KindRecognizer Kind = "recognizer" // PP-OCR recognition: reads a line
	KindBubbles    Kind = "bubbles"    // RT-DETRv2: finds bubbles, and the text inside and outside of them
	KindMangaOCR   Kind = "manga-ocr"  // encoder and decoder: reads a Japanese line
	KindInpainter  Kind = "inpainter"  // inpainting: fills a hole in art
	KindLayout     Kind = "layout"     // finds the regions of a page of a document
)

// Contracts of inpainters.
const (
	ContractLaMa  = "lama"
	ContractAOT   = "aot"
	ContractMIGAN = "migan"
)

// Contracts of layout models.
const (
	ContractPicoDet = "picodet"
	ContractYOLO    = "yolo"
)

// Roles of the files of an entry.
const (
	RoleModel      = "model"
	RoleEncoder    = "encoder"
	RoleDecoder    = "decoder"
	RoleVocabulary = "vocabulary"
)

// contracts are the contracts of the kinds that have several.
var contracts = map[Kind][]string{
	KindInpainter: {ContractLaMa, ContractAOT, ContractMIGAN},
	KindLayout:    {ContractPicoDet, ContractYOLO},
}

var rolesOf = map[Kind][]string{
	KindDetector:   {RoleModel},
	KindRecognizer: {RoleModel},
	KindBubbles:    {RoleModel},
	KindMangaOCR:   {RoleDecoder, RoleEncoder, RoleVocabulary},
	KindInpainter:  {RoleModel},
	KindLayout:     {RoleModel},
}

// Entry is one model of a manifest.
type Entry struct {
	// Name is the name of the model in messages. It is unique in a manifest.
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Files are the files by their roles: "encoder", "decoder" and "vocabulary" for manga-ocr, "model" for every other kind.
	Files map[string]File `json:"files"`
	// License is the SPDX identifier of the license of the weights. Source says where the weights come from.
	License string `json:"license"`
	Source  string `json:"source"`
	// Scripts are the Unicode names of the scripts that a recognizer reads, such as Hangul or Cyrillic. A recognizer without scripts
	// replaces the base recognizer.
	Scripts []string `json:"scripts,omitempty"`
	// Contract says which inputs a model expects and which outputs it returns: lama, aot or migan of an inpainter, picodet or yolo of a
	// layout model.
	Contract string `json:"contract,omitempty"`
	// Ports maps names of inputs and outputs in the contract to those in the files, where they differ.
	Ports map[string]string `json:"ports,omitempty"`
}

// File is a file of an entry.
type File struct {
	// Path is absolute in a manifest that was read. In its text it may be relative to the manifest's folder.
	Path string `json:"path"`
	// SHA256 is 64 lower-case hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// maxManifestBytes bounds the size of a manifest. It is enough for about 2,000 entries.
const maxManifestBytes = 1 << 20

// ReadManifest reads the manifest at path: a JSON object whose field "models" lists the entries. It does not open the files of the
// entries.
//
// Errors: CodeModelMissing when the file cannot be read; CodeInvalidInput, with the entry and the field, when the manifest is invalid.
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

// ParseManifest parses the text of a manifest whose relative paths are relative to dir.
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
		return nil, errors.New("there is text after its end")
	}
	names := map[string]bool{}
	for i, e := range m.Models {
		if e.Name == "" {
			return nil, fmt.Errorf("model %d has no name", i+1)
		}
		if names[e.Name] {
			return nil, fmt.Errorf("two models are named %q", e.Name)
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
		return fmt.Errorf("kind %q is not known; known are %s", e.Kind, core.Join(slices.Sorted(maps.Keys(rolesOf)), ", "))
	case e.License == "":
		return errors.New("license is missing")
	case e.Source == "":
		return errors.New("source is missing")
	case contracts[e.Kind] != nil && !slices.Contains(contracts[e.Kind], e.Contract):
		return fmt.Errorf("contract of kind %q is one of %s, not %q", e.Kind, core.Join(contracts[e.Kind], ", "), e.Contract)
	case contracts[e.Kind] == nil && e.Contract != "":
		return fmt.Errorf("contract is only for the kinds %s, not for kind %q", core.Join(slices.Sorted(maps.Keys(contracts)), ", "), e.Kind)
	case len(e.Scripts) > 0 && e.Kind != KindRecognizer:
		return fmt.Errorf("scripts are only for recognizers, not for kind %q", e.Kind)
	}
	if have := slices.Sorted(maps.Keys(e.Files)); !slices.Equal(have, roles) {
		return fmt.Errorf("files has %q; kind %q needs %s", have, e.Kind, core.Join(roles, ", "))
	}
	for _, role := range roles {
		if f := e.Files[role]; f.Path == "" || !digest.MatchString(f.SHA256) {
			return fmt.Errorf("files.%s needs a path, and a sha256 of 64 lower-case hexadecimal digits", role)
		}
	}
	for _, s := range e.Scripts {
		if unicode.Scripts[s] == nil {
			return fmt.Errorf("script %q is not known; use Unicode names of scripts, such as Hangul, Cyrillic, Thai", s)
		}
	}
	return nil
}

// Model returns the model in the file with this role. contract returns a model with the ports of the contract, which Model renames as
// in the file.
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
			return core.Errorf(core.CodeInvalidInput, "model %q renames the port %q; its contract has %s", e.Name, name, core.Join(known, ", "))
		}
	}
	return nil
}

// ReadFile returns the content of the file with this role, after a check of its SHA-256. It fails with CodeModelMissing.
func (e Entry) ReadFile(role string) ([]byte, error) {
	return Model{Name: e.fileName(role), Path: e.Files[role].Path, SHA256: e.Files[role].SHA256}.Read()
}

func (e Entry) fileName(role string) string {
	if role == RoleModel {
		return e.Name
	}
	return e.Name + " " + role
}
