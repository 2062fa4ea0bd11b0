package api

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/labstack/echo/v4"
	"golang.org/x/sys/unix"

	"plait/internal/core"
)

// requireSpace refuses an upload, before its body is read, when a disk that the installation writes to has less than MinFree left. Running
// work needs that room: database, workflows and results share the disk, and a database that cannot write stops.
func (s *Server) requireSpace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.checkSpace(); err != nil {
			return err
		}
		return next(c)
	}
}

func (s *Server) checkSpace() error {
	for _, folder := range s.Config.Folders {
		free, err := freeBytes(folder)
		if err != nil {
			return core.Wrap(core.CodeUnavailable, err, "the room for uploads cannot be measured")
		}
		if free < uint64(max(s.Config.MinFree, 0)) {
			return core.NewError(core.CodeStorageFull, "the server has too little room for uploads; try again later")
		}
	}
	return nil
}

// freeBytes is how many bytes a user other than root can still write to the disk of a folder.
func freeBytes(folder string) (uint64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, fmt.Errorf("room on the disk of %s: %w", folder, err)
	}
	return uint64(disk.Bavail) * uint64(disk.Bsize), nil //nolint:unconvert // the types differ among systems
}

// isDiskFull reports whether a write failed because the disk is full.
func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
