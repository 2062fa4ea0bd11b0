package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/api/client"
	"plait/api/client/progress"
	videoclient "plait/api/video/client"
	videoschema "plait/api/video/schema"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/video"
)

// ofServer are the flags of `plait video upscale` that apply to --server too: the server chooses everything else.
var ofServer = map[string]bool{"server": true, "scale": true, "out": true, "json": true}

// runByServer lets a server enlarge the video.
func (f *upscaleFlags) runByServer(c *cobra.Command, l *config.Loaded, source string) error {
	var err error
	c.Flags().Visit(func(flag *pflag.Flag) {
		if !ofServer[flag.Name] && c.InheritedFlags().Lookup(flag.Name) == nil {
			err = usageError(c, fmt.Errorf("--%s is not for --server: the server chooses how the video is enlarged", flag.Name))
		}
	})
	if err != nil {
		return err
	}
	scale := f.Scale
	if scale == 0 {
		scale = 2
	}
	path, err := f.target(source, scale, "mp4")
	if err != nil {
		return err
	}
	target := files.Result{File: path}
	if err := target.Check([]string{source}); err != nil {
		return err
	}
	s := newSession(c, l, f.server, progress.New(c.OutOrStdout(), f.asJSON, kinds.Progress()))
	return s.use("The task goes on at the server: plait video status shows it.", func(ctx context.Context, api *client.Client) error {
		blob, err := upload(ctx, api, source)
		if err != nil {
			return files.In(source, err)
		}
		task, err := videoclient.Client{Client: api}.Create(ctx, videoschema.Request{
			Model: video.UpscaleModel, Type: string(video.VideoUpscale), Input: &videoschema.Input{Video: string(blob)},
			Parameters: &videoschema.Parameters{Scale: &scale},
		}, "")
		if err != nil {
			return err
		}
		if task, err = s.watch(ctx, api, task); err != nil {
			return err
		}
		return s.conclude(ctx, api, task, target)
	})
}

// upload stores a file at the server.
func upload(ctx context.Context, api *client.Client, path string) (core.BlobRef, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", files.Plain(err)
	}
	reader := &fileReader{Reader: file}
	blob, err := api.Upload(ctx, reader)
	if reader.err != nil {
		err = files.Plain(reader.err)
	}
	return blob.Blob, errors.Join(err, file.Close())
}

// fileReader keeps the error of a file, which the exchange would report as one of the server.
type fileReader struct {
	io.Reader
	err error
}

func (r *fileReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
