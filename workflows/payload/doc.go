// Package payload encrypts what is handed to Temporal: arguments and results of workflows and steps, signals, queries, memos,
// summaries, details and the messages of failures. Page texts are among them, and a Temporal server, its database and its backups are
// no place for those in the clear.
//
// A payload becomes one of encoding "binary/plait-aes-256-gcm" whose data is a random nonce of 12 bytes and the sealed original, and
// whose metadata names the key. What was written without encryption is read as it is.
//
// What stays readable to whoever reads Temporal's database: ids of workflows, runs and steps, their types, queues and times, names of
// signals and queries, types of failures, identities of workers, fairness keys (tenants), and search attributes (tenant, kind, status,
// target language, retry). No text and no title of a page or a chapter is among these.
package payload
