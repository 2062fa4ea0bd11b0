package workers

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"plait/internal/core"
)

// Role is the purpose of a worker process. Role control runs workflows; the queues of kinds name the others.
type Role string

// The roles.
const (
	RoleControl Role = "control"
	// RoleGPU owns devices and leases.
	RoleGPU Role = "gpu"
	// RoleTranslate calls models, away from any device.
	RoleTranslate Role = "translate"
)

// ParseRoles reads the names of roles, of all that there are; no name is all. It fails with CodeInvalidInput.
func ParseRoles(names []string, all []Role) ([]Role, error) {
	if len(names) == 0 {
		return all, nil
	}
	var roles []Role
	for _, name := range names {
		role, err := core.OneOf("role", Role(name), all...)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	return roles, nil
}

// NewInstance returns a name that no other process of the host has or had.
func NewInstance() string { return uuid.NewString()[:8] }

// Identity is the name of a process in the Temporal UI: "host/instance (control+gpu)".
func Identity(host, instance string, roles []Role) string {
	return fmt.Sprintf("%s/%s (%s)", host, instance, core.Join(roles, "+"))
}
