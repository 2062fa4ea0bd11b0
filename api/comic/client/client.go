// Package comicclient is the client of the API of comics.
package comicclient

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"plait/api/client"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// Client is safe for concurrent use.
type Client struct{ *client.Client }

// Request is a request for a translation.
type Request struct {
	From, To   string
	Mode       core.Mode
	Title      string
	Translator string
	Files      []client.File
	// URLs are files that the server fetches.
	URLs   []string
	Script []byte
	// Strict fails a page with a text that the script lacks.
	Strict bool
	// Sounds is what becomes of drawn sound effects.
	Sounds comic.SoundMode
	// Fast has smaller models read the pages.
	Fast bool
	// Glossary is a table or a list of entries, as package glossary reads it.
	Glossary []byte
	Synopsis string
	// Priority is from 1 (highest) to 5; 0 is the default.
	Priority int
	// CallbackURL is told of the end of the task; it may be empty.
	CallbackURL    string
	IdempotencyKey string
}

// Request converts the request into the form that all kinds share.
func (r Request) Request() client.Request {
	request := client.Request{
		Path: comicschema.Path, Title: r.Title, Priority: r.Priority, Files: r.Files, URLs: r.URLs, IdempotencyKey: r.IdempotencyKey,
		CallbackURL: r.CallbackURL,
		Fields: map[string]string{
			comicschema.FieldFrom: r.From, comicschema.FieldTo: r.To, comicschema.FieldMode: string(r.Mode),
			comicschema.FieldTranslator: r.Translator, schema.FieldSynopsis: r.Synopsis,
			comicschema.FieldSounds: string(r.Sounds),
		},
		Contents: map[string][]byte{comicschema.FieldScript: r.Script, schema.FieldGlossary: r.Glossary},
	}
	if r.Strict {
		request.Fields[comicschema.FieldStrict] = "true"
	}
	if r.Fast {
		request.Fields[comicschema.FieldFast] = "true"
	}
	return request
}

// Translate posts a request, as [client.Client.Create] does.
func (c Client) Translate(ctx context.Context, r Request) (schema.Task, error) {
	return c.Create(ctx, r.Request())
}

// Page returns a page of a task with its texts; index counts from 0.
func (c Client) Page(ctx context.Context, id string, index int) (comicschema.Page, error) {
	item, err := c.Item(ctx, id, index)
	return comicschema.PageOf(item), err
}

// Edit changes translations of a page and returns the page. The image shows the edit only once the edit has ended. It fails with
// [core.CodeConflict] while the page has no result. Repeating it is safe.
func (c Client) Edit(ctx context.Context, id string, index int, regions []comicschema.EditedRegion) (comicschema.Page, error) {
	body, err := json.Marshal(comicschema.EditRegions{Regions: regions})
	if err != nil {
		return comicschema.Page{}, err
	}
	var item schema.Item
	err = c.Do(ctx, http.MethodPatch, fmt.Sprintf("%s/items/%d/regions", comicschema.TaskPath(id), index), body, &item)
	return comicschema.PageOf(item), err
}

// Script streams the texts of a task, with the translations so far, to w. Format is "json" or "csv".
func (c Client) Script(ctx context.Context, id, format string, w io.Writer) error {
	return c.Download(ctx, comicschema.TaskPath(id)+"/script?"+url.Values{"format": {format}}.Encode(), w)
}
