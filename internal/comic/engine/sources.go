package engine

import (
	"plait/internal/comic/scripts"
	"plait/internal/onnx"
)

// CheckSource fails with CodeUnknownLanguage where an engine of the base set and the added models would: for a given
// source language whose script none of them reads. It touches no file.
func CheckSource(added []onnx.Entry, from string) error {
	e := &Engine{}
	for _, entry := range added {
		if entry.Kind == onnx.KindRecognizer && len(entry.Scripts) > 0 {
			e.others = append(e.others, scripts.Recognizer{Scripts: entry.Scripts})
		}
	}
	return e.checkSource(from)
}
