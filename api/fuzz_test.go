package api

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/fetch"
)

func FuzzRequestID(f *testing.F) {
	for _, seed := range []string{"", "a-b_C9", "a b", "a\r\nSet-Cookie: x", strings.Repeat("x", 64), strings.Repeat("x", 65), "ſ", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		rest := strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
		require.Equal(t, rest == "" && id != "" && len(id) <= 64, plainWord(id))
	})
}

func FuzzIdempotencyKey(f *testing.F) {
	for _, seed := range []string{"", " ", "a", "a~", "a\x7f", "a\x00", "ключ", strings.Repeat("k", 255), strings.Repeat("k", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		err := checkIdempotencyKey(key)
		good := len(key) > 0 && len(key) <= 255
		for _, b := range []byte(key) {
			good = good && b >= ' ' && b <= '~'
		}
		if good {
			require.NoError(t, err)
		} else {
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
		}
	})
}

// request is a body with the sorts of fields that requests have.
type request struct {
	To     string                `json:"to"`
	Script string                `json:"script,omitempty"`
	Files  []schema.UploadedFile `json:"files"`
}

func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{
		`{"to":"en","files":[{"name":"1.png","blob":"sha256:0"}]}`, `{"to":null}`, `{"to":"en","to":"de"}`, `{"To":"en"}`, `{"ſcript":"x"}`,
		`{}{}`, `[]`, ``, `{"files":[{"name":{}}]}`, strings.Repeat("[", 20_000), `{"files":[` + strings.Repeat("{},", 30_000) + `{}]}`, "{\"to\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var body request
		if err := decodeJSON(bytes.NewReader(b), maxJSON, &body); err != nil {
			require.Contains(t, []core.Code{core.CodeInvalidInput, core.CodeTooLarge}, core.CodeOf(err))
			require.Less(t, len(core.PublicMessage(err)), 500, "an answer does not repeat what it refuses")
			require.NotContains(t, core.PublicMessage(err), "schema.", "nor names types of Go")
			return
		}
		again, err := json.Marshal(body)
		require.NoError(t, err)
		var second request
		require.NoError(t, decodeJSON(bytes.NewReader(again), maxJSON, &second))
		third, err := json.Marshal(second)
		require.NoError(t, err)
		require.Equal(t, string(again), string(third))
	})
}

func FuzzReadForm(f *testing.F) {
	const head = "--b\r\nContent-Disposition: form-data; name="
	for _, seed := range []string{
		head + "to\r\n\r\nen\r\n--b--\r\n", head + "file; filename=\"a/1.png\"\r\n\r\nbytes\r\n--b--", head + "file\r\n\r\nx\r\n--b--",
		head + "to\r\n\r\nen\r\n" + head + "to\r\n\r\nde\r\n--b--", head + "to\r\n\r\nen", "--b--", "--b", "", "--b--" + strings.Repeat("x", 10_000),
		head + "file; filename*=utf-8''%ff\r\n\r\nx\r\n--b--", head + "script\r\n\r\n\r\n--b--", "--b\r\n" + strings.Repeat("X: y\r\n", 20_000),
		head + "url\r\n\r\nhttp://x/1.png\r\n" + head + "script_url\r\n\r\nhttps://x\r\n--b--", head + "url\r\n\r\nhttp://a:b@x\r\n--b--",
		head + "title\r\n\r\n" + strings.Repeat("x", defaultMaxField+1) + "\r\n--b--",
	} {
		f.Add([]byte(seed))
	}
	const maxBody, maxFiles = 1 << 16, 3
	kind := Kind{Fields: []Field{{Name: "to"}, {Name: "script", Type: File, MaxBytes: 1 << 10}}}
	s := &Server{Deps: Deps{Config: Config{MaxBody: maxBody, MaxPages: maxFiles}, Fetch: fetch.New(fetch.Config{})}}
	f.Fuzz(func(t *testing.T, b []byte) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.MaxBytesReader(nil, io.NopCloser(bytes.NewReader(b)), maxBody))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		input, in, err := s.readMultipart(req, kind, maxBody)
		if err != nil {
			code := knownError(err).Code
			require.Contains(t, []core.Code{core.CodeInvalidInput, core.CodeTooLarge}, code, "%v", err)
			require.Less(t, len(knownError(err).Message), 1000)
			return
		}
		defer in.Close()
		require.LessOrEqual(t, len(in.files)+in.remoteFiles(), maxFiles)
		for _, r := range in.remotes {
			require.NoError(t, fetch.Check(r.url))
		}
		var total int64
		for _, file := range in.files {
			content, err := io.ReadAll(io.NewSectionReader(file.File, 0, file.Size))
			require.NoError(t, err)
			require.Len(t, content, int(file.Size))
			require.NotEmpty(t, file.Name)
			total += file.Size
		}
		require.LessOrEqual(t, total, int64(len(b)))
		require.LessOrEqual(t, len(input.Contents["script"]), 1<<10)
		for name, value := range in.texts {
			require.LessOrEqual(t, len(value), defaultMaxField, name)
		}
	})
}
