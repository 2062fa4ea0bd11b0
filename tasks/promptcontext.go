package tasks

import (
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// MaxSynopsisRunes is about a page of prose.
const MaxSynopsisRunes = 2000

// PromptContext is what every prompt of a task tells the model about the whole work. Each part may be empty. Its JSON is part of the
// fingerprint of a request.
type PromptContext struct {
	// Glossary contains the names and terms of this work, which take precedence over those of the tenant.
	Glossary []glossary.Entry `json:",omitempty"`
	// Synopsis describes the work.
	Synopsis string `json:",omitempty"`
}

// Check fails with [core.CodeInvalidInput] for a synopsis that is too long, and for a glossary that [glossary.Check] refuses.
func (c PromptContext) Check() error {
	if err := CheckText("synopsis", c.Synopsis, MaxSynopsisRunes); err != nil {
		return err
	}
	return glossary.Check(c.Glossary)
}

// PromptRecords returns the statements that write the prompt context of a task of the tenant that is translated into a language.
func (c PromptContext) PromptRecords(tenant, to string) func(taskID string) []records.Statement {
	return func(taskID string) (list []records.Statement) {
		if len(c.Glossary) > 0 {
			list = append(list, records.PutGlossary(tenant, taskID, to, c.Glossary))
		}
		if c.Synopsis != "" {
			list = append(list, records.PutSynopsis(taskID, c.Synopsis))
		}
		return list
	}
}
