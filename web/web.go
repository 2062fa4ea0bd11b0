// Package web contains the page of Plait in the browser. Its source is TypeScript and Svelte below src; `make build` bundles it into dist,
// which this package embeds. Without that, such as in a fresh checkout, [Files] has no index.html, and everything else works.
//
// The page talks to nothing but the API of its own origin, with the cookie of a session. src/api/schema.d.ts has the types of openapi.yaml.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files returns index.html and the folder assets. The names of assets contain a hash of their content, and those that end in .gz are
// compressed.
func Files() fs.ReadDirFS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is valid
	}
	return files.(fs.ReadDirFS)
}
