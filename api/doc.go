// Package api is Plait's HTTP API: it authenticates, bounds and checks what comes in, hands it to package tasks, and
// shows what the records say. openapi.yaml describes it, and the tests hold every answer to that.
//
// # Errors
//
// Every answer that is not a success is {code, message, request_id}, with the status that errors.go gives the code. What
// a client may misspell is refused by name instead of ignored. An answer that breaks off after it began breaks the
// connection, so that a part never looks whole.
//
// # Bounds
//
// The key is checked before the body is looked at; it decides the tenant, and a task of another tenant does not exist.
// Bodies are bounded before they are read. An upload is spooled into one temporary file without a name, in the folder that
// TMPDIR names; no more than MaxUploads of MaxBody each are there at once for one tenant. A client that is idle for
// RequestTimeout, or slower than MinUploadRate, is cut off. Connections, headers, keys looked up at once, and the memory that JSON may take have bounds of their own.
//
// # Stopping
//
// While a server stops it answers new requests with 503, and those under way end. Whatever was accepted is durable.
package api
