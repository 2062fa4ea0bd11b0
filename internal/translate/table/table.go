// Package table has what scripts and glossaries share: tables of texts that people open in spreadsheets, and bounds on the memory that a
// table or a list takes when it is read. A file comes from outside; a few bytes of it, such as a comma, may take a hundred bytes of memory.
package table

import (
	"regexp"
	"strings"
)

// formula begins a cell that a spreadsheet would run, and what is before it in a cell that was made safe.
var (
	formula = regexp.MustCompile(`^[\s\p{Z}\p{Cc}\p{Cf}']*[=+\-@＝＋－＠]`)
	safe    = regexp.MustCompile(`^'[\s\p{Z}\p{Cc}\p{Cf}']*[=+\-@＝＋－＠]`)
)

// Cell makes a text safe in a spreadsheet, and [Text] reverses it. For every text t, Text(Cell(t)) == t. In spreadsheets that separate
// cells by semicolons, the text after one is a cell of its own.
func Cell(text string) string {
	return eachPart(text, func(part string) string {
		if formula.MatchString(part) {
			return "'" + part
		}
		return part
	})
}

// Text returns the text of a cell that [Cell] made.
func Text(cell string) string {
	return eachPart(cell, func(part string) string {
		if safe.MatchString(part) {
			return part[1:]
		}
		return part
	})
}

func eachPart(text string, change func(string) string) string {
	parts := strings.Split(text, ";")
	for i, part := range parts {
		parts[i] = change(part)
	}
	return strings.Join(parts, ";")
}
