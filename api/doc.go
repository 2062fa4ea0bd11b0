// Package api is Plait's HTTP API: it authenticates, bounds and checks requests, passes them to package tasks, and shows the records.
// openapi.yaml describes it, and the tests check every answer against that description.
//
// # Errors
//
// Every answer that is not a success is {code, message, request_id}, with the status that errors.go maps the code to. Unknown or
// misspelled fields and parameters are refused by name instead of ignored. When an answer fails after its first byte, the server closes
// the connection, so that a client never takes a part for the whole.
//
// # Bounds
//
// The key is checked before the body is read. It determines the tenant; a task of another tenant is answered as not found. Bodies are
// bounded before they are read. An upload is spooled into one unnamed temporary file in the folder TMPDIR; each tenant may have MaxUploads
// of at most MaxBody bytes each at once, and others wait for AdmissionTimeout. A client that is idle for RequestTimeout, or slower than
// MinUploadRate, is disconnected. A file that a request names by URL is fetched into the same temporary file, within the same limits; see package fetch for where it may
// come from. Connections, headers, concurrent key lookups, and the memory for JSON have separate bounds.
//
// # Stopping
//
// While a server stops it answers new requests with 503 and finishes those under way. Every accepted task is durable.
package api
