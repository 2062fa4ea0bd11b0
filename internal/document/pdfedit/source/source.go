// Package source reads the objects of the PDF file that is edited.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/core"
)

// maxStream bounds the decoded bytes of one stream of content, against files that unpack to more than memory holds.
const maxStream = 64 << 20

// maxDepth bounds the depth of the page tree.
const maxDepth = 64

// File is a file with all its objects in memory; streams stay encoded. Strings and streams are decrypted.
type File struct {
	table *model.XRefTable
	// Catalog is the root of the objects. Info is the number of the document information, 0 if there is none.
	Catalog types.Dict
	Root    int
	Info    int
	// Version is that of the file, such as 1.7.
	Version string
	// Next is the first number that no object has.
	Next  int
	Pages []*Page
}

var disable = sync.OnceFunc(api.DisableConfigDir) // the library keeps its settings in the home directory otherwise

// Open reads the objects of a file. The password is that of the user or of the owner. Errors are INVALID_DOCUMENT and PASSWORD_REQUIRED.
func Open(ctx context.Context, r io.ReadSeeker, password string) (f *File, err error) {
	disable()
	defer func() {
		// The library reads what strangers send. A panic in it is an error of this file.
		if p := recover(); p != nil {
			err = core.Wrap(core.CodeInvalidDocument, fmt.Errorf("panic: %v\n%s", p, debug.Stack()), "the PDF file is damaged")
		}
	}()
	settings := model.NewDefaultConfiguration()
	settings.UserPW, settings.OwnerPW = password, password
	settings.Cmd = model.LISTINFO // needs no permission
	settings.Offline = true
	settings.Limits.MaxDecodeBytes = maxStream
	file, err := pdfcpu.ReadWithContext(ctx, r, settings)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, core.Wrap(core.CodePassword, err, "the PDF is encrypted: it needs its password")
	case err != nil:
		return nil, core.Wrap(core.CodeInvalidDocument, err, "the file is no PDF file, or it is damaged")
	}
	return newFile(file)
}

func newFile(file *model.Context) (*File, error) {
	catalog, err := file.Catalog()
	if err != nil || file.Root == nil {
		return nil, core.Wrap(core.CodeInvalidDocument, err, "the PDF file has no catalog")
	}
	f := &File{
		table: file.XRefTable, Catalog: catalog, Root: file.Root.ObjectNumber.Value(), Version: file.VersionString(), Next: file.MaxObjNr + 1,
	}
	if file.Info != nil {
		f.Info = file.Info.ObjectNumber.Value()
	}
	for number := range file.Table {
		f.Next = max(f.Next, number+1)
	}
	return f, f.readPages()
}

// Object returns the object with a number, nil if there is none.
func (f *File) Object(number int) types.Object {
	entry, ok := f.table.Table[number]
	if !ok || entry.Free {
		return nil
	}
	return f.Resolve(*types.NewIndirectRef(number, 0))
}

// Set replaces an object.
func (f *File) Set(number int, object types.Object) {
	f.table.Table[number] = model.NewXRefTableEntryGen0(object)
}

// Resolve follows references; nil for what does not exist.
func (f *File) Resolve(object types.Object) types.Object {
	resolved, err := f.table.Dereference(object)
	if err != nil {
		return nil
	}
	return resolved
}

// Dict returns the dictionary behind an object, nil if it is no dictionary. The dictionary of a stream is not one.
func (f *File) Dict(object types.Object) types.Dict {
	dict, _ := f.Resolve(object).(types.Dict)
	return dict
}

// Array is as [File.Dict], for an array.
func (f *File) Array(object types.Object) types.Array {
	array, _ := f.Resolve(object).(types.Array)
	return array
}

// Name is as [File.Dict], for a name.
func (f *File) Name(object types.Object) string {
	name, _ := f.Resolve(object).(types.Name)
	return string(name)
}

// Number returns a number, and whether the object is one.
func (f *File) Number(object types.Object) (float64, bool) {
	switch n := f.Resolve(object).(type) {
	case types.Integer:
		return float64(n), true
	case types.Float:
		return float64(n), true
	default:
		return 0, false
	}
}

// Table returns the objects as the library has them.
func (f *File) Table() *model.XRefTable { return f.table }

// stream returns the decoded content of a stream, up to where it is damaged, as a viewer shows it; nil if the object is no stream.
func (f *File) stream(object types.Object) []byte {
	stream, ok := f.Resolve(object).(types.StreamDict)
	if !ok {
		return nil
	}
	if err := stream.DecodeWithLimit(maxStream); err != nil && len(stream.Content) == 0 {
		return nil
	}
	return stream.Content
}
