package onnx_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/onnx"
)

var zeros = strings.Repeat("0", 64)

// korean returns a manifest with one recognizer, in which old is replaced.
func korean(old, replacement string) string {
	return strings.Replace(`{"models": [{"name": "korean", "kind": "recognizer", "license": "Apache-2.0", "source": "somewhere",
		"scripts": ["Hangul"], "files": {"model": {"path": "sub/korean.onnx", "sha256": "`+zeros+`"}}, "ports": {"x": "pixels"}}]}`, old, replacement, 1)
}

func TestReadManifest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "models.json")
	require.NoError(t, os.WriteFile(path, []byte(korean("", "")), 0o600))
	entries, err := onnx.ReadManifest(path)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	e := entries[0]
	require.Equal(t, onnx.KindRecognizer, e.Kind)
	require.Equal(t, []string{"Hangul"}, e.Scripts)
	require.Equal(t, filepath.Join(filepath.Dir(path), "sub", "korean.onnx"), e.Files[onnx.RoleModel].Path)

	contract := func(name, path, sha256 string) onnx.Model {
		return onnx.Model{Name: name, Path: path, SHA256: sha256, Inputs: []onnx.Port{{Name: "x"}}, Outputs: []onnx.Port{{Name: "y"}}}
	}
	m := e.Model(onnx.RoleModel, contract)
	require.Equal(t, "korean", m.Name)
	require.Equal(t, zeros, m.SHA256)
	require.Equal(t, "pixels", m.Inputs[0].Name)
	require.Equal(t, "y", m.Outputs[0].Name)
	require.NoError(t, e.CheckPorts(contract))
	e.Ports = map[string]string{"z": "a"}
	require.ErrorContains(t, e.CheckPorts(contract), `model "korean" renames the port "z"; its contract has x, y`)

	_, err = e.ReadFile(onnx.RoleModel)
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.ErrorContains(t, err, `the file of model "korean" is missing`)

	_, err = onnx.ReadManifest(path + ".gone")
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
}

func TestManifestsAreRefusedByName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, replacement, message string }{
		"no JSON":          {`{"models"`, `models`, "invalid character"},
		"unknown field":    {`"scripts"`, `"script"`, `unknown field "script"`},
		"two values":       {`}}]}`, `}}]}`, `there is text after its end`},
		"no name":          {`"korean"`, `""`, "model 1 has no name"},
		"kind":             {`"recognizer"`, `"reader"`, `model "korean": kind "reader" is not known; known are bubbles, detector, inpainter, layout, manga-ocr, recognizer`},
		"contract":         {`"recognizer"`, `"inpainter", "contract": "telea"`, `contract of kind "inpainter" is one of lama, aot, migan, not "telea"`},
		"no contract":      {`"recognizer"`, `"inpainter"`, `contract of kind "inpainter" is one of`},
		"contract of none": {`"recognizer"`, `"recognizer", "contract": "lama"`, `contract is only for the kinds inpainter, layout, not for kind "recognizer"`},
		"no license":       {`"Apache-2.0"`, `""`, "license is missing"},
		"no source":        {`"somewhere"`, `""`, "source is missing"},
		"script":           {`"Hangul"`, `"Korean"`, `script "Korean" is not known`},
		"script of none":   {`"recognizer"`, `"detector"`, `scripts are only for recognizers`},
		"role":             {`{"model":`, `{"weights":`, `files has ["weights"]; kind "recognizer" needs model`},
		"path":             {`sub/korean.onnx`, ``, `files.model needs a path`},
		"digest":           {`0"}`, `G"}`, `a sha256 of 64`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := korean(c.old, c.replacement)
			if name == "two values" {
				text += "{}"
			}
			path := filepath.Join(t.TempDir(), "models.json")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := onnx.ReadManifest(path)
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
			require.ErrorContains(t, err, c.message)
		})
	}
	entry := strings.TrimSuffix(strings.TrimPrefix(korean("", ""), `{"models": [`), `]}`)
	_, err := onnx.ParseManifest([]byte(`{"models": [`+entry+","+entry+`]}`), "/")
	require.ErrorContains(t, err, `two models are named "korean"`)
	_, err = onnx.ParseManifest([]byte(strings.Repeat(" ", 1<<20)+"{}"), "/")
	require.ErrorContains(t, err, "longer than")
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(korean("", "")))
	f.Add([]byte(`{"models": [{"name": "", "files": null}]}`))
	f.Add([]byte(`{"models": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := onnx.ParseManifest(text, "/models")
		if err != nil {
			return
		}
		for _, e := range entries {
			require.NotEmpty(t, e.Name)
			require.NotEmpty(t, e.License)
			for _, file := range e.Files {
				require.True(t, filepath.IsAbs(file.Path))
			}
		}
	})
}
