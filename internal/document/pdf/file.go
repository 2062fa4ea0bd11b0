package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/pdf/content"
)

// Options are the options of a file.
type Options struct {
	// Password opens an encrypted file; empty for one that needs none.
	Password string
}

// File is an open PDF file with an instance of PDFium. It is not safe for concurrent use.
type File struct {
	engine   *Engine
	source   io.ReaderAt
	size     int64
	password string

	// instance is nil while the file has none.
	instance *instance
	document references.FPDF_DOCUMENT
	pages    int
	// objects is nil until the content of a page is read.
	objects *model.Context
	// bookmarks are those of the file, once it is outlined.
	bookmarks []document.Bookmark
	outlined  bool
}

// Open opens a file. It fails with INVALID_DOCUMENT for anything that is not a PDF or is too damaged to be opened, and with PASSWORD_REQUIRED.
// The source is read until Close.
func (e *Engine) Open(ctx context.Context, source io.ReaderAt, size int64, o Options) (*File, error) {
	f := &File{engine: e, source: source, size: size, password: o.Password}
	if err := f.checkHeader(); err != nil {
		return nil, err
	}
	if err := f.open(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// headerWithin is the length of the beginning of a file that must contain its header (PDF 1.7, appendix H.3, implementation note 13).
const headerWithin = 1024

// checkHeader refuses what is no PDF before PDFium is started for it.
func (f *File) checkHeader() error {
	head := make([]byte, min(headerWithin, f.size))
	if _, err := f.source.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return core.Wrap(core.CodeInvalidDocument, err, "the file cannot be read")
	}
	if !bytes.Contains(head, []byte("%PDF-")) {
		return core.NewError(core.CodeInvalidDocument, "the file is not a PDF")
	}
	return nil
}

// open gives the file an instance, after the last one was lost or closed too.
func (f *File) open(ctx context.Context) (err error) {
	if f.instance != nil {
		return nil
	}
	if f.instance, err = f.engine.instance(ctx); err != nil {
		return err
	}
	err = f.instance.call(ctx, func(i pdfium.Pdfium) error {
		loaded, err := i.FPDF_LoadCustomDocument(&requests.FPDF_LoadCustomDocument{
			Reader: io.NewSectionReader(f.source, 0, f.size), Size: f.size, Password: &f.password,
		})
		if err != nil {
			return err
		}
		f.document = loaded.Document
		count, err := i.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: f.document})
		if err == nil {
			f.pages = count.PageCount
		}
		return err
	})
	if err != nil {
		f.lose()
		return openError(ctx, err)
	}
	if f.pages < 1 {
		f.lose()
		return core.NewError(core.CodeInvalidDocument, "the PDF has no pages")
	}
	return nil
}

// lose throws the instance away.
func (f *File) lose() {
	f.instance.lose()
	f.instance = nil
}

func openError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return core.Wrap(core.CodePassword, err, "the PDF is encrypted: it needs its password")
	default:
		return core.Wrap(core.CodeInvalidDocument, err, "the file is not a PDF, or is too damaged to be opened")
	}
}

// Close ends the instance. The source is not used afterwards.
func (f *File) Close() error {
	if f.instance == nil {
		return nil
	}
	i := f.instance
	f.instance = nil
	return i.close()
}

// Pages is the number of pages.
func (f *File) Pages() int { return f.pages }

// with calls work with the instance. The instance is thrown away when the call fails in PDFium: it may be damaged.
func (f *File) with(ctx context.Context, page int, work func(pdfium.Pdfium) error) error {
	if page < 0 || page >= f.pages {
		return core.Errorf(core.CodeInvalidInput, "page %d is beyond the %d pages of the document", page+1, f.pages)
	}
	if err := f.open(ctx); err != nil {
		return err
	}
	err := f.instance.call(ctx, work)
	if err == nil {
		return f.renew()
	}
	f.lose()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return core.Wrap(core.CodeInvalidDocument, err, fmt.Sprintf("page %d cannot be read", page+1))
}

// renew closes an instance whose memory has grown: the next call gets a new one.
func (f *File) renew() error {
	if f.instance.memory.used.Load() < renewAt {
		return nil
	}
	return f.Close()
}

const (
	// maxSide bounds the size of a page in points: 200 inches, the limit of PDF 1.6 without a user unit.
	maxSide = 14400
	// maxPixels bounds a rendered page.
	maxPixels = 20_000_000
)

// Size returns the size of a page in points, as a viewer shows it. It fails with TOO_LARGE for a page of more than 200 inches.
func (f *File) Size(ctx context.Context, page int) (width, height float64, err error) {
	err = f.with(ctx, page, func(i pdfium.Pdfium) error {
		size, err := i.FPDF_GetPageSizeByIndex(&requests.FPDF_GetPageSizeByIndex{Document: f.document, Index: page})
		if err == nil {
			width, height = size.Width, size.Height
		}
		return err
	})
	if err == nil && (width > maxSide || height > maxSide) {
		err = core.Errorf(core.CodeTooLarge, "page %d is larger than 200 inches", page+1)
	}
	if err == nil && (width < 1 || height < 1) {
		err = core.Errorf(core.CodeInvalidDocument, "page %d has no size", page+1)
	}
	return width, height, err
}

// Render draws a page as a viewer shows it, with annotations, at a resolution in dots per inch. A page that would have more than 20 million
// pixels is drawn smaller; scale is the number of pixels per point.
func (f *File) Render(ctx context.Context, page int, dpi float64) (picture *image.RGBA, scale float64, err error) {
	width, height, err := f.Size(ctx, page)
	if err != nil {
		return nil, 0, err
	}
	scale = dpi / 72
	if pixels := width * height * scale * scale; pixels > maxPixels {
		scale *= math.Sqrt(maxPixels / pixels)
	}
	w, h := max(int(width*scale+0.5), 1), max(int(height*scale+0.5), 1)
	err = f.with(ctx, page, func(i pdfium.Pdfium) error {
		drawn, err := i.RenderPageInPixels(&requests.RenderPageInPixels{
			Page:  requests.Page{ByIndex: &requests.PageByIndex{Document: f.document, Index: page}},
			Width: w, Height: h,
		})
		if err != nil {
			return err
		}
		defer drawn.Cleanup()
		picture, err = copied(drawn.Result.RenderedImage)
		return err
	})
	return picture, scale, err
}

// Text returns the text of a page as a reader copies it. A hyphen at the end of a line is a soft one.
func (f *File) Text(ctx context.Context, page int) (text string, err error) {
	err = f.with(ctx, page, func(i pdfium.Pdfium) error {
		got, err := i.GetPageText(&requests.GetPageText{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: f.document, Index: page}}})
		if err == nil {
			text = strings.ReplaceAll(got.Text, string(rune(lineEndHyphen)), "\u00ad")
		}
		return err
	})
	return text, err
}

// copied copies a picture out of the memory of an instance.
func copied(drawn image.Image) (*image.RGBA, error) {
	from, ok := drawn.(*image.RGBA)
	if !ok {
		return nil, fmt.Errorf("PDFium drew a %T", drawn)
	}
	to := image.NewRGBA(from.Rect)
	copy(to.Pix, from.Pix)
	return to, nil
}

// Objects returns the objects of the file, which the caller must not change.
func (f *File) Objects(ctx context.Context) (*model.XRefTable, error) {
	if f.objects != nil {
		return f.objects.XRefTable, nil
	}
	objects, err := readObjects(ctx, io.NewSectionReader(f.source, 0, f.size), f.password)
	if err != nil {
		return nil, err
	}
	f.objects = objects
	return objects.XRefTable, nil
}

// maxObjects bounds the decoded bytes of a stream that holds objects, against files that unpack to more than memory holds.
const maxObjects = 64 << 20

// readObjects reads the objects of a file. It fails as [Engine.Open] does.
func readObjects(ctx context.Context, file io.ReadSeeker, password string) (objects *model.Context, err error) {
	defer recovered(&err)
	api.DisableConfigDir()
	settings := model.NewDefaultConfiguration()
	settings.ValidationMode = model.ValidationRelaxed
	settings.UserPW, settings.OwnerPW = password, password
	settings.Offline = true
	settings.Limits.MaxDecodeBytes = maxObjects
	objects, err = pdfcpu.ReadWithContext(ctx, file, settings)
	if err == nil {
		err = objects.EnsurePageCount()
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, core.Wrap(core.CodePassword, err, "the PDF is encrypted: it needs its password")
	case err != nil:
		return nil, core.Wrap(core.CodeInvalidDocument, err, "the objects of the PDF cannot be read")
	}
	return objects, nil
}

// recovered turns a panic of the object model into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = core.Wrap(core.CodeInvalidDocument, fmt.Errorf("panic: %v", p), "the objects of the PDF cannot be read")
	}
}

// Content reads the content of a page. It fails with INVALID_DOCUMENT.
func (f *File) Content(ctx context.Context, page int) (p document.Page, err error) {
	if _, _, err := f.Size(ctx, page); err != nil {
		return p, err
	}
	objects, err := f.Objects(ctx)
	if err != nil {
		return p, err
	}
	var characters []character
	err = f.with(ctx, page, func(i pdfium.Pdfium) (err error) {
		characters, err = readCharacters(i, f.document, page)
		return err
	})
	if err != nil {
		return p, err
	}
	defer recovered(&err)
	opened, err := content.OpenPage(objects, page)
	if err != nil {
		return p, err
	}
	return collect(ctx, page, opened, characters)
}
