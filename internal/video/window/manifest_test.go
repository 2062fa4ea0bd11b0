package window_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/video/window"
	"plait/internal/video/window/windowtest"
)

func TestManifestRefuses(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile(windowtest.Write(t, 1))
	require.NoError(t, err)
	_, err = window.ParseManifest(good, "/")
	require.NoError(t, err)
	for name, c := range map[string]struct{ old, new, message string }{
		"not JSON":           {"{", "[", "invalid character"},
		"unknown field":      {`"scale"`, `"zoom"`, `unknown field "zoom"`},
		"no license":         {`"license": "MIT"`, `"license": ""`, "license is missing"},
		"scale":              {`"scale": 2`, `"scale": 9`, "scale is 9, not 1 to 8"},
		"more out than in":   {`"first_out": 21`, `"first_out": 26`, "first_out is 1 to first"},
		"windows of nothing": {`"next": 8`, `"next": 0`, "first and next are 1 to 1024"},
		"a formula":          {`"height"`, `"height+1"`, `dimension "height+1" is not a product`},
		"a quotient":         {`"height"`, `"height/0"`, `dimension "height/0" divides by 0`},
		"two states":         {`"name": "v"`, `"name": "k"`, `the name of state "k" is missing or not unique`},
		"text after the end": {"\n}", "\n} {}", "there is text after its end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spoiled := strings.Replace(string(good), c.old, c.new, 1)
			require.NotEqual(t, string(good), spoiled)
			_, err := window.ParseManifest([]byte(spoiled), "/")
			require.ErrorContains(t, err, c.message)
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
		})
	}
	_, err = window.ReadManifest("nowhere.json")
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
}

func FuzzManifest(f *testing.F) {
	file := `{"path":"a.onnx","sha256":"` + strings.Repeat("0", 64) + `","state":[{"name":"k","shape":["height/8*width",0],"keep":3,"axis":1}]}`
	f.Add([]byte(`{"name":"a","license":"MIT","source":"b","scale":2,"geometry":{"first":1,"first_out":1,"next":1},"hidden":[-1],` +
		`"prepare":` + file + `,"blocks":[` + file + `],"decode":` + file + `}`))
	f.Add([]byte(`{"name":"a","prepare":{"state":[{"shape":["height/8*width",0]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := window.ParseManifest(text, "/")
		if err != nil {
			return
		}
		again, err := json.Marshal(m)
		require.NoError(t, err)
		same, err := window.ParseManifest(again, "/")
		require.NoError(t, err)
		require.Equal(t, m, same)
	})
}

func FuzzCheckpoint(f *testing.F) {
	head := `{"window":1,"frame":21,"state":[{"name":"block 3.k","shape":[1,2]}]}`
	f.Add(append([]byte{byte(len(head)), 0, 0, 0}, head+"12345678"...))
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := window.DecodeCheckpoint(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, c.Encode(&again))
		_, err = window.DecodeCheckpoint(&again, int64(again.Len()))
		require.NoError(t, err)
		require.LessOrEqual(t, c.Size(), int64(len(b)))
	})
}

func TestGeometry(t *testing.T) {
	t.Parallel()
	g := window.Geometry{First: 25, FirstOut: 21, Next: 8}
	require.Equal(t, 4, g.LookAhead())
	for frames, windows := range map[int]int{0: 0, 1: 1, 21: 1, 22: 2, 29: 2, 30: 3, 85: 9} {
		require.Equal(t, windows, g.Windows(frames), frames)
	}
	for index, begin := range []int{0, 21, 29, 37} {
		require.Equal(t, begin, g.Begin(index))
	}
}

func TestParseDevices(t *testing.T) {
	t.Parallel()
	devices, err := window.ParseDevices("cuda:0, cuda:0,cuda:1")
	require.NoError(t, err)
	require.Equal(t, []window.Device{{Kind: "cuda", Threads: 1}, {Kind: "cuda", Threads: 1}, {Kind: "cuda", ID: 1, Threads: 1}}, devices)
	devices, err = window.ParseDevices("cpu:0,cpu:1")
	require.NoError(t, err)
	require.Equal(t, devices[0].Threads, devices[1].Threads)
	for list, message := range map[string]string{
		"":                    `device "" is not known`,
		"tpu":                 `device "tpu" is not known`,
		"cpu:x":               `the number of device "cpu:x"`,
		"cpu,cuda":            "of one kind",
		"cpu:0,cpu:1,cpu:2,x": `device "x" is not known`,
		"cpu,cpu,cpu,cpu":     "4 devices are given, of at most 3",
	} {
		_, err := window.ParseDevices(list)
		require.ErrorContains(t, err, message)
	}
}
