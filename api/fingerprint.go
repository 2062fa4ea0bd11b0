package api

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
)

// fingerprint is the body of a request. While it is read it computes what tells the request from others: a SHA-256 of path and body, or,
// for a form, of its parts, since a repetition may have another boundary between them.
type fingerprint struct {
	io.ReadCloser
	sum hash.Hash
	// most is how many bytes of the body count, and read how many have been read.
	most, read int64
	// parts takes the body of a form; nil for another. Done is closed when all of it has been read.
	parts *io.PipeWriter
	done  chan struct{}
}

// newFingerprint begins the fingerprint of a request, of which the first most bytes of the body count. It must be stopped.
func newFingerprint(req *http.Request, most int64) *fingerprint {
	f := &fingerprint{ReadCloser: req.Body, sum: sha256.New(), most: most}
	addText(f.sum, req.URL.EscapedPath())
	kind, params, err := mime.ParseMediaType(req.Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEMultipartForm {
		return f
	}
	var body *io.PipeReader
	body, f.parts = io.Pipe()
	f.done = make(chan struct{})
	go func() {
		defer close(f.done)
		addParts(f.sum, multipart.NewReader(body, params["boundary"]))
		_, _ = io.Copy(io.Discard, body) // what follows the form, which the writer ends
	}()
	return f
}

// addText adds a text with its length, so that no two lists of texts give the same sum.
func addText(sum hash.Hash, text string) {
	sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
	sum.Write([]byte(text))
}

// addParts adds the parts of a form up to one that cannot be read, with which no handler succeeds.
func addParts(sum hash.Hash, form *multipart.Reader) {
	for {
		part, err := form.NextRawPart()
		if err != nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(part.Header)) {
			addText(sum, name)
			addText(sum, part.Header.Get(name))
		}
		content := sha256.New()
		if _, err := io.Copy(content, part); err != nil {
			return
		}
		addText(sum, string(content.Sum(nil)))
	}
}

// Read reads the body.
func (f *fingerprint) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	f.read += int64(n)
	if f.parts != nil {
		_, _ = f.parts.Write(p[:n]) // fails after stop alone
	} else {
		f.sum.Write(p[:n])
	}
	return n, err
}

// end reads what is left of the bytes that count, and returns the fingerprint. It fails when the body cannot be read.
func (f *fingerprint) end() ([]byte, error) {
	_, err := io.Copy(io.Discard, io.LimitReader(f, f.most-f.read))
	f.stop()
	return f.sum.Sum(nil), err
}

// stop ends the fingerprint, and may be called again.
func (f *fingerprint) stop() {
	if f.parts != nil {
		_ = f.parts.Close()
		<-f.done
	}
}
