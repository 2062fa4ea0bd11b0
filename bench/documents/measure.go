package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/typeset"
	"plait/internal/llmtest"
)

// variant is a way to make translations.
type variant struct {
	name, lang string
	translate  func(string) string
}

func variants(names []string) (list []variant) {
	for _, v := range []variant{
		{"same", "de", func(s string) string { return s }},
		{"1.0", "de", llmtest.StandIn("", 1)},
		{"0.6", "de", llmtest.StandIn("", 0.6)},
		{"1.4", "de", llmtest.StandIn("", 1.4)},
		{"zh", "zh", llmtest.StandIn("zh", 1)},
		{"ar", "ar", llmtest.StandIn("ar", 1)},
	} {
		if len(names) == 0 || slices.Contains(names, v.name) {
			list = append(list, v)
		}
	}
	return list
}

// measured is a file.
type measured struct {
	options
	engine     *engine.Engine
	name, path string

	bytes  []byte
	source *pdf.File
	pages  []engine.Layout
	layout time.Duration
}

func (d *measured) measure(ctx context.Context) (list []result, err error) {
	if d.bytes, err = os.ReadFile(d.path); err != nil {
		return nil, err
	}
	if d.source, err = d.engine.File(ctx, bytes.NewReader(d.bytes), int64(len(d.bytes))); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.source.Close()) }()
	count := d.source.Pages()
	if d.options.pages > 0 {
		count = min(count, d.options.pages)
	}
	began := time.Now()
	for page := range count {
		l, err := d.engine.Layout(ctx, d.source, page, 0)
		if err != nil {
			return nil, err
		}
		d.pages = append(d.pages, l)
	}
	d.layout = time.Since(began)
	for _, v := range variants(d.variants) {
		r, err := d.with(ctx, v)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// with measures one variant.
func (d *measured) with(ctx context.Context, v variant) (r result, err error) {
	r = result{File: d.name, StandIn: v.name, Pages: len(d.pages), Report: slices.Contains(d.report, d.name), layout: d.layout}
	began := time.Now()
	translated := d.translated(v, &r)
	scales := d.scales(translated, v.lang)
	edits := make([]document.Edit, len(d.pages))
	for i, l := range d.pages {
		var set []engine.SetBlock
		edits[i], set = d.engine.Set(l.Page, translated[i], v.lang, scales)
		for _, s := range set {
			r.Unset += one(s.Reason != "")
			r.Small += one(s.Overflow)
		}
		if l.Scanned {
			if edits[i], err = d.engine.ClearScan(ctx, d.source, l.Page, edits[i], translated[i]); err != nil {
				return r, err
			}
		}
	}
	r.set = time.Since(began)
	began = time.Now()
	var out bytes.Buffer
	edit := func(page int) (*document.Edit, error) {
		if page >= len(edits) || len(edits[page].Texts) == 0 {
			return nil, nil
		}
		return &edits[page], nil
	}
	if err := d.engine.Write(ctx, bytes.NewReader(d.bytes), d.source, engine.WriteOptions{Language: v.lang}, edit, &out); err != nil {
		return r, err
	}
	r.write = time.Since(began)
	r.Bytes = out.Len() - len(d.bytes)
	written, err := d.engine.File(ctx, bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		return r, fmt.Errorf("the result: %w", err)
	}
	defer func() { err = errors.Join(err, written.Close()) }()
	c := &comparison{measured: d, variant: v, edits: edits, translated: translated, written: written, result: &r}
	if err := c.run(ctx); err != nil {
		return r, err
	}
	return r, errors.Join(d.keep(ctx, v, out.Bytes(), written), d.keepText(v, translated))
}

// translated gives every block its translation.
func (d *measured) translated(v variant, r *result) [][]engine.Translated {
	list := make([][]engine.Translated, len(d.pages))
	for i, l := range d.pages {
		texts := map[int]string{}
		for _, p := range document.Passages(l.Blocks) {
			for n, part := range p.Split(v.translate(p.Text)) {
				texts[p.Blocks[n].Index] = part
				r.Texts++
			}
		}
		for _, b := range l.Blocks {
			list[i] = append(list[i], engine.Translated{Block: b, Translation: texts[b.Index]})
		}
	}
	return list
}

// scales are the sizes that the texts of the whole document need.
func (d *measured) scales(translated [][]engine.Translated, lang string) typeset.Scales {
	var needed []typeset.Needed
	for i, l := range d.pages {
		_, set := d.engine.Set(l.Page, translated[i], lang, typeset.Scales{})
		for _, s := range set {
			if b := l.Blocks[s.Index]; s.Reason == "" {
				needed = append(needed, typeset.Needed{Class: b.Class, Size: b.Size, Scale: s.Scale})
			}
		}
	}
	return typeset.NewScales(needed)
}

// keepText writes the stand-ins in reading order, one a line, for the comparison with what other programs extract from the result.
func (d *measured) keepText(v variant, translated [][]engine.Translated) error {
	if d.out == "" {
		return nil
	}
	var text strings.Builder
	for _, page := range translated {
		for _, b := range page {
			if b.Class != document.ClassBookmark && b.Translation != "" {
				text.WriteString(marks.ReplaceAllString(b.Translation, " ") + "\n")
			}
		}
		text.WriteByte('\f')
	}
	return os.WriteFile(filepath.Join(d.out, d.name+"."+v.name+".txt"), []byte(text.String()), 0o600)
}

// keep writes the result, and a picture of each page.
func (d *measured) keep(ctx context.Context, v variant, file []byte, written *pdf.File) error {
	if d.out == "" {
		return nil
	}
	if err := os.MkdirAll(d.out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(d.out, d.name+"."+v.name)
	if err := os.WriteFile(path+".pdf", file, 0o600); err != nil {
		return err
	}
	for page := range d.pages {
		picture, _, err := written.Render(ctx, page, 110)
		if err != nil {
			return err
		}
		f, err := os.Create(fmt.Sprintf("%s-%d.png", path, page+1))
		if err != nil {
			return err
		}
		if err := errors.Join(png.Encode(f, picture), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
