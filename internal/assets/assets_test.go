package assets_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	lock "plait/assets"
	"plait/internal/assets"
	"plait/internal/assets/assetstest"
)

func TestFetchedAssetsAreThePinnedOnes(t *testing.T) {
	t.Parallel()
	set := assetstest.Open(t)
	require.NoError(t, set.Verify(t.Context()))

	for _, name := range []string{assets.OnnxRuntime, assets.DetectModel, assets.RecognizeModel, assets.Postgres, assets.Initdb, assets.Temporal} {
		path, err := set.Path(name)
		require.NoError(t, err)
		require.FileExists(t, path)
		require.True(t, filepath.IsAbs(path))
	}
	_, err := set.Path("no-such-asset")
	require.ErrorContains(t, err, "no-such-asset")
}

func TestFontsCoverEveryScript(t *testing.T) {
	t.Parallel()
	weights := map[string][]int{}
	for _, font := range assetstest.Open(t).Fonts() {
		require.FileExists(t, font.Path)
		weights[font.Family+" "+font.Style] = append(weights[font.Family+" "+font.Style], font.Weight)
	}
	cjk := []int{400, 500, 700}
	require.Equal(t, map[string][]int{
		"Bangers normal":           {400},
		"Black Han Sans normal":    {400},
		"Comic Neue italic":        {400, 700},
		"Comic Neue normal":        {400, 700},
		"Comic Relief normal":      {400, 700},
		"Dela Gothic One normal":   {400},
		"M PLUS Rounded 1c normal": {400, 500, 700, 800},
		"Nanum Gothic normal":      {400, 700, 800},
		"Noto Emoji normal":        {700},
		"Noto Sans Arabic normal":  {400, 700},
		"Noto Sans Hebrew normal":  {400, 700},
		"Noto Sans JP normal":      cjk,
		"Noto Sans Mono normal":    {400, 700},
		"Noto Sans SC normal":      cjk,
		"Noto Sans TC normal":      cjk,
		"Noto Sans italic":         {400, 700},
		"Noto Sans normal":         {400, 700},
		"Noto Serif italic":        {400, 700},
		"Noto Serif normal":        {400, 700},
		"ZCOOL KuaiLe normal":      {400},
		"Zen Maru Gothic normal":   cjk,
	}, weights)
}

func TestOpenNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	var missing *assets.MissingError

	_, err := assets.Open(filepath.Join(t.TempDir(), "nowhere"))
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, "make assets")

	_, err = assets.Open(t.TempDir())
	require.ErrorAs(t, err, &missing)
	require.Equal(t, assets.OnnxRuntime, missing.Name)
}

func TestVerifyFileNamesAnotherFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "model.onnx")
	file := assets.File{Name: "model", SHA256: "00"}

	var missing *assets.MissingError
	require.ErrorAs(t, assets.VerifyFile(file, path), &missing)

	require.NoError(t, os.WriteFile(path, []byte("another model"), 0o600))
	var mismatch *assets.MismatchError
	require.ErrorAs(t, assets.VerifyFile(file, path), &mismatch)
	require.Equal(t, "model", mismatch.Name)
}

func TestAGroupHasAFolderAndAManifestOfItsOwn(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "assets")
	dir, err := assets.Video.Dir(base)
	require.NoError(t, err)
	require.Equal(t, base+"-video", dir)

	for _, platform := range []string{"linux/amd64", "linux/arm64"} {
		manifest, err := assets.Video.Manifest(platform)
		require.NoError(t, err)
		require.Len(t, manifest.Files, 1)
		require.Equal(t, assets.FFmpeg, manifest.Files[0].Name)
		require.True(t, manifest.Uses(assets.PyPI))
		require.False(t, manifest.Uses(assets.NPM))
		for _, p := range manifest.Packages {
			require.Regexp(t, spdx, p.License)
			for _, name := range p.LicenseTexts {
				text, err := assets.Video.ReadFile("licenses/" + name)
				require.NoError(t, err)
				require.NotEmpty(t, text)
			}
		}
	}
	require.NoError(t, assets.Base.Walk(func(name string) error {
		require.NotContains(t, name, "video/", "a change of one group fetches no other again")
		return nil
	}))

	_, err = assets.Video.Open(base)
	var missing *assets.MissingError
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, "make assets-video")
}

func TestManifestOfEachPlatformIsWhole(t *testing.T) {
	t.Parallel()
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "darwin/amd64"} {
		manifest, err := assets.ReadManifest(platform)
		require.NoError(t, err)
		require.Len(t, manifest.Trees, 1, platform)

		packages := map[string]assets.Package{}
		for _, p := range manifest.Packages {
			require.NotEmpty(t, p.Version)
			require.NotEmpty(t, p.License)
			require.NotEmpty(t, append(p.LicenseFiles, p.LicenseTexts...), p.Name)
			packages[p.Name] = p
		}
		names, targets := map[string]bool{}, map[string]bool{}
		for _, f := range manifest.Files {
			require.Contains(t, packages, f.Package)
			require.Len(t, f.SHA256, 64)
			require.True(t, filepath.IsLocal(f.Target) && filepath.IsLocal(f.Path), f.Name)
			require.False(t, names[f.Name] || targets[f.Target], "%s twice on %s", f.Name, platform)
			names[f.Name], targets[f.Target] = true, true
		}
	}
}

// Every asset names its license, and the license text is in the asset folder or embedded.
func TestEveryAssetHasItsLicense(t *testing.T) {
	t.Parallel()
	patterns, err := lock.Lock.ReadFile("licenses/hyphenation-patterns.txt")
	require.NoError(t, err)
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "darwin/amd64"} {
		manifest, err := assets.ReadManifest(platform)
		require.NoError(t, err)
		for _, p := range manifest.Packages {
			require.Regexp(t, spdx, p.License, p.Name)
			for _, name := range p.LicenseTexts {
				text, err := lock.Lock.ReadFile("licenses/" + name)
				require.NoError(t, err)
				require.NotEmpty(t, text, name)
			}
		}
		for _, f := range manifest.Files {
			if f.Kind == "hyphenation" { // these files have other licenses than the package that contains them
				require.Regexp(t, spdx, f.License, f.Name)
				notice := path.Base(f.Target) + ": "
				require.Contains(t, string(patterns), notice)
				_, rest, _ := strings.Cut(string(patterns), notice)
				head, _, _ := strings.Cut(rest, "\n")
				require.True(t, strings.HasSuffix(head, ". "+f.License), "%s: %s", f.Name, head)
			}
		}
	}
}

// spdx matches an SPDX license expression without parentheses.
var spdx = regexp.MustCompile(`^[A-Za-z0-9][\w.+-]*( (AND|OR) [A-Za-z0-9][\w.+-]*)*$`)
