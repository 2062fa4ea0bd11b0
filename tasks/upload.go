package tasks

import (
	"context"
	"io"

	"github.com/google/uuid"

	"plait/internal/core"
)

// Upload is a file of a request.
type Upload struct {
	// Name is the file name, with its folder where there is one.
	Name string
	// File gives Size bytes.
	File io.ReaderAt
	Size int64
}

// Content returns the file as a content whose hash is not yet known.
func (u Upload) Content() Content {
	return Content{Name: u.Name, Size: u.Size, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(u.File, 0, u.Size)), nil
	}}
}

// KeepUpload stores a file with the known hash ref, so that requests of the tenant can name it while uploads are kept.
func (s *Service) KeepUpload(ctx context.Context, tenant string, ref core.BlobRef, u Upload) error {
	holder := uuid.NewString()
	refs := []core.BlobRef{ref}
	if err := s.records.HoldBlobs(ctx, holder, refs); err != nil {
		return err
	}
	err := s.put(ctx, io.NewSectionReader(u.File, 0, u.Size), u.Size, ref)
	if err == nil {
		err = s.records.KeepUpload(ctx, tenant, holder, ref, u.Size, s.retention.Uploads)
	}
	if err != nil {
		s.takeBack(ctx, holder, refs)
	}
	return err
}

// OpenUpload opens a file that the tenant uploaded. It fails with BLOB_MISSING for any other: knowing the name of a blob is not permission
// to read it.
func (s *Service) OpenUpload(ctx context.Context, tenant string, ref core.BlobRef) (io.ReadCloser, error) {
	if err := s.records.HasUpload(ctx, tenant, ref); err != nil {
		return nil, err
	}
	r, _, err := s.blobs.Open(ctx, ref)
	return r, err
}
