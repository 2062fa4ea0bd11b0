package script

// File is a script: the translations of a chapter.
type File struct {
	// From and To are language tags; a CSV does not hold them.
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
	// Region is the index of the region on its page, from 0; nil when the script goes by source alone.
	Region *int `json:"region,omitempty"`
	// Source is the text as it was read; empty when the script goes by the index alone.
	Source string `json:"source"`
	// Translation is the text in the target language; empty leaves the region as it is drawn.
	Translation string `json:"translation"`
}
