package table

import "bytes"

// MaxColumns is more than the columns of any table, with those that spreadsheets append.
const MaxColumns = 256

// TooWide returns the line of the first row with more than [MaxColumns] cells; it is 0 when there is none. The cells are separated by one
// character of ASCII and quoted as package encoding/csv reads them, which keeps all cells of a row before its caller can count them.
func TooWide(b []byte, comma byte) (line int) {
	line, start, cells := 1, true, 1
	for at := 0; at < len(b); at++ {
		switch b[at] {
		case '"':
			if start {
				end := quoted(b[at:], comma)
				line += bytes.Count(b[at:at+end], []byte("\n"))
				at += end - 1
			}
			start = false
		case '\n':
			line, start, cells = line+1, true, 1
		case comma:
			if cells++; cells > MaxColumns {
				return line
			}
			start = true
		default:
			start = false
		}
	}
	return 0
}

// quoted returns the length of the quoted cell with which b begins. A quote in it that neither ends it nor is doubled is part of its text.
func quoted(b []byte, comma byte) int {
	for at := 1; at < len(b); at++ {
		if b[at] != '"' {
			continue
		}
		after := b[at+1:]
		switch {
		case bytes.HasPrefix(after, []byte(`"`)):
			at++
		case len(after) == 0, after[0] == comma, after[0] == '\n', bytes.HasPrefix(after, []byte("\r\n")):
			return at + 1
		}
	}
	return len(b)
}

// Values returns how many commas separate values in a JSON text, which is one less than its values if there is one list alone.
func Values(b []byte) (n int) {
	text := false
	for at := 0; at < len(b); at++ {
		switch c := b[at]; {
		case c == '"':
			text = !text
		case text && c == '\\':
			at++
		case !text && c == ',':
			n++
		}
	}
	return n
}
