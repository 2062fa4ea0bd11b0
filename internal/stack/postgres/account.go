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
	// accountName is an account that a system may have for the server. It is used where it exists.
	accountName = "plait"

	// Numbers that no distribution and no container gives to anybody: see "Users, Groups, UIDs and GIDs on systemd Systems". The
	// few below 2^16 are for containers to which the system maps no more.
	highID, highIDs = 1_879_048_192, 1 << 28
	lowID, lowIDs   = 65_520, 14
)

// account is what root's server runs as: the account "plait", or else a number of its own for each data folder, which needs no entry in
// the system's list of accounts. "nobody" will not do: other services run as nobody, and could read the cluster.
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

// isMapped reports whether this process's user namespace has the number, in user_namespaces(7)'s lines of first, outside, count.
func isMapped(id uint64) bool {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return true // no Linux, no namespaces
	}
	for line := range strings.Lines(string(text)) {
		var first, outside, count uint64
		if _, err := fmt.Sscan(line, &first, &outside, &count); err == nil && id >= first && id-first < count {
			return true
		}
	}
	return false
}
