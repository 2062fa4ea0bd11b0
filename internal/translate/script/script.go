// Package script reads, writes and matches scripts: files of human translations, made by an export and edited by a person.
//
// # Forms
//
// JSON: {"from", "to", "pages": [{"page", "regions": [{"region", "source", "translation"}]}]}. CSV: a header with page, region, source and
// translation in any order, then one row per region. It may have the forms that spreadsheets write: with or without a byte order mark,
// UTF-8 or UTF-16, any line ends, separated by comma, semicolon or tab, with Excel's "sep=" line.
//
// page is the file name of the page. region is the index of the region on it, from 0, and optional when source is given. source is the
// text as it was read, and optional when region is given. translation is required; an empty one restores the original lettering. The tags
// <em> and </em> stand around emphasized words in both; without them, lettering emphasizes what it finds at the place of the source's.
//
// # Spreadsheet formulas
//
// A cell that begins with =, +, -, @ (or their full-width forms) would run as a formula in a spreadsheet. WriteCSV puts an apostrophe
// before every text whose first character other than spaces and apostrophes is one of these, and Parse removes one from such a text, so
// that writing and reading give the same text, and a spreadsheet shows it as text.
//
// # Line ends
//
// Within a text every line end is "\n", because others do not survive a spreadsheet. Parse and both writers normalize them, so a file that
// was written reads back unchanged, except that a CSV has neither languages nor pages without regions.
package script

// File is a script: the translations of a chapter.
type File struct {
	// From and To are language tags; a CSV does not contain them.
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	Pages []Page `json:"pages"`
}

// Page is the part of a script for one page.
type Page struct {
	// Page is the file name of the page, with its folder when the archive has folders.
	Page    string   `json:"page"`
	Regions []Region `json:"regions"`
}

// Region is the translation of one region.
type Region struct {
	// Region is the index of the region on its page, from 0; nil when the script identifies it by source alone.
	Region *int `json:"region,omitempty"`
	// Source is the text as it was read; empty when the script identifies the region by index alone.
	Source string `json:"source"`
	// Translation is the text in the target language; an empty one keeps the original lettering.
	Translation string `json:"translation"`
}
