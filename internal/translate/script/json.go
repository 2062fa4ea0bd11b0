package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"plait/internal/core"
	"plait/internal/translate/table"
)

// maxValues bounds the values of a script in JSON. In the shortest region that a script may have there is one for every fourteen bytes.
const maxValues = MaxBytes / 14

// regionForm is Region with a translation that distinguishes a missing one from an empty one.
type regionForm struct {
	Region      *int    `json:"region"`
	Source      string  `json:"source"`
	Translation *string `json:"translation"`
}

func parseJSON(b []byte) (*File, error) {
	var form struct {
		From  string `json:"from"`
		To    string `json:"to"`
		Pages []struct {
			Page    string       `json:"page"`
			Regions []regionForm `json:"regions"`
		} `json:"pages"`
	}
	if table.Values(b) > maxValues {
		return nil, core.NewError(core.CodeTooLarge, "the script has too many pages or regions")
	}
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&form); err != nil {
		return nil, jsonError(b, decoder.InputOffset(), err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, invalid("line %d: there is something behind the end of the script", lineAt(b, decoder.InputOffset()))
	}
	if form.Pages == nil {
		return nil, invalid("pages is missing")
	}
	if len(form.Pages) > MaxPages {
		return nil, invalid("the script has more than %d pages", MaxPages)
	}
	f := &File{From: form.From, To: form.To, Pages: []Page{}}
	seen := map[string]bool{}
	for i, p := range form.Pages {
		where := fmt.Sprintf("pages[%d]", i)
		if err := checkPageName(where, p.Page); err != nil {
			return nil, err
		}
		if seen[p.Page] {
			return nil, invalid("%s: page %q is there twice", where, p.Page)
		}
		seen[p.Page] = true
		regions, err := pageRegions(where, p.Regions)
		if err != nil {
			return nil, err
		}
		f.Pages = append(f.Pages, Page{Page: p.Page, Regions: regions})
	}
	return f, nil
}

func pageRegions(where string, forms []regionForm) ([]Region, error) {
	if len(forms) > MaxPageRegions {
		return nil, invalid("%s has more than %d regions", where, MaxPageRegions)
	}
	regions := make([]Region, 0, len(forms))
	seen := map[int]bool{}
	for i, form := range forms {
		place := fmt.Sprintf("%s.regions[%d]", where, i)
		if form.Translation == nil {
			return nil, invalid("%s: translation is missing; an empty one leaves the region as it is drawn", place)
		}
		r := Region{Region: form.Region, Source: lineEnds(form.Source), Translation: lineEnds(*form.Translation)}
		if err := checkRegion(place, r); err != nil {
			return nil, err
		}
		if r.Region != nil {
			if seen[*r.Region] {
				return nil, invalid("%s: region %d is there twice", place, *r.Region)
			}
			seen[*r.Region] = true
		}
		regions = append(regions, r)
	}
	return regions, nil
}

// jsonError names the line, and the field if the error has one.
func jsonError(b []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return invalid("line %d: not valid JSON", lineAt(b, syntax.Offset))
	case errors.As(err, &wrongType):
		return invalid("line %d: %s is a %s, which does not belong there", lineAt(b, wrongType.Offset), wrongType.Field, wrongType.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalid("line %d: the script ends too early", lineAt(b, int64(len(b))))
	}
	if field, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return invalid("line %d: the field %.80s is not known", lineAt(b, offset), field)
	}
	return invalid("line %d: not valid JSON", lineAt(b, offset))
}

func lineAt(b []byte, offset int64) int {
	return 1 + bytes.Count(b[:min(max(offset, 0), int64(len(b)))], []byte("\n"))
}

// WriteJSON writes f with one field per line, for people to edit.
func WriteJSON(w io.Writer, f *File) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(f.normalized()); err != nil {
		return fmt.Errorf("write a script: %w", err)
	}
	return nil
}

// normalized returns f with line ends as Parse produces them, and empty lists instead of nil.
func (f *File) normalized() *File {
	n := &File{From: f.From, To: f.To, Pages: []Page{}}
	for _, p := range f.Pages {
		page := Page{Page: p.Page, Regions: []Region{}}
		for _, r := range p.Regions {
			page.Regions = append(page.Regions, Region{Region: r.Region, Source: lineEnds(r.Source), Translation: lineEnds(r.Translation)})
		}
		n.Pages = append(n.Pages, page)
	}
	return n
}

var lineEndReplacer = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func lineEnds(text string) string { return lineEndReplacer.Replace(text) }
