package assets

import (
	"encoding/json"
	"fmt"
	"runtime"

	lock "plait/assets"
)

// Names of the files that code asks for by name. Fonts are found through [Set.Fonts].
const (
	OnnxRuntime    = "onnxruntime"
	DetectModel    = "ppocrv6-det-small"
	RecognizeModel = "ppocrv6-rec-small"
	Postgres       = "postgres"
	Initdb         = "initdb"
	Temporal       = "temporal"
	Tokenizer      = "tokenizer-qwen3" //nolint:gosec // the name of a file, no secret
)

// Kind groups the files by use.
type Kind string

// The kinds of the manifest.
const (
	KindOnnxRuntime Kind = "onnx-runtime"
	KindModel       Kind = "model"
	KindFont        Kind = "font"
	KindPostgres    Kind = "postgres"
	KindTemporal    Kind = "temporal"
)

// Manifest is the content of assets/manifest.json.
type Manifest struct {
	Packages []Package `json:"packages"`
	Files    []File    `json:"files"`
	Trees    []Tree    `json:"trees"`
}

// Package is where files come from: a pinned package of a registry, and the license it comes under.
type Package struct {
	Name         string   `json:"name"`
	Source       string   `json:"source"` // npm or pypi
	Version      string   `json:"version"`
	License      string   `json:"license"`      // SPDX identifier
	LicenseFiles []string `json:"licenseFiles"` // paths inside the package
	LicenseTexts []string `json:"licenseTexts"` // files of assets/licenses, for a package that carries no text
}

// File is one file that is used.
type File struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind"`
	Platform string `json:"platform"` // GOOS/GOARCH; empty: the same everywhere
	Package  string `json:"package"`
	Path     string `json:"path"`   // inside the package, slashes
	Target   string `json:"target"` // inside the asset folder, slashes
	SHA256   string `json:"sha256"` // lower-case hexadecimal
	// License is an SPDX expression: the file's own terms where they are not those of its package.
	License string `json:"license"`

	// Of fonts only.
	Family string `json:"family"`
	Weight int    `json:"weight"` // 400 regular, 500 medium, 700 bold
	Style  string `json:"style"`  // normal or italic
}

// Tree is a whole folder of a package, copied as it is. Its many files are covered by the integrity of the package's archive in
// the lock file; those that run are listed as files besides.
type Tree struct {
	Platform string `json:"platform"`
	Package  string `json:"package"`
	Path     string `json:"path"`     // inside the package
	Target   string `json:"target"`   // inside the asset folder
	Symlinks string `json:"symlinks"` // JSON list of {source, target} inside the package: links that its install script would make
}

// ReadManifest returns the embedded manifest, cut down to what platform (GOOS/GOARCH) needs.
func ReadManifest(platform string) (Manifest, error) {
	text, err := lock.Lock.ReadFile("manifest.json")
	if err != nil {
		return Manifest{}, err
	}
	var all Manifest
	if err := json.Unmarshal(text, &all); err != nil {
		return Manifest{}, fmt.Errorf("assets/manifest.json: %w", err)
	}
	return all.forPlatform(platform), nil
}

// Platform is the one this process runs on.
func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

func (m Manifest) forPlatform(platform string) Manifest {
	var cut Manifest
	used := map[string]bool{}
	for _, f := range m.Files {
		if f.Platform == "" || f.Platform == platform {
			cut.Files = append(cut.Files, f)
			used[f.Package] = true
		}
	}
	for _, t := range m.Trees {
		if t.Platform == platform {
			cut.Trees = append(cut.Trees, t)
			used[t.Package] = true
		}
	}
	for _, p := range m.Packages {
		if used[p.Name] {
			cut.Packages = append(cut.Packages, p)
		}
	}
	return cut
}
