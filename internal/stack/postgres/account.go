package postgres

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"strings"

	"plait/internal/stack/process"
)

const (
	// accountName is the system account that the server runs as, if it exists.
	accountName = "plait"

	// Ranges of user ids that no distribution and no container runtime assigns: see "Users, Groups, UIDs and GIDs on systemd Systems".
	// Each is a first id and a count. The low range is for containers whose user namespace maps only ids below 2^16.
	highID, highIDs = 1_879_048_192, 1 << 28
	lowID, lowIDs   = 65_520, 14
)

// account returns the account that root's server runs as: "plait" if it exists, or else a user id derived from the path of the data
// folder, which needs no entry in the system's account database. It is not "nobody", because other services run as nobody and could
// read the cluster.
func account(dataDir string) *process.User {
	if named, ok := process.Lookup(accountName); ok && named.UID != 0 {
		return named
	}
	sum := sha256.Sum256([]byte(dataDir))
	chosen := binary.BigEndian.Uint32(sum[:])
	id := highID + chosen%highIDs
	if !isMapped(highID + highIDs - 1) {
		id = lowID + chosen%lowIDs
	}
	return &process.User{UID: id, GID: id}
}

// isMapped reports whether the user namespace of this process maps id. A line of uid_map has the first id inside, the first id outside,
// and the count: see user_namespaces(7).
func isMapped(id uint64) bool {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return true // only Linux has user namespaces
	}
	for line := range strings.Lines(string(text)) {
		var first, outside, count uint64
		if _, err := fmt.Sscan(line, &first, &outside, &count); err == nil && id >= first && id-first < count {
			return true
		}
	}
	return false
}
