package process

import (
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// nobodyID is the id of "nobody" (Linux's overflow id), for systems whose account database does not have that name.
const nobodyID = 65534

// User is an account to run a child as.
type User struct {
	UID, GID uint32
}

// Nobody returns the account "nobody", which has no privileges.
func Nobody() *User {
	if account, ok := Lookup("nobody"); ok {
		return account
	}
	return &User{UID: nobodyID, GID: nobodyID}
}

// Lookup returns the account with this name, or false when the system has none.
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

// Named reports whether the account database of the system has a name for u.
func (u *User) Named() bool {
	_, err := user.LookupId(strconv.FormatUint(uint64(u.UID), 10))
	return err == nil
}

// TakeOwnership makes u the owner of dir and of everything in it. It never follows a symbolic link out of dir, even if another process
// changes dir meanwhile.
func (u *User) TakeOwnership(dir string) error {
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

// Owner returns the account that owns path, or false when it is unknown.
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

// CanReach reports whether the mode bits of the folder dir and of every folder above it let u enter them.
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
