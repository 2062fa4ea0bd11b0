package process

import (
	"io/fs"
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
	if account, ok := Lookup("nobody"); ok {
		return account
	}
	return &User{UID: nobodyID, GID: nobodyID}
}

// Lookup returns the account of that name, or false when the system has none.
func Lookup(name string) (*User, bool) {
	account, err := user.Lookup(name)
	if err != nil {
		return nil, false
	}
	uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
	if uidErr != nil || gidErr != nil {
		return nil, false
	}
	return &User{UID: uint32(uid), GID: uint32(gid)}, true
}

// Named reports whether the system has a name for u.
func (u *User) Named() bool {
	_, err := user.LookupId(strconv.FormatUint(uint64(u.UID), 10))
	return err == nil
}

// Give makes u the owner of dir and of everything in it. Links lead nowhere out of dir, whatever happens meanwhile.
func (u *User) Give(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(name, int(u.UID), int(u.GID))
	})
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
