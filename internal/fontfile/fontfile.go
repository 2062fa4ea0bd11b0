// Package fontfile reads font files for the shaper of go-text, which sets the translations of comics and of documents.
//
// A font that is read here is shaped as HarfBuzz shapes it, in spite of a bug of the shaper: see listCoverage.
package fontfile

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/go-text/typesetting/font"

	"plait/internal/core"
)

// Read reads a TrueType or OpenType font. It fails with CodeModelMissing, naming the file, if it cannot be read or is no such font.
func Read(path string) (*font.Font, error) {
	name := filepath.Base(path)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "font "+name+" cannot be read")
	}
	face, err := font.ParseTTF(bytes.NewReader(b))
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "font "+name+" is not a TrueType or OpenType font")
	}
	listCoverage(face.Font)
	return face.Font, nil
}
