package documenttasks

import (
	"context"
	"errors"
	"io"
	"os"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/tasks"
)

// maxPassword is the length in bytes of the longest password of a PDF file (ISO 32000-2, 7.6.4.3.3).
const maxPassword = 127

// unlocked is a file that opens without a password.
type unlocked struct {
	tasks.Upload
	pages int
	// copy is the decrypted copy of an encrypted file, and nil for a file that needs no password.
	copy *os.File
}

// Close frees the copy. It may be called more than once.
func (u *unlocked) Close() error {
	if u.copy == nil {
		return nil
	}
	err := u.copy.Close()
	u.copy = nil
	return err
}

// unlock opens a file and counts its pages. An encrypted file is copied without its encryption, so that its password is needed here alone:
// nothing stores it. A password is not used for a file that opens without one. It fails as CountPages does.
func (s *Service) unlock(ctx context.Context, file tasks.Upload, password string) (u unlocked, err error) {
	if len(password) > maxPassword {
		return u, core.Errorf(core.CodeInvalidInput, "password is longer than the %d bytes of a password of a PDF", maxPassword)
	}
	u.Upload = file
	u.pages, err = s.deps.CountPages(ctx, file.File, file.Size)
	if core.CodeOf(err) != core.CodePassword || password == "" {
		return u, err
	}
	if u.copy, err = decrypted(ctx, file, password, s.deps.Decrypt); err != nil {
		return u, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, u.Close())
		}
	}()
	u.File = u.copy
	if u.Size, err = u.copy.Seek(0, io.SeekEnd); err != nil {
		return u, core.Wrap(core.CodeUnavailable, err, "a temporary file cannot be read")
	}
	u.pages, err = s.deps.CountPages(ctx, u.File, u.Size)
	return u, err
}

// decrypted copies a file into a temporary one.
func decrypted(
	ctx context.Context, file tasks.Upload, password string, decrypt func(context.Context, io.ReadSeeker, string, io.Writer) error,
) (*os.File, error) {
	target, err := blob.Unnamed()
	if err != nil {
		return nil, err
	}
	if err := decrypt(ctx, io.NewSectionReader(file.File, 0, file.Size), password, target); err != nil {
		if core.CodeOf(err) == core.CodePassword {
			err = core.Wrap(core.CodePassword, err, "the password does not open the PDF")
		}
		return nil, errors.Join(err, target.Close())
	}
	return target, nil
}
