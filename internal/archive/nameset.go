package archive

import (
	"path"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// NameSet refuses names that cannot stand side by side in every file system: those that differ in case or in Unicode
// composition only, and files that would have to be folders as well. [Open] and [Write] demand it of an archive, so
// whoever collects files for one asks here first. It is not safe for concurrent use.
type NameSet struct {
	fold cases.Caser
	// files and folders hold the name that was added first, by its key; for a folder that may be of something inside.
	files, folders map[string]string
}

// NewNameSet is an empty set.
func NewNameSet() *NameSet {
	return &NameSet{fold: cases.Fold(), files: map[string]string{}, folders: map[string]string{}}
}

// AddFile adds the path of a file. It fails with CodeInvalidArchive, naming both, when an earlier name stands against it.
func (s *NameSet) AddFile(name string) error {
	key := s.key(name)
	if first, taken := s.files[key]; taken {
		if first == name {
			return invalid("two entries are named %s", quote(name))
		}
		return invalid("two entries have one name but for case or composition: %s and %s", quote(first), quote(name))
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

// addParents adds the folders that name lies in, up to one that is known.
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

// key is equal for names that some file system takes for one.
func (s *NameSet) key(name string) string {
	return norm.NFC.String(s.fold.String(norm.NFC.String(name)))
}

func fileAndFolder(file, folder string) error {
	return invalid("entries %s and %s make one name a file and a folder", quote(file), quote(folder))
}
