package window

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plait/internal/core"
)

// Manifest describes a streaming model.
type Manifest struct {
	// Name is the name of the model in messages.
	Name string `json:"name"`
	// License is the SPDX identifier of the license of the weights. Source says where the weights come from.
	License string `json:"license"`
	Source  string `json:"source"`
	// Scale is how many times wider and higher the frames become: 1 to 8.
	Scale int `json:"scale"`
	// Multiple is the number of which the width and the height of frames must be multiples. Frames of other sizes are continued at their
	// right and lower edges, and the results are cropped. 0 means 1.
	Multiple int      `json:"multiple,omitempty"`
	Geometry Geometry `json:"geometry"`
	// Memory is the memory that a run needs for each pixel of a frame that comes in, in bytes. 0 means unknown.
	Memory int64 `json:"memory,omitempty"`
	// Hidden is the shape of what prepare and each block return: -1 for a size that differs from run to run.
	Hidden  []int64 `json:"hidden"`
	Prepare Graph   `json:"prepare"`
	Blocks  []Graph `json:"blocks"`
	Decode  Graph   `json:"decode"`
	Color   *Graph  `json:"color,omitempty"`
}

// Graph is one ONNX file with its state.
type Graph struct {
	// Path is absolute in a manifest that was read. In its text it may be relative to the manifest's folder.
	Path string `json:"path"`
	// SHA256 is 64 lower-case hexadecimal digits.
	SHA256 string `json:"sha256"`
	// Content takes the place of the file in a manifest that a program makes.
	Content []byte  `json:"-"`
	State   []State `json:"state,omitempty"`
}

// State is one tensor that goes from window to window.
type State struct {
	// Name is NAME of the input state.NAME and of the output state.NAME'.
	Name string `json:"name"`
	// Shape is the shape before the first window.
	Shape []Dimension `json:"shape"`
	// Keep is the largest length along Axis; older content, at lower indices, is dropped. 0 means that the shape never changes.
	Keep int64 `json:"keep,omitempty"`
	Axis int   `json:"axis,omitempty"`
}

// Dimension is the length of a state along one axis, as a number, or as a product of "height" and "width" of the frames and of numbers:
// 4, "height", "height/8", "height/8*width/8". A quotient is rounded down.
type Dimension struct {
	text  string
	steps []step
}

// step is one factor of a dimension.
type step struct {
	divide  bool
	operand string // height, width, or empty for number
	number  int64
}

var dimensionText = regexp.MustCompile(`^(\d{1,9}|height|width)([*/](\d{1,9}|height|width))*$`)

// ParseDimension parses the text of a dimension.
func ParseDimension(text string) (Dimension, error) {
	if !dimensionText.MatchString(text) {
		return Dimension{}, fmt.Errorf("dimension %q is not a product of numbers, height and width", text)
	}
	d := Dimension{text: text}
	rest, divide := text, false
	for {
		i := strings.IndexAny(rest, "*/")
		operand := rest
		if i >= 0 {
			operand = rest[:i]
		}
		s := step{divide: divide}
		if number, err := strconv.ParseInt(operand, 10, 64); err == nil {
			s.number = number
		} else {
			s.operand = operand
		}
		if divide && s.operand == "" && s.number == 0 {
			return Dimension{}, fmt.Errorf("dimension %q divides by 0", text)
		}
		d.steps = append(d.steps, s)
		if i < 0 {
			return d, nil
		}
		divide, rest = rest[i] == '/', rest[i+1:]
	}
}

// UnmarshalJSON reads a number or a text.
func (d *Dimension) UnmarshalJSON(b []byte) (err error) {
	text := string(b)
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	}
	*d, err = ParseDimension(text)
	return err
}

// MarshalJSON writes what UnmarshalJSON reads.
func (d Dimension) MarshalJSON() ([]byte, error) {
	if _, err := strconv.Atoi(d.text); err == nil {
		return []byte(d.text), nil
	}
	return json.Marshal(d.text)
}

// of returns the dimension for frames of this size.
func (d Dimension) of(size Size) int64 {
	n := int64(1)
	for _, s := range d.steps {
		v := s.number
		switch s.operand {
		case "height":
			v = int64(size.Height)
		case "width":
			v = int64(size.Width)
		}
		if s.divide {
			n /= v
		} else {
			n *= v
		}
	}
	return n
}

// maxManifestBytes bounds the size of a manifest. A model of 30 blocks has about 20,000 bytes.
const maxManifestBytes = 1 << 20

// maxPixelMemory bounds the memory for a pixel: a frame of 1280x720 would need 900 GB.
const maxPixelMemory = 1 << 20

// maxBlocks bounds the number of blocks.
const maxBlocks = 1000

// ReadManifest reads the manifest at path. It does not open the files of the model.
//
// Errors: CodeModelMissing when the file cannot be read; CodeInvalidInput, with the field, when it is invalid.
func ReadManifest(path string) (Manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return Manifest{}, core.Wrap(core.CodeModelMissing, err, "the manifest of the video model cannot be read")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxManifestBytes+1))
	if err != nil {
		return Manifest{}, core.Wrap(core.CodeModelMissing, err, "the manifest of the video model cannot be read")
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return Manifest{}, err
	}
	return ParseManifest(b, dir)
}

// ParseManifest parses the text of a manifest whose relative paths are relative to dir.
//
// Errors: CodeInvalidInput with the field.
func ParseManifest(b []byte, dir string) (Manifest, error) {
	m, err := parse(b)
	if err != nil {
		return Manifest{}, core.Errorf(core.CodeInvalidInput, "the manifest of the video model cannot be used: %w", err)
	}
	for _, g := range m.graphs() {
		if !filepath.IsAbs(g.Path) {
			g.Path = filepath.Join(dir, filepath.FromSlash(g.Path))
		}
	}
	return m, nil
}

func parse(b []byte) (Manifest, error) {
	if len(b) > maxManifestBytes {
		return Manifest{}, fmt.Errorf("it is longer than %d bytes", maxManifestBytes)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var m Manifest
	if err := d.Decode(&m); err != nil {
		return Manifest{}, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Manifest{}, errors.New("there is text after its end")
	}
	m.Multiple = max(m.Multiple, 1)
	return m, m.check()
}

// graphs returns the files of the model in the order in which a window passes them.
func (m *Manifest) graphs() []*Graph {
	all := []*Graph{&m.Prepare}
	for i := range m.Blocks {
		all = append(all, &m.Blocks[i])
	}
	all = append(all, &m.Decode)
	if m.Color != nil {
		all = append(all, m.Color)
	}
	return all
}

func (m *Manifest) check() error {
	switch {
	case m.Name == "":
		return errors.New("name is missing")
	case m.License == "":
		return errors.New("license is missing")
	case m.Source == "":
		return errors.New("source is missing")
	case m.Scale < 1 || m.Scale > 8:
		return fmt.Errorf("scale is %d, not 1 to 8", m.Scale)
	case m.Memory < 0 || m.Memory > maxPixelMemory:
		return fmt.Errorf("memory is %d, not 0 to %d bytes for a pixel", m.Memory, maxPixelMemory)
	case m.Multiple > 256:
		return fmt.Errorf("multiple is %d, more than 256", m.Multiple)
	case len(m.Blocks) == 0 || len(m.Blocks) > maxBlocks:
		return fmt.Errorf("it has %d blocks, not 1 to %d", len(m.Blocks), maxBlocks)
	case len(m.Hidden) == 0 || len(m.Hidden) > 8:
		return fmt.Errorf("hidden has %d dimensions, not 1 to 8", len(m.Hidden))
	}
	if err := m.Geometry.check(); err != nil {
		return fmt.Errorf("geometry: %w", err)
	}
	for i, g := range m.graphs() {
		if err := g.check(); err != nil {
			return fmt.Errorf("file %d of its %d: %w", i+1, len(m.graphs()), err)
		}
	}
	return nil
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (g *Graph) check() error {
	if g.Path == "" || !digest.MatchString(g.SHA256) {
		return errors.New("it needs a path, and a sha256 of 64 lower-case hexadecimal digits")
	}
	names := map[string]bool{}
	for _, s := range g.State {
		switch {
		case s.Name == "" || names[s.Name]:
			return fmt.Errorf("the name of state %q is missing or not unique", s.Name)
		case len(s.Shape) == 0 || len(s.Shape) > 8:
			return fmt.Errorf("state %q has %d dimensions, not 1 to 8", s.Name, len(s.Shape))
		case s.Axis < 0 || s.Axis >= len(s.Shape):
			return fmt.Errorf("state %q has no axis %d", s.Name, s.Axis)
		case s.Keep < 0:
			return fmt.Errorf("state %q keeps %d", s.Name, s.Keep)
		}
		names[s.Name] = true
	}
	return nil
}

// Contents returns the contents of the files that are in memory.
func (m *Manifest) Contents() (contents [][]byte) {
	for _, g := range m.graphs() {
		if g.Content != nil {
			contents = append(contents, g.Content)
		}
	}
	return contents
}

// Digest returns a hash of what the results of the model depend on. It does not depend on where its files are.
func (m *Manifest) Digest() (string, error) {
	plain := *m
	plain.Blocks = slices.Clone(m.Blocks)
	if m.Color != nil {
		color := *m.Color
		plain.Color = &color
	}
	for _, g := range plain.graphs() {
		g.Path = ""
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(text)
	for _, content := range m.Contents() {
		of := sha256.Sum256(content)
		sum.Write(of[:])
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
