package comictasks

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"

	"golang.org/x/sync/errgroup"

	"plait/internal/archive"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// concurrentChecks is how many blobs are checked at once, to hide the latency of a remote store.
const concurrentChecks = 16

// longestFolder is in bytes: systems bound the length of a path with its folders.
const longestFolder = 100

// writeResult streams the finished chapter as a CBZ to w, from the blobs: the files of the archive in their order, each page replaced by
// its result, and failed pages unchanged. The language in its ComicInfo.xml becomes the target language.
func (s *Service) writeResult(ctx context.Context, w io.Writer, t records.Task) error {
	return s.writeArchive(ctx, w, t, "")
}

// writeFolder streams the same with all files in one folder, which is called as the task.
func (s *Service) writeFolder(ctx context.Context, w io.Writer, t records.Task) error {
	name := archive.FileName(t.Title, t.ID)
	name = strings.TrimRight(strings.ToValidUTF8(name[:min(len(name), longestFolder)], ""), ". ")
	return s.writeArchive(ctx, w, t, name+"/")
}

func (s *Service) writeArchive(ctx context.Context, w io.Writer, t records.Task, folder string) error {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return err
	}
	entries, err := s.resultEntries(ctx, t.ID)
	if err != nil {
		return err
	}
	if err := s.checkBlobs(ctx, entries); err != nil {
		return err
	}
	files := make([]archive.File, len(entries))
	for i, e := range entries {
		files[i] = s.resultFile(ctx, e, o.To)
		files[i].Name = folder + e.Name
	}
	return archive.Write(ctx, w, files)
}

// resultEntries returns the files of the result, each with its blob.
func (s *Service) resultEntries(ctx context.Context, id string) ([]records.File, error) {
	pages, err := s.chapters.Items(ctx, id)
	if err != nil {
		return nil, err
	}
	entries, err := s.chapters.Files(ctx, id, records.RoleArchive)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		for i, p := range pages {
			entries = append(entries, records.File{Position: i, Name: p.Ref.Name, ItemIndex: &p.Ref.Index})
		}
	}
	for i, e := range entries {
		if e.ItemIndex == nil {
			continue
		}
		page := pages[*e.ItemIndex]
		entries[i].Blob = page.Ref.Blob
		if page.Status == core.StatusSuccess {
			entries[i].Blob = page.Result
		}
	}
	return entries, nil
}

func (s *Service) checkBlobs(ctx context.Context, entries []records.File) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(concurrentChecks)
	for _, e := range entries {
		group.Go(func() error {
			_, err := s.deps.Blobs.Stat(ctx, e.Blob)
			return err
		})
	}
	return group.Wait()
}

func (s *Service) resultFile(ctx context.Context, e records.File, language string) archive.File {
	f := archive.File{Name: e.Name, Store: e.ItemIndex != nil}
	f.Open = func() (io.ReadCloser, error) {
		if archive.IsComicInfo(e.Name) {
			return s.openComicInfo(ctx, e, language)
		}
		r, _, err := s.deps.Blobs.Open(ctx, e.Blob)
		return r, err
	}
	return f
}

// openComicInfo sets the language. It returns a file unchanged that is too large or turns out not to be a ComicInfo.
func (s *Service) openComicInfo(ctx context.Context, e records.File, language string) (io.ReadCloser, error) {
	original, err := s.deps.Blobs.Read(ctx, e.Blob, archive.MaxComicInfo)
	if core.CodeOf(err) == core.CodeTooLarge {
		r, _, err := s.deps.Blobs.Open(ctx, e.Blob)
		return r, err
	}
	if err != nil {
		return nil, err
	}
	changed, err := archive.SetLanguage(original, language)
	if err != nil {
		s.deps.Log.Info("a ComicInfo.xml is copied unchanged", slog.Any("error", err))
		changed = original
	}
	return io.NopCloser(bytes.NewReader(changed)), nil
}
