package pdfedit

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/source"
)

// cleaner removes what a rewritten file cannot keep, and what runs programs.
type cleaner struct {
	file        *source.File
	keepScripts bool
}

// catalog cleans the entries of the catalog. Rights and signatures cover the bytes of a file, and these are others now.
func (c *cleaner) catalog(catalog types.Dict) {
	delete(catalog, "Perms")
	delete(catalog, "DSS")
	if form := c.file.Dict(catalog["AcroForm"]); form != nil {
		delete(form, "SigFlags")
		if !c.keepScripts {
			delete(form, "XFA")
		}
	}
	if c.keepScripts {
		return
	}
	delete(catalog, "NeedsRendering")
	if names := c.file.Dict(catalog["Names"]); names != nil {
		delete(names, "JavaScript")
	}
}

// dict cleans any dictionary: the value of a signature goes and its appearance stays, and actions that run programs go.
func (c *cleaner) dict(dict types.Dict) {
	if c.file.Name(dict["FT"]) == "Sig" {
		delete(dict, "V")
	}
	if c.keepScripts {
		return
	}
	for _, key := range []string{"A", "PA", "OpenAction", "Next"} {
		if value, ok := dict[key]; ok {
			dict[key] = c.action(value)
			if dict[key] == nil {
				delete(dict, key)
			}
		}
	}
	for trigger, action := range c.file.Dict(dict["AA"]) {
		if c.action(action) == nil {
			delete(c.file.Dict(dict["AA"]), trigger)
		}
	}
	if c.file.Name(dict["S"]) == "Rendition" {
		delete(dict, "JS")
	}
}

// action returns an action, or a list of actions, without those that run programs: nil if nothing is left.
func (c *cleaner) action(value types.Object) types.Object {
	if list := c.file.Array(value); list != nil {
		if !c.actions(list) {
			return value // a destination
		}
		var kept types.Array
		for _, action := range list {
			if action = c.action(action); action != nil {
				kept = append(kept, action)
			}
		}
		if kept == nil {
			return nil
		}
		return kept
	}
	switch c.file.Name(c.file.Dict(value)["S"]) {
	case "JavaScript", "Launch":
		return nil
	default:
		return value
	}
}

// actions reports whether a list consists of actions: /OpenAction may also be a destination, which begins with a page.
func (c *cleaner) actions(list types.Array) bool {
	for _, element := range list {
		if dict := c.file.Dict(element); dict == nil || dict["S"] == nil {
			return false
		}
	}
	return len(list) > 0
}
