package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	videoclient "plait/api/video/client"
	videoschema "plait/api/video/schema"
	"plait/internal/config"
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
	scale := cmp.Or(f.Scale, 2)
	path, err := f.target(source, scale, "mp4")
	if err != nil {
		return err
	}
	target := files.Result{File: path}
	if err := target.Check([]string{source}); err != nil {
		return err
	}
	s := newSession(c, l, f.server, progress.New(c.OutOrStdout(), f.asJSON, kinds.Progress()))
	return s.make("The task goes on at the server: plait video status shows it.", target, func(ctx context.Context, api *client.Client) (schema.Task, error) {
		blob, err := api.UploadFile(ctx, source)
		if err != nil {
			return schema.Task{}, err
		}
		return videoclient.Client{Client: api}.Create(ctx, videoschema.Request{
			Model: video.UpscaleModel, Type: string(video.VideoUpscale), Input: &videoschema.Input{Video: string(blob.Blob)},
			Parameters: &videoschema.Parameters{Scale: &scale},
		}, "")
	})
}
