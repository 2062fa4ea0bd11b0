// Package blob stores immutable files (blobs) by the SHA-256 of their content, in a local folder or in an S3 bucket.
//
// A reference always means the same bytes, and storing the same content twice has the effect of storing it once. A blob exists
// completely or not at all, even if its writer dies. [Store].Read and [Store].Open check the hash of the content: Read before it returns
// anything, and Open before it returns the last byte.
//
// Both stores pass the same conformance tests. They have no state in memory, so any number of processes can share a store.
package blob
