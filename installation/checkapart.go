package installation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"plait/api/schema"
	"plait/internal/config"
	"plait/internal/core"
)

// afterKill is how long a killed check may hold its output open.
const afterKill = 5 * time.Second

// examineApart checks a part in a process of its own. The check of the device loads the models, and a crash of the library of a device, or
// the system's lack of memory, must not end the API.
func examineApart(ctx context.Context, l *config.Loaded, part string) (schema.Finding, error) {
	program, err := os.Executable()
	if err != nil {
		return schema.Finding{}, fmt.Errorf("check %s: %w", part, err)
	}
	cmd := exec.CommandContext(ctx, program, "doctor", "--json", part)
	cmd.Env, cmd.WaitDelay = childEnviron(l), afterKill
	said, err := cmd.Output()
	if cause := context.Cause(ctx); cause != nil {
		return schema.Finding{}, cause
	}
	var findings []schema.Finding
	var exited *exec.ExitError
	// A check that found a problem ends with a status, after its output.
	if unfinished := json.Unmarshal(said, &findings); unfinished != nil || len(findings) != 1 || err != nil && !errors.As(err, &exited) {
		return schema.Finding{}, core.Wrap(core.CodeInternal, errors.Join(err, unfinished), "the check of "+part+" ended without a result")
	}
	return findings[0], nil
}
