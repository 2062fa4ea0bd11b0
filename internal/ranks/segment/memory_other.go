//go:build !linux

package segment

import "errors"

// sharing is false where there are no memfds: every segment is memory of its process.
const sharing = false

const pid = 0

func makeShared(string, int64, func([]byte) error) ([]byte, int, error) {
	return nil, -1, errors.ErrUnsupported
}

func openShared(Handle) ([]byte, error) { return nil, errors.ErrUnsupported }

func free([]byte, int) {}
