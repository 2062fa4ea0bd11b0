// Package ctxcache keeps detect contexts in the memory of a GPU host, from the end of detect to the success of render.
//
// The cache is bounded three ways: by the number of contexts, by their age, and by their bytes. Where room is needed,
// expired contexts go first, then the least recently used. An expired context leaves a tombstone for as long as it
// lived, so that its caller is told TASK_EXPIRED and not CACHE_MISS; so does nothing else: an evicted context, and
// one that is dropped after its render, are simply unknown.
//
// What would overflow the cache is not let in: whoever is about to make a context claims room for it first, and there is
// room for as many as are sure to be used before they expire.
//
// Every answer is one of the split contract, in its order: CACHE_MISS, TASK_EXPIRED, IMAGE_HASH_MISMATCH,
// RENDER_INPUT_INVALID. The first three lead to the compensating branch, the last one does not.
package lease
