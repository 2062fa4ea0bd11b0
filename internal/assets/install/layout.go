package install

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"plait/internal/assets"
)

// Modes of the asset folder, which holds nothing secret: every user may read and run it.
const (
	walkable fs.FileMode = 0o755
	readable fs.FileMode = 0o644
)

// layout lays the files of unpacked packages out as the asset folder dir. Everything is readable by every user, whatever the
// umask: Postgres runs as another user than root.
type layout struct {
	manifest assets.Manifest
	group    assets.Group
	packages map[string]string // name: unpacked folder
	dir      string
}

func (l *layout) write() error {
	if err := os.MkdirAll(l.dir, walkable); err != nil {
		return err
	}
	for _, t := range l.manifest.Trees {
		if err := l.tree(t); err != nil {
			return fmt.Errorf("%s: %w", t.Package, err)
		}
	}
	for _, f := range l.manifest.Files {
		if err := l.file(f); err != nil {
			return err
		}
	}
	for _, p := range l.manifest.Packages {
		if err := l.licenses(p); err != nil {
			return fmt.Errorf("license of %s: %w", p.Name, err)
		}
	}
	return filepath.WalkDir(l.dir, openToAll)
}

func (l *layout) target(slashed string) string {
	return filepath.Join(l.dir, filepath.FromSlash(slashed))
}

func (l *layout) source(pkg, slashed string) string {
	return filepath.Join(l.packages[pkg], filepath.FromSlash(slashed))
}

func (l *layout) tree(t assets.Tree) error {
	target := l.target(t.Target)
	if err := os.CopyFS(target, os.DirFS(l.source(t.Package, t.Path))); err != nil {
		return err
	}
	if t.Symlinks == "" {
		return nil
	}
	text, err := os.ReadFile(l.source(t.Package, t.Symlinks))
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("%s: %w", t.Symlinks, err)
	}
	for _, link := range links {
		if err := l.symlink(t, link.Source, link.Target); err != nil {
			return err
		}
	}
	return nil
}

// symlink makes target name source; both are paths of the package, and must stay inside the tree.
func (l *layout) symlink(t assets.Tree, source, target string) error {
	from, err := filepath.Rel(filepath.FromSlash(t.Path), filepath.FromSlash(target))
	if err != nil || !filepath.IsLocal(from) {
		return fmt.Errorf("link %q leads out of the tree", target)
	}
	to, err := filepath.Rel(filepath.FromSlash(path.Dir(target)), filepath.FromSlash(source))
	if err != nil || !filepath.IsLocal(to) {
		return fmt.Errorf("link %q to %q leads out of its folder", target, source)
	}
	name := filepath.Join(l.target(t.Target), from)
	if _, err := os.Lstat(name); err == nil {
		return nil // the package carries it
	}
	return os.Symlink(to, name)
}

// file copies one file, unless its tree has brought it, and compares it with the manifest.
func (l *layout) file(f assets.File) error {
	target := l.target(f.Target)
	if _, err := os.Stat(target); err != nil {
		if err := copyFile(target, l.source(f.Package, f.Path)); err != nil {
			return fmt.Errorf("asset %s: %w", f.Name, err)
		}
	}
	return assets.VerifyFile(f, target)
}

func (l *layout) licenses(p assets.Package) error {
	dir := l.target(path.Join("licenses", strings.ReplaceAll(strings.TrimPrefix(p.Name, "@"), "/", "-")))
	if err := os.MkdirAll(dir, walkable); err != nil {
		return err
	}
	for _, name := range p.LicenseFiles {
		if err := copyFile(filepath.Join(dir, path.Base(name)), l.source(p.Name, name)); err != nil {
			return err
		}
	}
	for _, name := range p.LicenseTexts {
		text, err := l.group.ReadFile(path.Join("licenses", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, readable); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(target, source string) error {
	r, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	return write(target, r)
}

// openToAll gives folders and files their modes, and files that of folders where they can be executed (programs under bin).
func openToAll(name string, entry fs.DirEntry, err error) error {
	if err != nil || entry.Type()&fs.ModeSymlink != 0 {
		return err
	}
	mode := readable
	if entry.IsDir() || filepath.Base(filepath.Dir(name)) == "bin" {
		mode = walkable
	}
	return os.Chmod(name, mode) //nolint:gosec // G122: a fresh folder that no other process knows
}
