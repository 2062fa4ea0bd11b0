// Package lease keeps values in the memory of a host that a step leaves for the next step of the same item. The cache knows only the
// id, size and lifetime of a value.
//
// The cache is bounded by the number of leases, by their age, and by their bytes. When it needs room, it removes expired leases
// first, then the least recently used. An expired lease leaves a tombstone for one more TTL, so that a lookup fails with
// TASK_EXPIRED instead of CACHE_MISS. Evicted leases, and those that were dropped after use, leave none.
//
// The bytes belong to a budget that leases share with pages in progress: leases that are not in use give way to a page that has
// waited too long for memory.
//
// The maker of a lease claims room for it first. The cache grants as many claims as leases are sure to be used before they expire.
package lease
