package content

import (
	"fmt"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/core"
	"plait/internal/document"
)

// OpenedPage is a page with its dictionary.
type OpenedPage struct {
	Page
	Dict types.Dict
	Ref  *types.IndirectRef
	// Media is the media box, and Rotate the rotation in degrees clockwise: 0, 90, 180 or 270.
	Media  document.Box
	Rotate int
}

// maxContent bounds the decoded content of one page.
const maxContent = 64 << 20

// OpenPage reads the page at index, from 0. It fails with CodeInvalidDocument.
func OpenPage(objects *model.XRefTable, index int) (OpenedPage, error) {
	dict, ref, inherited, err := objects.PageDict(index+1, false)
	if err != nil {
		return OpenedPage{}, core.Wrap(core.CodeInvalidDocument, err, fmt.Sprintf("page %d cannot be read", index+1))
	}
	p := OpenedPage{Page: Page{Objects: objects, Resources: inherited.Resources}, Dict: dict, Ref: ref}
	l := loader{objects: objects, fonts: map[string]*Font{}}
	if own := l.dict(dict, "Resources"); own != nil {
		p.Resources = own
	}
	p.Media, p.Crop = boxes(inherited)
	if r := ((inherited.Rotate % 360) + 360) % 360; r%90 == 0 {
		p.Rotate = r
	}
	p.Content, err = l.content(dict)
	if err != nil {
		return OpenedPage{}, core.Wrap(core.CodeInvalidDocument, err, fmt.Sprintf("the content of page %d cannot be read", index+1))
	}
	return p, nil
}

// boxes are the media box and the crop box within it. A page without a media box has that of a letter (as viewers assume).
func boxes(a *model.InheritedPageAttrs) (media, crop document.Box) {
	media = document.Box{X1: 612, Y1: 792}
	if a.MediaBox != nil {
		media = boxOfRectangle(a.MediaBox)
	}
	crop = media
	if a.CropBox != nil {
		if c := intersect(boxOfRectangle(a.CropBox), media); c.X1 > c.X0 && c.Y1 > c.Y0 {
			crop = c
		}
	}
	return media, crop
}

func boxOfRectangle(r *types.Rectangle) document.Box {
	return document.Box{
		X0: min(r.LL.X, r.UR.X), Y0: min(r.LL.Y, r.UR.Y), X1: max(r.LL.X, r.UR.X), Y1: max(r.LL.Y, r.UR.Y),
	}
}

// content joins the streams of a page: operators do not run over from one to the next, but a stream may end without a line break.
func (l *loader) content(page types.Dict) ([]byte, error) {
	o, found := page.Find("Contents")
	if !found {
		return nil, nil
	}
	o, err := l.objects.Dereference(o)
	if err != nil || o == nil {
		return nil, err
	}
	parts, ok := o.(types.Array)
	if !ok {
		parts = types.Array{o}
	}
	var joined []byte
	for _, part := range parts {
		joined = append(append(joined, l.stream(part)...), '\n')
		if len(joined) > maxContent {
			return nil, core.NewError(core.CodeTooLarge, "the content of the page is too large")
		}
	}
	return joined, nil
}
