package process

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// nobodyID is the numeric id of "nobody" where no account database names it (Linux's overflow id).
const nobodyID = 65534

// User is an account to run a child as.
type User struct {
	UID, GID uint32
}

// Nobody is the account without rights.
func Nobody() *User {
	account, err := user.Lookup("nobody")
	if err != nil {
		return &User{UID: nobodyID, GID: nobodyID}
	}
	uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
	if uidErr != nil || gidErr != nil {
		return &User{UID: nobodyID, GID: nobodyID}
	}
	return &User{UID: uint32(uid), GID: uint32(gid)}
}

// Owner returns the account that owns path, or false when it cannot be told.
func Owner(path string) (*User, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, false
	}
	return &User{UID: stat.Uid, GID: stat.Gid}, true
}

func (u *User) credential() *syscall.Credential {
	return &syscall.Credential{Uid: u.UID, Gid: u.GID}
}

// CanReach reports whether u may enter the folder dir and every folder above it, by their mode bits.
func (u *User) CanReach(dir string) bool {
	for {
		if !u.mayEnter(dir) {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

func (u *User) mayEnter(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	owner, ok := Owner(dir)
	if !ok {
		return false
	}
	bit := os.FileMode(0o001)
	switch {
	case owner.UID == u.UID:
		bit = 0o100
	case owner.GID == u.GID:
		bit = 0o010
	}
	return info.Mode().Perm()&bit != 0
}
