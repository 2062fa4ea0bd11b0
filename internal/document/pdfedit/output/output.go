// Package output writes a PDF file object by object. The same objects in the same order give the same bytes: the identifier of the file is a
// hash of its content, and there are no dates. Objects that are not streams are packed into compressed object streams.
package output

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// packed is how many objects an object stream holds.
const packed = 200

// place is where an object stands: at an offset in the file, or at an index in an object stream.
type place struct {
	offset int64
	stream int // the object stream; 0 for an object at an offset
	index  int
}

// File is a PDF file that is being written. Errors of the underlying writer stay, and every later call returns them.
type File struct {
	w      *bufio.Writer
	sum    hash.Hash
	size   int64
	places map[int]place
	next   int
	pack   pack
	err    error
}

// New begins a file. Numbers from next on are free for [File.Reserve].
func New(w io.Writer, version string, next int) *File {
	f := &File{w: bufio.NewWriterSize(w, 1<<16), sum: sha256.New(), places: map[int]place{}, next: next}
	f.write([]byte("%PDF-" + version + "\n%\xe2\xe3\xcf\xd3\n"))
	return f
}

// Reserve returns the number of an object that is written later.
func (f *File) Reserve() int {
	f.next++
	return f.next - 1
}

// Written reports whether the object has been written.
func (f *File) Written(number int) bool {
	_, ok := f.places[number]
	return ok
}

// Object writes an object that is no stream.
func (f *File) Object(number int, object types.Object) error {
	if f.Written(number) {
		return fmt.Errorf("object %d is written twice", number)
	}
	if f.pack.stream == 0 {
		f.pack.stream = f.Reserve()
	}
	f.places[number] = place{stream: f.pack.stream, index: len(f.pack.numbers)}
	if err := f.pack.add(number, object); err != nil {
		return err
	}
	if len(f.pack.numbers) == packed {
		return f.flush()
	}
	return f.err
}

// Stream writes a stream whose data is encoded as the dictionary says. /Length is set here.
func (f *File) Stream(number int, dict types.Dict, data []byte) error {
	if f.Written(number) {
		return fmt.Errorf("object %d is written twice", number)
	}
	head, err := streamHead(number, dict, len(data))
	if err != nil {
		return err
	}
	f.places[number] = place{offset: f.size}
	f.write(head)
	f.write(data)
	f.write([]byte("\nendstream\nendobj\n"))
	return f.err
}

// Flate writes a stream that it compresses.
func (f *File) Flate(number int, dict types.Dict, data []byte) error {
	small, err := Deflate(data)
	if err != nil {
		return err
	}
	entries := maps.Clone(dict)
	if entries == nil {
		entries = types.Dict{}
	}
	entries["Filter"] = types.Name("FlateDecode")
	delete(entries, "DecodeParms")
	return f.Stream(number, entries, small)
}

func streamHead(number int, dict types.Dict, length int) ([]byte, error) {
	entries := maps.Clone(dict)
	if entries == nil {
		entries = types.Dict{}
	}
	entries["Length"] = types.Integer(length)
	head, err := Append(fmt.Appendf(nil, "%d 0 obj\n", number), entries)
	return append(head, "\nstream\n"...), err
}

// flush writes the open object stream.
func (f *File) flush() error {
	if len(f.pack.numbers) == 0 {
		return f.err
	}
	dict, data := f.pack.encode()
	number := f.pack.stream
	f.pack = pack{}
	return f.Flate(number, dict, data)
}

// Close writes the cross-reference stream. Info may be 0. The file has no encryption.
func (f *File) Close(root, info int) error {
	if err := f.flush(); err != nil {
		return err
	}
	self := f.Reserve()
	start := f.size
	f.places[self] = place{offset: start}
	index, rows := f.rows()
	id := types.HexLiteral(fmt.Sprintf("%x", f.sum.Sum(nil)[:16]))
	dict := types.Dict{
		"Type": types.Name("XRef"), "Size": types.Integer(f.next), "Root": *types.NewIndirectRef(root, 0),
		"W": types.Array{types.Integer(1), types.Integer(5), types.Integer(2)}, "Index": index, "ID": types.Array{id, id},
	}
	if info != 0 {
		dict["Info"] = *types.NewIndirectRef(info, 0)
	}
	delete(f.places, self)
	if err := f.Flate(self, dict, rows); err != nil {
		return err
	}
	f.write(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
	return errors.Join(f.err, f.w.Flush())
}

// rows returns the entries of the cross-reference stream, and the first number and the length of each of its sections.
func (f *File) rows() (index types.Array, rows []byte) {
	rows = []byte{0, 0, 0, 0, 0, 0, 0xff, 0xff} // object 0 is the head of the list of free objects
	first, count := 0, 1
	for _, number := range slices.Sorted(maps.Keys(f.places)) {
		if number != first+count {
			index = append(index, types.Integer(first), types.Integer(count))
			first, count = number, 0
		}
		count++
		rows = appendRow(rows, f.places[number])
	}
	return append(index, types.Integer(first), types.Integer(count)), rows
}

func appendRow(rows []byte, p place) []byte {
	kind, second, third := byte(1), uint64(p.offset), uint16(0)
	if p.stream != 0 {
		kind, second, third = 2, uint64(p.stream), uint16(p.index)
	}
	var field [8]byte
	binary.BigEndian.PutUint64(field[:], second)
	rows = append(append(rows, kind), field[3:]...)
	return binary.BigEndian.AppendUint16(rows, third)
}

func (f *File) write(data []byte) {
	if f.err != nil {
		return
	}
	n, err := f.w.Write(data)
	f.sum.Write(data[:n])
	f.size += int64(n)
	f.err = err
}
