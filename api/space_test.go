package api_test

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"testing"

	"plait/internal/core"
)

func TestUploadsAreRefusedWhereADiskHasTooLittleRoom(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.Folders, config.MinFree = []string{t.TempDir()}, math.MaxInt64
	r := newRigWith(t, config)
	c := r.caller("press")
	for _, path := range []string{"/v1/blobs", translations} {
		// The body is not read: one without an end is refused as well.
		c.do(http.MethodPost, path, io.LimitReader(&endless{ctx: t.Context()}, 1<<20)).
			refused(http.StatusInsufficientStorage, core.CodeStorageFull, "too little room for uploads")
	}
	c.do(http.MethodGet, tasksRoute, nil).is(http.StatusOK)
	r.nothingLeft()

	config.MinFree = 1
	roomy := newRigWith(t, config)
	roomy.caller("press").do(http.MethodPost, "/v1/blobs", bytes.NewReader([]byte("x"))).is(http.StatusCreated)
}

// The disk for temporary files has 256 KiB.
func TestADiskThatFillsUpIsNoFaultOfTheServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.child(envServeDisk+"=256k", "TMPDIR="+t.TempDir())
	c := r.caller("press")
	c.do(http.MethodPost, "/v1/blobs", bytes.NewReader(make([]byte, 1<<20))).
		refused(http.StatusInsufficientStorage, core.CodeStorageFull, "no room")
	c.do(http.MethodPost, "/v1/blobs", bytes.NewReader(make([]byte, 1<<10))).is(http.StatusCreated)
}
