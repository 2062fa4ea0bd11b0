package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

// item finds the task and the item of the path.
func (s *Server) item(c echo.Context) (records.Task, records.Item, error) {
	t, err := s.task(c)
	if err != nil {
		return records.Task{}, records.Item{}, err
	}
	index, err := itemIndex(c, t.TotalCount)
	if err != nil {
		return t, records.Item{}, err
	}
	i, err := s.Records.Item(c.Request().Context(), t.ID, index)
	return t, i, err
}

// itemIndex parses the index in the path, of a task with total items. Only the canonical spelling of a number is accepted.
func itemIndex(c echo.Context, total int) (int, error) {
	index, err := strconv.Atoi(c.Param("item"))
	if err != nil || strconv.Itoa(index) != c.Param("item") || index < 0 || index >= total {
		return 0, core.Errorf(core.CodeNotFound, "the task has items 0 to %d", total-1)
	}
	return index, nil
}

// itemWithFiles returns the item of the path if its files are still kept.
func (s *Server) itemWithFiles(c echo.Context) (records.Item, error) {
	_, i, err := s.item(c)
	if err == nil && i.FilesRemoved {
		err = core.Errorf(core.CodeNotFound, "the files of task %s are no longer kept", i.Ref.TaskID)
	}
	return i, err
}

// getItem answers with one item and all its details.
func (s *Server) getItem(c echo.Context) error {
	t, i, err := s.item(c)
	if err != nil {
		return err
	}
	v, err := s.viewItem(c.Request().Context(), t, i)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}

func (s *Server) viewItem(ctx context.Context, t records.Task, i records.Item) (schema.Item, error) {
	k := s.kind(t.Kind)
	var details any
	if k.ItemDetails != nil {
		var err error
		if details, err = k.ItemDetails(ctx, i); err != nil {
			return schema.Item{}, err
		}
	}
	return k.describeItem(i, details)
}

// viewItems returns the items of a task.
func (s *Server) viewItems(ctx context.Context, t records.Task) ([]schema.Item, error) {
	items, err := s.Records.Items(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	k := s.kind(t.Kind)
	details := make([]any, len(items))
	if k.ItemsDetails != nil {
		if details, err = k.ItemsDetails(ctx, t); err != nil {
			return nil, err
		}
	}
	list := make([]schema.Item, min(len(items), len(details))) // a task that is deleted meanwhile has no details
	for n := range list {
		if list[n], err = k.describeItem(items[n], details[n]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s *Server) getItemResult(c echo.Context) error {
	i, err := s.itemWithFiles(c)
	if err != nil {
		return err
	}
	if i.Status != core.StatusSuccess {
		return core.Errorf(core.CodeConflict, "item %d has no result: it is %s", i.Ref.Index, i.Status)
	}
	return s.sendPicture(c, i.Result, i.Ref.Name)
}

func (s *Server) getItemInput(c echo.Context) error {
	i, err := s.itemWithFiles(c)
	if err != nil {
		return err
	}
	return s.sendPicture(c, i.Ref.Blob, i.Ref.Name)
}
