package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"plait/internal/stack/process"
)

// systemDir is the folder in which root puts files that another account must reach.
const systemDir = "/var/lib/plait"

// Place is the folder of a cluster, and the account that the server runs as.
type Place struct {
	Dir  string        // absolute; contains the folder "cluster"
	User *process.User // nil: the user of this process
}

func (p Place) cluster() string { return filepath.Join(p.Dir, "cluster") }

// ChoosePlace finds or creates the folder for the cluster of a data folder (absolute path). recorded is the folder that an earlier
// start chose, or empty: a cluster stays in its folder. For users other than root this is a folder inside the data folder. For root it
// must be a folder that the server's account can reach: inside the data folder, or else under /var/lib/plait, or else a temporary one.
//
// password is that of [Superuser], which each data folder has its own of. A folder under /var/lib/plait is named by both, because it
// outlives the data folder: a new data folder of the same path gets a new cluster, not one whose password nobody knows any more.
func ChoosePlace(dataDir, recorded, password string) (Place, error) {
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
	dir := filepath.Join(systemDir, digest(dataDir)+"-"+digest(password))
	if makeEnterable(systemDir, user) == nil && makeEnterable(dir, user) == nil {
		return makePlace(filepath.Join(dir, "postgres"), user)
	}
	temporary, err := os.MkdirTemp("", "plait-")
	if err != nil {
		return Place{}, err
	}
	if err := makeEnterable(temporary, user); err != nil {
		return Place{}, fmt.Errorf("no folder that user %d can reach: tried %s, %s and %s", user.UID, dataDir, dir, temporary)
	}
	return makePlace(filepath.Join(temporary, "postgres"), user)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Abandoned returns the folders under /var/lib/plait that former data folders of the same path have left behind: all but that of p.
func Abandoned(dataDir string, p Place) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(systemDir, digest(dataDir)+"*"))
	return slices.DeleteFunc(found, func(dir string) bool { return dir == filepath.Dir(p.Dir) }), err
}

// makeEnterable creates dir if necessary, and lets user enter it: with mode 0711, which does not let others list it, unless user can
// reach it already.
func makeEnterable(dir string, user *process.User) error {
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return err
	}
	if user.CanReach(dir) {
		return nil
	}
	//nolint:gosec // G302: another account must pass through, and the umask may have prevented it
	if err := os.Chmod(dir, 0o711); err != nil {
		return err
	}
	if !user.CanReach(dir) {
		return fmt.Errorf("user %d cannot reach %s", user.UID, dir)
	}
	return nil
}

// makePlace creates dir, which only user can enter. If dir contains a cluster already, the server runs as the owner of the cluster.
// A cluster that belongs to root, as which Postgres does not run, or to "nobody", which other services share, is given to user first.
func makePlace(dir string, user *process.User) (Place, error) {
	owner, ok := process.Owner(filepath.Join(dir, "cluster"))
	switch {
	case ok && owner.UID != 0 && owner.UID != process.Nobody().UID:
		user = owner
	case ok:
		if err := user.TakeOwnership(dir); err != nil {
			return Place{}, fmt.Errorf("give the cluster to user %d: %w", user.UID, err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Place{}, err
	}
	return Place{Dir: dir, User: user}, os.Chown(dir, int(user.UID), int(user.GID))
}
