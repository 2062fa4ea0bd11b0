// Package blob keeps files under the SHA-256 of their content, in a local folder or in an S3 bucket.
//
// A blob never changes: writing the same content twice is writing it once, and a reference that a row holds means the
// same bytes for good. A blob is there as a whole or not at all, whatever dies while it is written. Content is trusted
// only by [Store].Read, which computes the hash again; [Store].Open streams what is stored.
//
// Both stores pass one conformance suite. They hold no state in memory, so any number of processes may share one.
package blob
