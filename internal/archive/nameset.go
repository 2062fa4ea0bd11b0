package archive

import (
	"path"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// NameSet is a set of names that can exist together in every file system. It refuses names that differ only in case or in Unicode
// composition, and a name that is both a file and a folder. [Open] and [Write] require this of all names in an archive; code that
// collects files for an archive can check them with a NameSet first. It is not safe for concurrent use.
type NameSet struct {
	fold cases.Caser
	// files and folders map a key to the name that was added first. For a folder, this can be the name of a file inside it.
	files, folders map[string]string
}

// NewNameSet returns an empty set.
func NewNameSet() *NameSet {
	return &NameSet{fold: cases.Fold(), files: map[string]string{}, folders: map[string]string{}}
}

// AddFile adds the path of a file. It fails with CodeInvalidArchive and both names if the path conflicts with an earlier one.
func (s *NameSet) AddFile(name string) error {
	key := s.key(name)
	if first, taken := s.files[key]; taken {
		if first == name {
			return invalid("two entries are named %s", quote(name))
		}
		return invalid("the names of two entries differ only in case or composition: %s and %s", quote(first), quote(name))
	}
	if inside, taken := s.folders[key]; taken {
		return fileAndFolder(name, inside)
	}
	if err := s.addParents(name, key); err != nil {
		return err
	}
	s.files[key] = name
	return nil
}

// addFolder adds the path of a folder, which may have been added before.
func (s *NameSet) addFolder(name string) error {
	key := s.key(name)
	if file, taken := s.files[key]; taken {
		return fileAndFolder(file, name)
	}
	if err := s.addParents(name, key); err != nil {
		return err
	}
	s.folders[key] = name
	return nil
}

// addParents adds the folders that contain name, up to the first known one.
func (s *NameSet) addParents(name, key string) error {
	for parent := path.Dir(key); parent != "."; parent = path.Dir(parent) {
		if _, known := s.folders[parent]; known {
			break
		}
		if file, taken := s.files[parent]; taken {
			return fileAndFolder(file, name)
		}
		s.folders[parent] = name
	}
	return nil
}

// key returns the same string for all names that some file system treats as equal.
func (s *NameSet) key(name string) string {
	return norm.NFC.String(s.fold.String(norm.NFC.String(name)))
}

func fileAndFolder(file, folder string) error {
	return invalid("entries %s and %s use the same name for a file and a folder", quote(file), quote(folder))
}
