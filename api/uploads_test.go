package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
)

// A client that is cut off sends what is missing of a file, and the server makes one file of the parts.
func TestAFileComesInParts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	file := page(t, "はい")
	half := len(file) / 2
	first, second := c.upload(file[:half]).Blob, c.upload(file[half:]).Blob
	join := func(c caller, body string) answer {
		t.Helper()
		return c.do(http.MethodPost, "/v1/blobs", strings.NewReader(body), asJSON)
	}
	var whole schema.Blob
	join(c, fmt.Sprintf(`{"parts": [%q, %q]}`, first, second)).is(http.StatusCreated).into(&whole)
	require.Equal(t, c.upload(file), whole)

	for body, says := range map[string]string{
		`{"parts": []}`:         "parts is empty",
		`{"parts": ["x"]}`:      "parts[0]",
		`{"parts": "x"}`:        "parts",
		`{"parts": [], "a": 1}`: `"a" is not known`,
		fmt.Sprintf(`{"parts": [%q, "sha256:%064d"]}`, first, 0): "parts[1]: there is no upload",
	} {
		join(c, body).refused(http.StatusBadRequest, core.CodeInvalidInput, says)
	}
	join(r.caller("press"), fmt.Sprintf(`{"parts": [%q]}`, first)).refused(http.StatusBadRequest, core.CodeInvalidInput, "there is no upload")
	large := c.upload(make([]byte, 3<<20)).Blob
	join(c, fmt.Sprintf(`{"parts": [%q, %q]}`, large, large)).refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "")
}

func TestTooManyUploads(t *testing.T) {
	t.Parallel()
	h, config := newHold(), testConfig()
	config.MaxUploads, config.AdmissionTimeout = 1, 100*time.Millisecond
	c := newRigWith(t, config, h.route).caller("acme")
	done := h.begin(c)
	a := c.post(toEnglish(image("1.png", page(t)))).refused(http.StatusTooManyRequests, core.CodeRateLimited, "uploads")
	require.Equal(t, "2", a.header.Get("Retry-After"))
	c.get(tasksRoute).is(http.StatusOK)
	close(h.release)
	require.NoError(t, <-done)
	c.post(toEnglish(image("1.png", page(t)))).is(http.StatusAccepted)
}

// Uploads beyond those that a tenant may have wait for their turn, and are refused when too many wait. Those of others do not wait.
func TestUploadsWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	const waiting, beyond = 64, 3
	h, config := newHold(), testConfig()
	config.MaxUploads, config.AdmissionTimeout = 1, patience
	r := newRigWith(t, config, h.route)
	c := r.caller("acme")
	done := h.begin(c)
	head := "POST /v1/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + c.key + "\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
	statuses := make(chan int, waiting+beyond)
	for range waiting + beyond {
		conn := c.raw(head)
		go func() {
			read := bufio.NewReader(conn)
			for {
				resp, err := http.ReadResponse(read, nil)
				if err != nil {
					statuses <- 0
					return
				}
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusContinue {
					statuses <- resp.StatusCode
					return
				}
				_, _ = io.WriteString(conn, "x") // the answer tells whether it arrived
			}
		}()
	}
	for range beyond {
		require.Equal(t, http.StatusTooManyRequests, <-statuses)
	}
	r.caller("other").upload(page(t, "はい"))
	close(h.release)
	require.NoError(t, <-done)
	for range waiting {
		require.Equal(t, http.StatusCreated, <-statuses)
	}
}

// Uploads of a tenant that trickle, as many as it may have and more, keep no other tenant out. No time-out ends them.
func TestTricklingUploadsKeepNoOtherTenantOut(t *testing.T) {
	t.Parallel()
	for _, uploads := range []int{4, 32} {
		t.Run(fmt.Sprint(uploads), func(t *testing.T) {
			t.Parallel()
			config := testConfig()
			config.MaxUploads, config.RequestTimeout, config.UploadTimeout, config.AdmissionTimeout = 4, time.Hour, time.Hour, 20*time.Millisecond
			r := newRigWith(t, config)
			slow, quick := r.caller("slow"), r.caller("quick")
			head := "POST /v1/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + slow.key + "\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n"
			for i := range uploads {
				conn := slow.raw(head)
				if i >= config.MaxUploads {
					require.Equal(t, http.StatusTooManyRequests, rawStatus(t, conn))
					continue
				}
				require.Equal(t, http.StatusContinue, rawStatus(t, conn), "it has begun")
				_, err := io.WriteString(conn, "x")
				require.NoError(t, err)
			}
			for range 3 * config.MaxUploads {
				quick.do(http.MethodPost, "/v1/blobs", reader(page(t, "はい"))).is(http.StatusCreated)
			}
			slow.do(http.MethodPost, "/v1/blobs", reader(page(t, "はい"))).refused(http.StatusTooManyRequests, core.CodeRateLimited, "uploads")
		})
	}
}

func TestStalledUploadIsCut(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, impatient())
	c := r.caller("acme")
	body, pipe := io.Pipe()
	defer body.Close()
	go func() {
		_, _ = io.WriteString(pipe, "--b\r\nContent-Disposition: form-data; name=file; filename=1.png\r\n\r\nfirst bytes")
	}()
	c.do(http.MethodPost, translations, body, "Content-Type: multipart/form-data; boundary=b").
		refused(http.StatusRequestTimeout, core.CodeInvalidInput, `file "1.png" did not arrive whole: it was idle`)
	r.nothingLeft()
}

// An upload may take longer than another request, as long as it moves.
func TestSlowUploadIsTaken(t *testing.T) {
	t.Parallel()
	config := impatient()
	c := newRigWith(t, config).caller("acme")
	content := page(t, "はい")
	body, pipe := io.Pipe()
	go func() {
		tick := time.NewTicker(config.RequestTimeout / 8)
		defer tick.Stop()
		for part := range 16 {
			<-tick.C
			from, to := part*len(content)/16, (part+1)*len(content)/16
			if _, err := pipe.Write(content[from:to]); err != nil {
				return
			}
		}
		_ = pipe.Close()
	}()
	start := time.Now()
	c.do(http.MethodPost, "/v1/blobs", body).is(http.StatusCreated)
	require.Greater(t, time.Since(start), config.RequestTimeout)
}

// Slow bodies of one tenant keep no other tenant out, and are cut off.
func TestTricklingUploadsAreCut(t *testing.T) {
	t.Parallel()
	config := impatient()
	config.MaxUploads, config.MinUploadRate = 2, 1000
	r := newRigWith(t, config)
	slow := r.caller("slow")
	answers := make(chan answer, config.MaxUploads)
	for range config.MaxUploads {
		body, pipe := io.Pipe()
		t.Cleanup(func() { _ = body.Close() })
		go func() {
			a, err := slow.try(http.MethodPost, "/v1/blobs", body)
			if err != nil {
				a = answer{t: t, body: []byte(err.Error())}
			}
			answers <- a
		}()
		first := make(chan struct{})
		go func() {
			tick := time.NewTicker(config.RequestTimeout / 8)
			defer tick.Stop()
			begun := sync.OnceFunc(func() { close(first) })
			for {
				if _, err := pipe.Write([]byte("x")); err != nil {
					return
				}
				begun()
				<-tick.C
			}
		}()
		<-first
	}
	r.caller("quick").do(http.MethodPost, "/v1/blobs", reader(page(t, "はい"))).is(http.StatusCreated)
	for range config.MaxUploads {
		(<-answers).refused(http.StatusRequestTimeout, core.CodeInvalidInput, "slower than 1000 bytes per second")
	}
	slow.do(http.MethodPost, "/v1/blobs", reader(page(t, "はい"))).is(http.StatusCreated)
}
