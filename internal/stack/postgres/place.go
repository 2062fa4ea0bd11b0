package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"plait/internal/stack/process"
)

// systemDir is where root keeps what another user must reach.
const systemDir = "/var/lib/plait"

// Place is the folder of a cluster and the account the server runs as.
type Place struct {
	Dir  string        // absolute; the cluster is inside
	User *process.User // nil: the user of this process
}

func (p Place) cluster() string { return filepath.Join(p.Dir, "cluster") }

// ChoosePlace finds or makes the folder for the cluster of a data folder (absolute). recorded is the place of an earlier start,
// or empty: a cluster stays where it was made. An ordinary user keeps it in the data folder. For root, the server's account must
// be able to reach it: where it cannot, the place is under /var/lib/plait, or else a temporary folder.
func ChoosePlace(dataDir, recorded string) (Place, error) {
	preferred := filepath.Join(dataDir, "postgres")
	if os.Geteuid() != 0 {
		if recorded == "" {
			recorded = preferred
		}
		return Place{Dir: recorded}, os.MkdirAll(recorded, 0o700)
	}
	user := account(dataDir)
	if recorded != "" && user.CanReach(filepath.Dir(recorded)) {
		return makePlace(recorded, user)
	}
	if user.CanReach(dataDir) {
		return makePlace(preferred, user)
	}
	sum := sha256.Sum256([]byte(dataDir))
	dir := filepath.Join(systemDir, hex.EncodeToString(sum[:6]))
	if makePassage(systemDir, user) == nil && makePassage(dir, user) == nil {
		return makePlace(filepath.Join(dir, "postgres"), user)
	}
	temporary, err := os.MkdirTemp("", "plait-")
	if err != nil {
		return Place{}, err
	}
	if err := makePassage(temporary, user); err != nil {
		return Place{}, fmt.Errorf("no folder that user %d can reach: tried %s, %s and %s", user.UID, dataDir, dir, temporary)
	}
	return makePlace(filepath.Join(temporary, "postgres"), user)
}

// makePassage makes dir a folder that user can walk through, but not list, unless it was open before.
func makePassage(dir string, user *process.User) error {
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return err
	}
	if user.CanReach(dir) {
		return nil
	}
	//nolint:gosec // G302: the umask may have closed what another account walks through
	if err := os.Chmod(dir, 0o711); err != nil {
		return err
	}
	if !user.CanReach(dir) {
		return fmt.Errorf("user %d cannot reach %s", user.UID, dir)
	}
	return nil
}

// makePlace makes dir for user alone. A cluster that is there keeps its owner, who becomes the server's account, unless that is root,
// as whom Postgres does not run, or "nobody", who is not one.
func makePlace(dir string, user *process.User) (Place, error) {
	owner, ok := process.Owner(filepath.Join(dir, "cluster"))
	switch {
	case ok && owner.UID != 0 && owner.UID != process.Nobody().UID:
		user = owner
	case ok:
		if err := user.Give(dir); err != nil {
			return Place{}, fmt.Errorf("give the cluster to user %d: %w", user.UID, err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Place{}, err
	}
	return Place{Dir: dir, User: user}, os.Chown(dir, int(user.UID), int(user.GID))
}
