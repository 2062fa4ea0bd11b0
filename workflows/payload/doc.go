// Package payload encrypts the data passed to Temporal: arguments and results of workflows and steps, signals, queries, memos, summaries,
// details and the messages of failures. They include page texts, which must not be stored in plain text in a Temporal server, its database
// or its backups.
//
// An encrypted payload has the encoding "binary/plait-aes-256-gcm". Its data is a random nonce of 12 bytes and the sealed original, and
// its metadata names the key. Unencrypted payloads are read unchanged.
//
// Readers of Temporal's database can still see: ids of workflows, runs and steps, their types, queues and times, names of signals and
// queries, types of failures, identities of workers, fairness keys (tenants), and search attributes (tenant, kind, status, target
// language, retry). None of these contains a text or a title of a page or a chapter.
package payload
