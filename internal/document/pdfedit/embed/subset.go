package embed

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/tdewolff/font"
)

// tables are what a font in a PDF file needs. Hints work with the three tables after maxp, if the face has them.
var tables = []string{"CFF ", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"}

// subset returns a font file with these glyphs, in this order, and their components after them. The joined ones consist of others instead.
func subset(data []byte, ids []uint16, joined map[int][]component) ([]byte, error) {
	face, err := font.ParseSFNT(data, 0)
	if err != nil {
		return nil, err
	}
	small, err := face.Subset(ids, font.SubsetOptions{Tables: tables})
	if err != nil {
		return nil, err
	}
	if small.IsCFF {
		if len(small.Tables["CFF "]) == 0 {
			return nil, fmt.Errorf("the face has no outlines")
		}
		return small.Tables["CFF "], nil
	}
	if err := join(small.Tables, joined); err != nil {
		return nil, err
	}
	return container(small.Tables), nil
}

// container writes tables as a TrueType file. The library's own writer sets the date.
func container(tables map[string][]byte) []byte {
	tags := slices.Sorted(maps.Keys(tables))
	log := bits.Len(uint(len(tags))) - 1
	file := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, field := range []int{len(tags), 16 << log, log, 16*len(tags) - 16<<log} {
		file = binary.BigEndian.AppendUint16(file, uint16(field))
	}
	directory := len(file)
	file = append(file, make([]byte, 16*len(tags))...)
	head := 0
	for i, tag := range tags {
		table, start := tables[tag], len(file)
		file = append(file, table...)
		if tag == "head" {
			head = start
			binary.BigEndian.PutUint32(file[start+8:], 0) // the sum over the file, below
		}
		for len(file)%4 != 0 {
			file = append(file, 0)
		}
		entry := file[directory+16*i:]
		copy(entry, tag)
		binary.BigEndian.PutUint32(entry[4:], checksum(file[start:]))
		binary.BigEndian.PutUint32(entry[8:], uint32(start))
		binary.BigEndian.PutUint32(entry[12:], uint32(len(table)))
	}
	binary.BigEndian.PutUint32(file[head+8:], 0xB1B0AFBA-checksum(file))
	return file
}

// checksum adds the words of a table whose length is a multiple of four.
func checksum(table []byte) (sum uint32) {
	for ; len(table) >= 4; table = table[4:] {
		sum += binary.BigEndian.Uint32(table)
	}
	return sum
}
