package content

import "strings"

// executeText runs the operators of texts.
func (f *frame) executeText(op Operator) {
	t := &f.Text
	switch op.Name {
	case "BT":
		f.InText, f.Matrix, f.Line = true, Identity, Identity
	case "ET":
		f.InText = false
	case "Tc":
		t.CharSpace = number(op, 0)
	case "Tw":
		t.WordSpace = number(op, 0)
	case "Tz":
		t.Scale = number(op, 0) / 100
	case "TL":
		t.Leading = number(op, 0)
	case "Ts":
		t.Rise = number(op, 0)
	case "Tr":
		t.Render = int(number(op, 0))
	case "Tf":
		t.FontName, t.Size = name(op), number(op, 1)
		t.Font = f.load(f.stream.Resources, t.FontName)
	case "Td":
		f.nextLine(number(op, 0), number(op, 1))
	case "TD":
		t.Leading = -number(op, 1)
		f.nextLine(number(op, 0), number(op, 1))
	case "Tm":
		if m, ok := matrixOf(op.Operands); ok && m.finite() {
			f.Matrix, f.Line = m, m
		}
	case "T*":
		f.nextLine(0, -t.Leading)
	case "Tj", "TJ", "'", "\"":
		f.show(op)
	}
}

// show executes an operator that shows text.
func (f *frame) show(op Operator) {
	switch op.Name {
	case "\"":
		f.Text.WordSpace, f.Text.CharSpace = number(op, 0), number(op, 1)
		f.nextLine(0, -f.Text.Leading)
	case "'":
		f.nextLine(0, -f.Text.Leading)
	}
	before := f.State
	s := &Show{}
	if n := len(op.Operands); n > 0 {
		last := op.Operands[n-1]
		if last.Kind == Array {
			for _, o := range last.List {
				f.showOperand(s, o)
			}
		} else {
			f.showOperand(s, last)
		}
	}
	s.After = f.Matrix
	after := f.State
	f.State = before
	f.emit(Drawing{Operator: op, Show: s}, true)
	f.State = after
}

// showOperand shows a string, or applies an adjustment of TJ.
func (f *frame) showOperand(s *Show, o Operand) {
	t := f.Text
	switch o.Kind {
	case Number:
		if t.Font.Vertical {
			f.Matrix = Translation(0, -o.Number/1000*t.Size).Mul(f.Matrix)
			return
		}
		f.advance(-o.Number / 1000 * t.Size * t.Scale)
	case String:
		if f.shown += len(o.Text); f.shown > maxShown {
			f.fail("a page has too many characters")
			return
		}
		for _, g := range t.Font.Glyphs(o.Text) {
			s.Glyphs = append(s.Glyphs, g)
			s.Origins = append(s.Origins, f.Origin())
			space := t.CharSpace
			if g.Space {
				space += t.WordSpace
			}
			if t.Font.Vertical {
				f.Matrix = Translation(0, -t.Size+space).Mul(f.Matrix) // the default vertical advance is one em downward
				continue
			}
			f.advance((g.Width*t.Size + space) * t.Scale)
		}
	case Name, Array, Other:
	}
}

// Bold and Italic tell by flags and name; both are unreliable alone.
func (f *Font) Bold() bool {
	name := strings.ToLower(f.Name)
	return f.Flags&FlagBold != 0 || strings.Contains(name, "bold") || strings.Contains(name, "black") || strings.Contains(name, "heavy") ||
		strings.HasPrefix(f.Name, "CMBX") || strings.HasPrefix(f.Name, "SFBX")
}

// Italic reports whether the font is slanted, by its flags and name.
func (f *Font) Italic() bool {
	name := strings.ToLower(f.Name)
	return f.Flags&FlagItalic != 0 || strings.Contains(name, "italic") || strings.Contains(name, "oblique") ||
		strings.HasPrefix(f.Name, "CMTI") || strings.HasPrefix(f.Name, "SFTI")
}
