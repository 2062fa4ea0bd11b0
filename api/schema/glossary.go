package schema

import "plait/internal/translate/glossary"

// Glossary is the names and terms for translations into a language.
type Glossary struct {
	// To is the target language.
	To string `json:"to"`
	// Entries are those of the task, or of the tenant.
	Entries []glossary.Entry `json:"entries"`
	// TenantEntries are those of the tenant in the glossary of a task; they count for sources that Entries do not name.
	TenantEntries []glossary.Entry `json:"tenant_entries,omitempty"`
}

// EditGlossary is a request to change entries of a glossary: all of them, or none.
type EditGlossary struct {
	Changes []glossary.Change `json:"changes"`
}

// GlossarySuggestions are entries that a person may take over.
type GlossarySuggestions struct {
	Entries []glossary.Entry `json:"entries"`
}
