// Package lease keeps what a step leaves in the memory of its host for the next step of the same item. What that is, the cache does
// not know: a value has an id, its bytes, and a time to live.
//
// The cache is bounded three ways: by the number of leases, by their age, and by their bytes. Where room is needed,
// expired leases go first, then the least recently used. An expired lease leaves a tombstone for as long as it
// lived, so that its caller is told TASK_EXPIRED and not CACHE_MISS; so does nothing else: an evicted lease, and
// one that is dropped after its use, are simply unknown.
//
// Their bytes are those of a budget of the process, in which what is worked on counts as well: leases that nobody uses give way to
// a page that has waited for memory too long.
//
// What would overflow the cache is not let in: whoever is about to make a lease claims room for it first, and there is
// room for as many as are sure to be used before they expire.
package lease
