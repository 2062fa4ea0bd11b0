package pdfedit

import (
	"bytes"

	"plait/internal/document/pdf/content"
)

// balance is what the content of a page leaves open.
type balance struct {
	open   int      // states that are saved and not restored
	inText bool     // a text object without an end
	excess [][2]int // operators that restore a state that was not saved, which viewers ignore
}

func balanceOf(stream []byte) (b balance) {
	content.Scan(stream, func(op content.Operator) bool {
		switch op.Name {
		case "q":
			b.open++
		case "Q":
			if b.open == 0 {
				b.excess = append(b.excess, [2]int{op.Start, op.End})
				return true
			}
			b.open--
		case "BT":
			b.inText = true
		case "ET":
			b.inText = false
		}
		return true
	})
	return b
}

// end returns what follows the content of the page: patches, and the texts without a place in it, in the state in which the page begins.
func (r *rewriter) end(b balance, patches []byte) ([]byte, error) {
	if len(r.late) == 0 && len(r.last) == 0 && len(patches) == 0 {
		return nil, nil
	}
	r.page.replace(0, 0, []byte("q"))
	for _, excess := range b.excess {
		r.page.replace(excess[0], excess[1], nil)
	}
	program := []byte("\n")
	if b.inText {
		program = append(program, "ET "...)
	}
	program = append(program, bytes.Repeat([]byte("Q "), b.open+1)...)
	program = append(append(program, patches...), r.last...)
	if len(r.late) == 0 {
		return append(program, '\n'), nil
	}
	program = append(program, "q BT "...)
	for _, text := range r.late {
		drawn, err := r.text(r.page, text, content.Identity)
		if err != nil {
			return nil, err
		}
		program = append(program, drawn...)
	}
	return append(program, "ET Q\n"...), nil
}
