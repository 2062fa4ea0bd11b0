// Package lease keeps values in the memory of a host: one step of an item leaves a value there, and the next step uses it. The cache
// knows only the id, size and lifetime of a value, not its content.
//
// The cache is bounded by the number of leases, by their age, and by their bytes. When it needs room, it removes expired leases
// first, then spare ones, then the least recently used. An expired lease leaves a tombstone for one more TTL, so that a lookup fails
// with TASK_EXPIRED instead of CACHE_MISS. Evicted leases, and those that were dropped after use, leave none.
//
// The bytes belong to a budget that leases share with pages in progress. Leases that are not in use are evicted for a page that has
// waited too long for memory.
//
// A step claims room for a lease before it makes it. The cache grants only as many claims as leases can be used before they expire,
// according to its measurements.
package lease
