package pdfedit

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdf/content"
	"plait/internal/document/pdfedit/output"
)

// markPlace is where a marked-content sequence begins.
type markPlace struct {
	stream *content.Stream
	start  int
}

// removeReplacements removes the texts that stand for the glyphs of these sequences, and notes the sequences that structure elements have.
func (r *rewriter) removeReplacements(marks []content.Mark) {
	for _, mark := range marks {
		at := markPlace{mark.Stream, mark.Start}
		if r.unmark[at] {
			continue
		}
		r.unmark[at] = true
		properties := r.properties(mark)
		if id, ok := r.file.Number(properties["MCID"]); ok && mark.Stream.Form == nil {
			r.marks[int(id)] = true
		}
		if mark.Replaces {
			r.edited(mark.Stream).replace(mark.Start, mark.End, withoutReplacements(mark.Tag, properties))
		}
	}
}

// properties returns the properties of a sequence: its own dictionary, or one of the resources.
func (r *rewriter) properties(mark content.Mark) types.Dict {
	var properties types.Dict
	content.Scan(mark.Stream.Bytes[mark.Start:mark.End], func(op content.Operator) bool {
		if len(op.Operands) < 2 {
			return false
		}
		operand := op.Operands[1]
		if operand.Kind == content.Name {
			properties = r.file.Dict(r.file.Dict(mark.Stream.Resources["Properties"])[string(operand.Text)])
			return false
		}
		text := string(mark.Stream.Bytes[mark.Start+operand.Start : mark.Start+operand.End])
		if parsed, err := model.ParseObject(&text); err == nil {
			properties, _ = parsed.(types.Dict)
		}
		return false
	})
	return properties
}

// withoutReplacements returns the operator that begins a sequence with the rest of its properties. Properties that refer to objects cannot
// be part of a stream; those are of use to the producer of the file alone.
func withoutReplacements(tag string, properties types.Dict) []byte {
	rest := types.Dict{}
	for key, value := range properties {
		switch value.(type) {
		case types.Integer, types.Float, types.Name, types.StringLiteral, types.HexLiteral, types.Boolean:
			rest[key] = value
		}
	}
	for _, key := range replacements {
		delete(rest, key)
	}
	name := []byte("/" + types.EncodeName(tag) + " ")
	program, err := output.Append(name, rest)
	if err != nil || len(rest) == 0 {
		return append(name, "BMC"...)
	}
	return append(program, " BDC"...)
}
