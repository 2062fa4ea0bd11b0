package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
)

// Chapter is a list of sheets of one size.
type Chapter struct {
	Info          ComicInfo
	Width, Height int
	Sheets        []Sheet
}

// Sheet is a page to be drawn; its name's ending says in which format.
type Sheet struct {
	Name string
	Draw func(*Page) error
}

// ComicInfo is the part of the ComicInfo 2.0 schema that a chapter states, in
// the schema's order.
type ComicInfo struct {
	XMLName     xml.Name `xml:"ComicInfo"`
	Title       string
	Series      string
	Number      string
	Summary     string
	Writer      string
	PageCount   int
	LanguageISO string
	Manga       string
}

var lighthouse = Chapter{
	Info: ComicInfo{Title: "雲くじらの灯台", Series: "雲くじらの灯台", Number: "1", Writer: "Plait",
		Summary:     "空のはじっこの灯台で、ロボットのポコときつねのコンが、迷子の雲くじらのためにあかりをなおします。",
		LanguageISO: "ja", Manga: "YesAndRightToLeft"},
	Width: 1240, Height: 1750,
	Sheets: []Sheet{{"01.png", page1}, {"02.png", page2}, {"03.png", page3}, {"04.jpg", page4}, {"05.png", page5}, {"06.png", page6}},
}

// draw returns a sheet as a page.
func (ch Chapter) draw(s Sheet, faces *Type) (*Page, error) {
	p := NewPage(s.Name, ch.Width, ch.Height, faces)
	if err := s.Draw(p); err != nil {
		return nil, err
	}
	return p, nil
}

// write draws every page into one folder and the notes about them into another.
func (ch Chapter) write(pagesIn, notesIn string, faces *Type) error {
	for _, dir := range []string{pagesIn, notesIn} {
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return err
		}
	}
	var pages []*Page
	for _, s := range ch.Sheets {
		p, err := ch.draw(s, faces)
		if err != nil {
			return err
		}
		b, err := p.encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(pagesIn, s.Name), b, 0o600); err != nil {
			return err
		}
		pages = append(pages, p)
	}
	info := ch.Info
	info.PageCount = len(pages)
	b, err := xml.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	b = append([]byte(xml.Header), append(b, '\n')...)
	if err := os.WriteFile(filepath.Join(pagesIn, "ComicInfo.xml"), b, 0o600); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(notesIn, "script.en.json"), scriptOf(pages)); err != nil {
		return err
	}
	return writeJSON(filepath.Join(notesIn, "truth.json"), truthOf(pages))
}

// encode gives the bytes of the page in the format its name asks for.
func (p *Page) encode() ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch ext := filepath.Ext(p.Name); ext {
	case ".png":
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, p.Image())
	case ".jpg":
		err = jpeg.Encode(&b, p.Image(), &jpeg.Options{Quality: 85})
	default:
		err = fmt.Errorf("no encoder for %q", ext)
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", p.Name, err)
	}
	return b.Bytes(), nil
}

func writeJSON(path string, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}
