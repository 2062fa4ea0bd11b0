// Package documentclient is the client of the API of documents.
package documentclient

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"plait/api/client"
	"plait/api/client/progress"
	documentschema "plait/api/document/schema"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/document"
)

// Request is a request for a translation.
type Request struct {
	From, To           string
	Mode               core.Mode
	Output             document.Output
	Dual               document.Dual
	Pages              string
	Title              string
	Translator, Domain string
	KeepActions        bool
	// Confidence is from 0.01 to 0.99; 0 is that of the installation.
	Confidence float64
	// TableThreads is from 1 to 100; 0 is that of the installation.
	TableThreads int
	// Password opens an encrypted file.
	Password string
	Files    []client.File
	// Glossary is a table or a list of entries, as package glossary reads it.
	Glossary []byte
	Synopsis string
	// Priority is from 1 (highest) to 5; 0 is the default.
	Priority       int
	IdempotencyKey string
}

// Request converts the request into the form that all kinds share.
func (r Request) Request() client.Request {
	request := client.Request{
		Path: documentschema.Path, Title: r.Title, Priority: r.Priority, Files: r.Files, IdempotencyKey: r.IdempotencyKey,
		Fields: map[string]string{
			documentschema.FieldFrom: r.From, documentschema.FieldTo: r.To, documentschema.FieldMode: string(r.Mode),
			documentschema.FieldOutput: string(r.Output), documentschema.FieldDual: string(r.Dual), documentschema.FieldPages: r.Pages,
			documentschema.FieldTranslator: r.Translator, documentschema.FieldDomain: r.Domain, schema.FieldSynopsis: r.Synopsis,
		},
		Secrets:  map[string]string{documentschema.FieldPassword: r.Password},
		Contents: map[string][]byte{schema.FieldGlossary: r.Glossary},
	}
	if r.Confidence != 0 {
		request.Fields[documentschema.FieldConfidence] = strconv.FormatFloat(r.Confidence, 'g', -1, 64)
	}
	if r.TableThreads != 0 {
		request.Fields[documentschema.FieldTableThreads] = strconv.Itoa(r.TableThreads)
	}
	if r.KeepActions {
		request.Fields[documentschema.FieldKeepActions] = "true"
	}
	return request
}

// Progress returns the words for documents.
func Progress() progress.Kind {
	return progress.Kind{
		Noun: "page",
		Heading: func(t schema.Task) string {
			o := documentschema.TaskOf(t).Options
			return o.From + " → " + o.To
		},
		Stages: []progress.Stage{
			{Name: "Layout", Count: func(t schema.Task) int { return documentschema.TaskOf(t).Details.LaidOut }},
			{Name: "Translate", Count: func(t schema.Task) int { return documentschema.TaskOf(t).Details.Translated }},
			{Name: "Typeset", Count: func(t schema.Task) int { return t.Progress.Done }},
		},
		Outcome: outcome, Summary: summary, Report: report,
	}
}

func outcome(i schema.Item) string {
	p := documentschema.PageOf(i)
	text := progress.Count(p.Paragraphs.Translated, "paragraph")
	if p.Cells.Total > 0 {
		text += ", " + progress.Count(p.Cells.Translated, "cell")
	}
	if p.Mode == document.ModeFallback {
		text += ", translated serially"
	}
	return text
}

func summary(t schema.Task) (lines []string) {
	d := documentschema.TaskOf(t).Details
	lines = append(lines, fmt.Sprintf("%d of %s translated", d.Paragraphs.Translated, progress.Count(d.Paragraphs.Total, "paragraph")))
	if d.Cells.Total > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s translated", d.Cells.Translated, progress.Count(d.Cells.Total, "table cell")))
	}
	if failed := d.Paragraphs.SkippedFailed + d.Cells.SkippedFailed; failed > 0 {
		lines = append(lines, progress.Count(failed, "text")+" left as it was: no acceptable translation")
	}
	if d.Overflow > 0 {
		lines = append(lines, progress.Count(d.Overflow, "text")+" longer than the room for it")
	}
	return lines
}

// report compares what the translation took with its estimate.
func report(ctx context.Context, get progress.Get, t schema.Task) ([]string, error) {
	var r document.Report
	if err := get(ctx, documentschema.TaskPath(t.ID)+"/report", &r); err != nil {
		return nil, err
	}
	if r.TokenDeviation == nil || r.TimeDeviation == nil {
		return nil, nil
	}
	clock := func(seconds float64) string { return progress.Clock(time.Duration(seconds * float64(time.Second))) }
	return []string{fmt.Sprintf("translated with %d tokens in %s (estimate: %d in %s; %+.0f %%, %+.0f %%)",
		r.TotalTokens, clock(r.TranslationSeconds), r.EstimatedInputTokens+r.EstimatedOutputTokens, clock(r.EstimatedSeconds),
		100**r.TokenDeviation, 100**r.TimeDeviation)}, nil
}
