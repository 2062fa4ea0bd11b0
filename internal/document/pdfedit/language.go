package pdfedit

import (
	"golang.org/x/text/language"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/source"
)

// rightToLeft are the scripts that run from right to left.
var rightToLeft = map[string]bool{"Arab": true, "Hebr": true, "Thaa": true, "Syrc": true, "Nkoo": true}

// setLanguage makes the language of a file that of the translation.
func setLanguage(file *source.File, tag string) {
	if tag == "" {
		return
	}
	file.Catalog["Lang"] = types.StringLiteral(tag)
	parsed, err := language.Parse(tag)
	if err != nil {
		return
	}
	if script, _ := parsed.Script(); !rightToLeft[script.String()] {
		return
	}
	preferences := file.Dict(file.Catalog["ViewerPreferences"])
	if preferences == nil {
		preferences = types.Dict{}
		file.Catalog["ViewerPreferences"] = preferences
	}
	preferences["Direction"] = types.Name("R2L")
}

// setElementLanguage changes the language of a structure element, if it has one and if its page is translated. Elements without a page
// are around others.
func setElementLanguage(dict types.Dict, tag string, translated map[int]bool) {
	if dict["S"] == nil || dict["P"] == nil || dict["Lang"] == nil || tag == "" {
		return
	}
	if page, ok := dict["Pg"].(types.IndirectRef); ok && !translated[page.ObjectNumber.Value()] {
		return
	}
	dict["Lang"] = types.StringLiteral(tag)
}
