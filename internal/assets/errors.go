package assets

import "fmt"

// MissingError says that a file of the manifest is not in the asset folder.
type MissingError struct {
	Group Group
	Name  string // in the manifest; empty when the folder itself is missing
	Path  string
}

func (e *MissingError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("asset folder %s is missing: run `%s`", e.Path, e.Group.command())
	}
	return fmt.Sprintf("asset %s is missing (%s): run `%s`", e.Name, e.Path, e.Group.command())
}

// MismatchError says that a file exists but has another hash than in the manifest.
type MismatchError struct {
	Name      string
	Path      string
	Want, Got string // SHA-256
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("asset %s is not the pinned file (%s: SHA-256 %s, want %s): remove the folder and run `make assets`",
		e.Name, e.Path, e.Got, e.Want)
}
