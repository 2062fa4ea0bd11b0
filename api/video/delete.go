package videoapi

import (
	"net/http"

	"plait/api"
	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/video"
)

// delete withdraws a video that no engine has taken up, and deletes one that has ended. Of a deletion and the engine that takes the video
// up, or that ends it, one wins.
func (v videos) delete(r *api.Request) error {
	ctx := r.Context.Request().Context()
	t, found, err := v.find(ctx, r)
	if err != nil {
		return err
	}
	if !found {
		return core.Errorf(core.CodeNotFound, "there is no video %q", core.Printable(r.Param("id")))
	}
	of, err := v.records.Video(ctx, t.ID)
	if err != nil {
		return err
	}
	status := stateOf(t, of)
	switch status {
	case video.StatusQueued:
		won, err := v.records.Withdraw(ctx, r.Tenant, t.ID)
		if err != nil {
			return err
		}
		if !won {
			return core.Errorf(core.CodeConflict, "video %s has just been taken up: it cannot be canceled any more", t.ID)
		}
		if _, err := r.Cancel(ctx, t.ID); err != nil && core.CodeOf(err) != core.CodeConflict { // it may have ended meanwhile
			return err
		}
		status = video.StatusCanceled
	case video.StatusSucceeded, video.StatusFailed:
		if err := r.DeleteTask(ctx, t.ID); err != nil {
			return err
		}
	case video.StatusRunning:
		return core.Errorf(core.CodeConflict, "video %s is being made: it cannot be canceled any more", t.ID)
	case video.StatusCanceled:
		return core.Errorf(core.CodeConflict, "video %s is canceled; it goes by itself after 24 hours", t.ID)
	case video.StatusUnknown:
	}
	return r.JSON(http.StatusOK, videoschema.Deleted{Output: videoschema.Output{Status: status, TaskID: t.ID}, RequestID: r.ID()})
}
