package main

// Script is an English edition, in the form the script translator reads.
type Script struct {
	From  string       `json:"from"`
	To    string       `json:"to"`
	Pages []ScriptPage `json:"pages"`
}

// ScriptPage lists the text blocks of a page in the order they are read.
type ScriptPage struct {
	Page    string         `json:"page"`
	Regions []ScriptRegion `json:"regions"`
}

// ScriptRegion is one text block, its lines run together, and its translation.
type ScriptRegion struct {
	Source      string `json:"source"`
	Translation string `json:"translation"`
}

// Truth says what stands where on the pages.
type Truth struct {
	Language string      `json:"language"`
	Pages    []TruthPage `json:"pages"`
}

// TruthPage lists the text blocks of a page in the order they are read.
type TruthPage struct {
	Page   string  `json:"page"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Blocks []Block `json:"blocks"`
}

func scriptOf(pages []*Page) Script {
	s := Script{From: "ja", To: "en"}
	for _, p := range pages {
		sp := ScriptPage{Page: p.Name, Regions: []ScriptRegion{}}
		for _, b := range p.Blocks {
			sp.Regions = append(sp.Regions, ScriptRegion{b.Text, b.translation})
		}
		s.Pages = append(s.Pages, sp)
	}
	return s
}

func truthOf(pages []*Page) Truth {
	t := Truth{Language: "ja"}
	for _, p := range pages {
		size := p.Image().Rect
		blocks := append([]Block{}, p.Blocks...)
		t.Pages = append(t.Pages, TruthPage{p.Name, size.Dx(), size.Dy(), blocks})
	}
	return t
}
