package script

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plait/internal/translate/table"
)

// columns are the header of a CSV, in the order in which it is written.
var columns = []string{"page", "region", "source", "translation"}

func parseCSV(b []byte) (*File, error) {
	b, skipped := cutSeparatorLine(b)
	reader := csv.NewReader(bytes.NewReader(b))
	reader.Comma = separator(b)
	if line := table.TooWide(b, byte(reader.Comma)); line > 0 {
		return nil, invalid("line %d: more than %d cells", line+skipped, table.MaxColumns)
	}
	reader.FieldsPerRecord = -1
	header, err := reader.Read()
	if err != nil {
		return nil, csvError(err, skipped)
	}
	at, err := columnPlaces(header)
	if err != nil {
		return nil, err
	}
	f := &File{Pages: []Page{}}
	pages := map[string]int{}
	numbers := map[string]map[int]bool{}
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return nil, csvError(err, skipped)
		}
		if !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue // spreadsheets write rows of empty cells
		}
		line, _ := reader.FieldPos(0)
		where := fmt.Sprintf("line %d", line+skipped)
		name, region, err := parseRow(where, row, at, len(header))
		if err != nil {
			return nil, err
		}
		i, known := pages[name]
		if !known {
			i = len(f.Pages)
			pages[name], numbers[name] = i, map[int]bool{}
			f.Pages = append(f.Pages, Page{Page: name})
		}
		if err := addRegion(where, &f.Pages[i], region, numbers[name]); err != nil {
			return nil, err
		}
		if len(f.Pages) > MaxPages {
			return nil, invalid("the script has more than %d pages", MaxPages)
		}
	}
}

func addRegion(where string, p *Page, r Region, numbers map[int]bool) error {
	if r.Region != nil {
		if numbers[*r.Region] {
			return invalid("%s: region %d of page %q is there twice", where, *r.Region, p.Page)
		}
		numbers[*r.Region] = true
	}
	p.Regions = append(p.Regions, r)
	if len(p.Regions) > MaxPageRegions {
		return invalid("%s: page %q has more than %d regions", where, p.Page, MaxPageRegions)
	}
	return nil
}

// cutSeparatorLine removes Excel's first line "sep=;" and returns the number of lines removed.
func cutSeparatorLine(b []byte) ([]byte, int) {
	line, rest, found := bytes.Cut(b, []byte("\n"))
	line = bytes.Trim(bytes.TrimSpace(line), `"`)
	if found && len(line) == 5 && bytes.EqualFold(line[:4], []byte("sep=")) {
		return rest, 1
	}
	return b, 0
}

// separator returns the separator of the header; no column name contains one.
func separator(b []byte) rune {
	header, _, _ := bytes.Cut(b, []byte("\n"))
	best, most := ',', 0
	for _, s := range ",;\t" {
		if n := bytes.Count(header, []byte(string(s))); n > most {
			best, most = s, n
		}
	}
	return best
}

// columnPlaces finds each column in the header; region may be absent. Columns without a name are those that a spreadsheet appends.
func columnPlaces(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		if !slices.Contains(columns, name) {
			return nil, invalid("line 1: the column %.80q is not known; known are %s", name, strings.Join(columns, ", "))
		}
		if _, twice := at[name]; twice {
			return nil, invalid("line 1: the column %q is there twice", name)
		}
		at[name] = i
	}
	for _, name := range []string{"page", "translation"} {
		if _, ok := at[name]; !ok {
			return nil, invalid("line 1: the column %q is missing", name)
		}
	}
	return at, nil
}

func parseRow(where string, row []string, at map[string]int, width int) (name string, r Region, err error) {
	if len(row) > width {
		return "", Region{}, invalid("%s: more cells than the header has", where)
	}
	cell := func(column string) string {
		i, ok := at[column]
		if !ok || i >= len(row) {
			return ""
		}
		return lineEnds(row[i])
	}
	if i := at["translation"]; i >= len(row) {
		return "", Region{}, invalid("%s: the cell translation is missing", where)
	}
	if digits := strings.TrimSpace(cell("region")); digits != "" {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return "", Region{}, invalid("%s: region is not a whole number", where)
		}
		r.Region = &n
	}
	name, r.Source, r.Translation = table.Text(cell("page")), table.Text(cell("source")), table.Text(cell("translation"))
	if err := checkPageName(where, name); err != nil {
		return "", Region{}, err
	}
	return name, r, checkRegion(where, r)
}

func csvError(err error, skipped int) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return invalid("line %d: %s", parse.Line+skipped, parse.Err.Error())
	}
	return invalid("line %d: the header page,region,source,translation is missing", 1+skipped)
}

// WriteCSV writes f in the form that spreadsheets expect: UTF-8 with a byte order mark, CRLF (RFC 4180), and no cell that runs as a
// formula. It omits languages and pages without regions.
func WriteCSV(w io.Writer, f *File) error {
	if _, err := io.WriteString(w, "\uFEFF"); err != nil {
		return fmt.Errorf("write a script: %w", err)
	}
	writer := csv.NewWriter(w)
	writer.UseCRLF = true
	rows := [][]string{columns}
	for _, p := range f.normalized().Pages {
		for _, r := range p.Regions {
			number := ""
			if r.Region != nil {
				number = strconv.Itoa(*r.Region)
			}
			rows = append(rows, []string{table.Cell(p.Page), number, table.Cell(r.Source), table.Cell(r.Translation)})
		}
	}
	if err := writer.WriteAll(rows); err != nil {
		return fmt.Errorf("write a script: %w", err)
	}
	return nil
}
