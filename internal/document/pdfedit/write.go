package pdfedit

import (
	"context"
	"io"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdfedit/output"
	"plait/internal/document/pdfedit/source"
)

// Output is what a file shows of each page.
type Output string

// The outputs. Both dual ones show the original first: on the page before, or on the left.
const (
	Mono        Output = "mono"
	Alternating Output = "alternating"
	SideBySide  Output = "side_by_side"
)

// Options say what is written.
type Options struct {
	// Password opens an encrypted source: that of the user or of the owner.
	Password string
	Output   Output
	// Language is the BCP 47 tag of the translation; empty leaves the languages of the file.
	Language string
	// Pages are the pages that the file keeps, from 0 and in order; nil keeps all. References to others lead nowhere.
	Pages []int
	// Faces returns the file of a face that texts name.
	Faces func(name string) ([]byte, error)
	// Titles translates a title of the outline; nil leaves the titles.
	Titles func(title string) string
	// KeepScripts keeps JavaScript, launch actions and XFA forms.
	KeepScripts bool
}

// Edits returns a page as it was read, and its edit. A nil edit leaves the page as it is; in a dual file it appears once then.
// It is called once for each page of the file, in order.
type Edits func(ctx context.Context, page int) (document.Page, *document.Edit, error)

// Write writes the translation of a source. It holds the objects of the source in memory, and one page of new content. Errors of the source
// are INVALID_DOCUMENT and PASSWORD_REQUIRED; those of edits, faces and of the writer are returned as they are.
func Write(ctx context.Context, r io.ReadSeeker, edits Edits, options Options, w io.Writer) error {
	file, err := source.Open(ctx, r, options.Password)
	if err != nil {
		return err
	}
	version := max(file.Version, "1.7") // object streams and everything that is written here is older
	out := output.New(w, version, file.Next)
	d := &writer{
		file: file, out: out, options: options, faces: newFaces(options.Faces, out),
		cleaner: cleaner{file: file, keepScripts: options.KeepScripts}, translated: map[int]bool{}, twins: map[int]int{},
	}
	d.graph = graph{file: file, out: out, clean: d.clean, queued: map[int]bool{}}
	if err := d.pages(ctx, edits); err != nil {
		return err
	}
	return d.finish(ctx)
}

// Decrypt writes an encrypted file without its encryption, and keeps all else but signatures. It fails as [Write] does.
func Decrypt(ctx context.Context, r io.ReadSeeker, password string, w io.Writer) error {
	leave := func(context.Context, int) (document.Page, *document.Edit, error) { return document.Page{}, nil, nil }
	return Write(ctx, r, leave, Options{Password: password, Output: Mono, KeepScripts: true}, w)
}

// writer writes one file.
type writer struct {
	file    *source.File
	out     *output.File
	options Options
	faces   *faces
	cleaner cleaner
	graph   graph
	// kids are the pages that are written, and labels the index in the source of each.
	kids   types.Array
	labels []int
	// translated are the pages, by object, that have an edit.
	translated map[int]bool
	// twins are the translated pages of an alternating file by the number of the original, and annotations those of these pages. They are
	// written when all twins are known.
	twins       map[int]int
	annotations []annotation
}

func (d *writer) clean(dict types.Dict) {
	d.cleaner.dict(dict)
	if d.options.Output == Mono {
		setElementLanguage(dict, d.options.Language, d.translated)
	}
}

// pages edits and writes the pages that the file keeps, one after the other.
func (d *writer) pages(ctx context.Context, edits Edits) error {
	kept := map[int]bool{}
	for _, index := range d.options.Pages {
		kept[index] = true
	}
	for index, page := range d.file.Pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.options.Pages != nil && !kept[index] {
			d.file.Set(page.Number, nil)
			continue
		}
		d.keep(page.Number, index)
		content, edit, err := edits(ctx, index)
		if err != nil {
			return err
		}
		if edit == nil {
			continue
		}
		if err := d.translate(page, content, edit, index); err != nil {
			return err
		}
	}
	return nil
}

func (d *writer) keep(number, index int) {
	d.kids = append(d.kids, ref(number))
	d.labels = append(d.labels, index)
}

// translate writes the translation of a page in the form of the output.
func (d *writer) translate(page *source.Page, content document.Page, edit *document.Edit, index int) error {
	translation, err := d.rewrite(page, &content, edit)
	if err != nil {
		return err
	}
	switch d.options.Output {
	case Alternating:
		return d.twin(page, edit, translation, index)
	case SideBySide:
		return d.beside(page, edit, translation)
	case Mono:
	}
	d.translated[page.Number] = true
	number := d.out.Reserve()
	page.Dict["Contents"] = ref(number)
	page.Dict["Resources"] = translation.resources
	dropReplacements(d.file, page.Dict, translation.marks)
	if err := moveLinks(d.file, page.Dict, edit, d.faces); err != nil {
		return err
	}
	return d.out.Flate(number, nil, translation.content)
}

// finish writes the objects that all pages share.
func (d *writer) finish(ctx context.Context) error {
	if err := d.finishTwins(); err != nil {
		return err
	}
	catalog := d.file.Catalog
	d.cleaner.catalog(catalog)
	if d.options.Output == Mono {
		setLanguage(d.file, d.options.Language)
	}
	d.setLabels()
	if d.options.Titles != nil {
		setTitles(d.file, d.options.Titles)
	}
	root, _ := catalog["Pages"].(types.IndirectRef) // the page tree was found behind it
	d.file.Set(root.ObjectNumber.Value(), types.Dict{"Type": types.Name("Pages"), "Kids": d.kids, "Count": types.Integer(len(d.kids))})
	for _, kid := range d.kids {
		if page, ok := kid.(types.IndirectRef); ok {
			if dict := d.file.Dict(page); dict != nil {
				dict["Parent"] = root
			}
		}
	}
	for _, number := range []int{d.file.Root, d.file.Info} {
		if err := d.graph.copyFrom(ctx, number); err != nil {
			return err
		}
	}
	if err := d.faces.write(); err != nil {
		return err
	}
	return d.out.Close(d.file.Root, d.file.Info)
}

func ref(number int) types.IndirectRef { return *types.NewIndirectRef(number, 0) }
