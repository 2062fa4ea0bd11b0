package segment

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"plait/internal/core"
)

const sharing = true

var pid = os.Getpid()

// sealed forbids every change of content and size, and of this prohibition.
const sealed = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE

// mark begins the names of the memory, as /proc shows them.
const mark = "plait-"

// makeShared returns memory that fill has written, mapped for reading, and its descriptor.
func makeShared(name string, size int64, fill func([]byte) error) (data []byte, file int, err error) {
	file, err = unix.MemfdCreate(mark+name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, -1, core.Errorf(core.CodeUnavailable, "shared memory cannot be made: %w", err)
	}
	defer func() {
		if err != nil {
			_ = unix.Close(file)
		}
	}()
	if err = unix.Fallocate(file, 0, 0, size); err != nil { // writing to memory that there is not would end the process
		return nil, -1, core.Errorf(core.CodeUnavailable, "there is no room for %d bytes of shared memory: %w", size, err)
	}
	writable, err := unix.Mmap(file, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, -1, core.Errorf(core.CodeUnavailable, "shared memory cannot be mapped: %w", err)
	}
	err = fill(writable)
	if unmap := unix.Munmap(writable); err == nil {
		err = unmap
	}
	if err != nil {
		return nil, -1, err
	}
	if _, err = unix.FcntlInt(uintptr(file), unix.F_ADD_SEALS, sealed); err != nil {
		return nil, -1, fmt.Errorf("seal shared memory: %w", err)
	}
	data, err = mapped(file, size)
	return data, file, err
}

func mapped(file int, size int64) ([]byte, error) {
	data, err := unix.Mmap(file, 0, int(size), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("map shared memory: %w", err)
	}
	return data, nil
}

// openShared maps the memory of a handle. A descriptor that its maker has used for another thing since is recognized by its name, its size
// and its seals.
func openShared(h Handle) ([]byte, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/fd/%d", h.PID, h.FD))
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = f.Close()
		runtime.KeepAlive(f)
	}()
	file := int(f.Fd())
	found, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", file))
	if err != nil {
		return nil, err
	}
	seals, err := unix.FcntlInt(uintptr(file), unix.F_GET_SEALS, 0)
	if err != nil || seals&sealed != sealed || !strings.HasPrefix(found, "/memfd:"+mark+h.Name+" ") {
		return nil, fmt.Errorf("%s is another file", found)
	}
	info, err := f.Stat()
	if err != nil || info.Size() != h.Size {
		return nil, fmt.Errorf("it has another size than %d bytes", h.Size)
	}
	return mapped(file, h.Size)
}

func free(data []byte, file int) {
	if file >= 0 {
		_ = unix.Close(file)
	}
	if len(data) >= SharedBytes {
		_ = unix.Munmap(data)
	}
}
