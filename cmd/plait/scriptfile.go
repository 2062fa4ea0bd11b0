package main

import (
	"os"

	"plait/internal/translate/script"
)

// readFile is os.ReadFile with plain errors.
func readFile(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	return b, plainPathError(err)
}

// readScript is the script of a file, read and as it is.
func readScript(path string) (*script.File, []byte, error) {
	b, err := readFile(path)
	if err != nil {
		return nil, nil, err
	}
	file, err := script.Parse(b)
	return file, b, about(path, err)
}
