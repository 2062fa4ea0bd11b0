package install

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
)

func TestLayoutCopiesLinksAndVerifies(t *testing.T) {
	t.Parallel()
	l := exampleLayout(t, "libexample.so.1.2")
	require.NoError(t, l.write())

	linked, err := os.ReadFile(filepath.Join(l.dir, "server", "lib", "libexample.so"))
	require.NoError(t, err)
	require.Equal(t, "library", string(linked))

	program, err := os.Stat(filepath.Join(l.dir, "server", "bin", "serve"))
	require.NoError(t, err)
	require.EqualValues(t, 0o755, program.Mode().Perm(), "another user must be able to run it")
	model, err := os.Stat(filepath.Join(l.dir, "models", "m.onnx"))
	require.NoError(t, err)
	require.EqualValues(t, 0o644, model.Mode().Perm())
	require.FileExists(t, filepath.Join(l.dir, "licenses", "example-pkg", "LICENSE"))
}

func TestLayoutRefusesAnotherFile(t *testing.T) {
	t.Parallel()
	l := exampleLayout(t, "libexample.so.1.2")
	l.manifest.Files[0].SHA256 = hex.EncodeToString(make([]byte, sha256.Size))

	var mismatch *assets.MismatchError
	require.ErrorAs(t, l.write(), &mismatch)
	require.Equal(t, "model", mismatch.Name)
}

func TestLayoutRefusesLinksOutOfTheTree(t *testing.T) {
	t.Parallel()
	l := exampleLayout(t, "../../../escape")
	require.ErrorContains(t, l.write(), "leads out")
}

func TestCompleteNeedsTheStampAndEveryFile(t *testing.T) {
	t.Parallel()
	l := exampleLayout(t, "libexample.so.1.2")
	require.NoError(t, l.write())
	require.False(t, complete(l.dir, "stamp", l.manifest))
	require.NoError(t, writeStamp(l.dir, "stamp"))
	require.True(t, complete(l.dir, "stamp", l.manifest))
	require.False(t, complete(l.dir, "another stamp", l.manifest))
	require.NoError(t, os.Remove(filepath.Join(l.dir, "models", "m.onnx")))
	require.False(t, complete(l.dir, "stamp", l.manifest))
}

// exampleLayout is a package with a tree, a file, a license and a link from libexample.so to linkSource.
func exampleLayout(t *testing.T, linkSource string) *layout {
	t.Helper()
	pkg := t.TempDir()
	for name, content := range map[string]string{
		"native/lib/libexample.so.1.2": "library",
		"native/bin/serve":             "program",
		"native/links.json":            `[{"source":"native/lib/` + linkSource + `","target":"native/lib/libexample.so"}]`,
		"m.onnx":                       "model",
		"LICENSE":                      "license",
	} {
		path := filepath.Join(pkg, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	sum := sha256.Sum256([]byte("model"))
	return &layout{
		dir:      filepath.Join(t.TempDir(), "assets"),
		packages: map[string]string{"@example/pkg": pkg},
		manifest: assets.Manifest{
			Packages: []assets.Package{{Name: "@example/pkg", LicenseFiles: []string{"LICENSE"}}},
			Files: []assets.File{{
				Name: "model", Package: "@example/pkg", Path: "m.onnx", Target: "models/m.onnx", SHA256: hex.EncodeToString(sum[:]),
			}},
			Trees: []assets.Tree{{Package: "@example/pkg", Path: "native", Target: "server", Symlinks: "native/links.json"}},
		},
	}
}
