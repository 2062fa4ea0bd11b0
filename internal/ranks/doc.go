// Package ranks brings the inputs of a job to all its processes, the ranks, in one order.
//
// Rank 0 is the leader. A [Request] has inputs: bytes of any size that a [Decoder] turns into what the ranks need. The leader alone decides
// how an input travels, gives each request a sequence number, and says which requests failed, were canceled or took too long. Every rank
// applies the requests in the order of their numbers, and a request that failed is applied as its error, so that no two ranks ever differ.
// No request is applied before its inputs are ready on all ranks.
//
// # Modes
//
//	            decoded by    other requests meanwhile
//	Sync        the leader    wait
//	Async       the leader    go on
//	Lazy        each rank     wait
//	AsyncLazy   each rank     go on
//	Auto        Async on one host; between hosts Async or AsyncLazy, by size and by what took less time before
//
// # Content
//
// An input is named by its SHA-256 and its decoder. Requests with the same input share one copy, which is sent and decoded once. It stays
// in a cache until other inputs need its room. The leader decides what leaves the cache; the other ranks follow.
//
// # Loss of a rank
//
// A rank that dies or freezes is noticed within two seconds. Requests that were already applied then fail with CodeHostLost. The others
// wait until the rank has joined again, in another process perhaps, and go on, unless their time is over. A rank whose leader dies stops
// what it does, and frees its memory.
package ranks
