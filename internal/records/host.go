package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// HostState is the state of a worker process.
type HostState string

// A process reports the first four states itself. A process without a report for [HostLostAfter] is HostLost.
const (
	HostReady    HostState = "ready"
	HostDraining HostState = "draining"
	HostDrained  HostState = "drained"
	HostStopped  HostState = "stopped"
	HostLost     HostState = "lost"
)

const (
	// HostSeenEvery is the time between two reports of a process.
	HostSeenEvery = 5 * time.Second
	// HostLostAfter is the time after which a process counts as lost: four missing reports.
	HostLostAfter = 4 * HostSeenEvery
	// hostKeptFor is how long a stopped or lost process stays in the list.
	hostKeptFor = 24 * time.Hour
)

// Host is a worker process.
type Host struct {
	// Instance is unique to the process. Name is the name of its host, as in queues and stage runs.
	Instance string   `json:"instance"`
	Name     string   `json:"name"`
	Roles    []string `json:"roles"`
	// Queue is the host queue of the process, and Device is what its models run on. Both are empty without role gpu.
	Queue       string    `json:"-"`
	Device      string    `json:"device,omitempty"`
	Version     string    `json:"version"`
	DeviceSlots int       `json:"device_slots,omitempty"`
	State       HostState `json:"state"`
	// Contexts is the number of detect contexts in memory, at most ContextCapacity; ContextBytes is their size.
	Contexts        int   `json:"contexts"`
	ContextCapacity int   `json:"context_capacity"`
	ContextBytes    int64 `json:"context_bytes"`
	// Waiting is the number of steps of the process that wait for its device.
	Waiting   int       `json:"waiting"`
	StartedAt time.Time `json:"started_at"`
	SeenAt    time.Time `json:"seen_at"`
	// DrainAskedAt is nil unless an operator asked the process to drain.
	DrainAskedAt *time.Time `json:"-"`
}

// HostGoneAfter is how long after its last report a lost process is gone: until then an operator may still look for it.
const HostGoneAfter = time.Hour

// Gone reports whether the process has stopped, or is lost and sent its last report more than [HostGoneAfter] before now.
func (h Host) Gone(now time.Time) bool {
	return h.State == HostStopped || h.State == HostLost && now.Sub(h.SeenAt) > HostGoneAfter
}

// SaveHost writes the report of a process about itself, and returns whether an operator has asked the process to drain. It ignores
// StartedAt, SeenAt and DrainAskedAt, which the database sets. A process that has stopped stays so: a report that was canceled may reach the
// database after the last one.
func (s *Store) SaveHost(ctx context.Context, h Host) (drain bool, err error) {
	err = s.pool.QueryRow(ctx, `
		INSERT INTO host (instance, name, roles, queue, version, device, device_slots, state, contexts, context_capacity, context_bytes, waiting)
		VALUES ($1, $2, $3, nullif($4, ''), $5, nullif($6, ''), $7, $8, $9, $10, $11, $12)
		ON CONFLICT (instance) DO UPDATE SET
			state = CASE WHEN host.state = 'stopped' THEN host.state ELSE excluded.state END, contexts = excluded.contexts, context_bytes = excluded.context_bytes,
			waiting = excluded.waiting, seen_at = now()
		RETURNING drain_asked_at IS NOT NULL`,
		h.Instance, h.Name, h.Roles, h.Queue, h.Version, h.Device, h.DeviceSlots, h.State, h.Contexts, h.ContextCapacity, h.ContextBytes, h.Waiting,
	).Scan(&drain)
	return drain, Wrap(err, "save a host")
}

// Hosts lists the running processes and those that ended within the last day, by name and start.
func (s *Store) Hosts(ctx context.Context) ([]Host, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT instance, name, roles, coalesce(queue, ''), coalesce(device, ''), version, device_slots,
			CASE WHEN state <> 'stopped' AND seen_at < now() - $1::interval THEN 'lost' ELSE state END,
			contexts, context_capacity, context_bytes, waiting, started_at, seen_at, drain_asked_at
		FROM host ORDER BY name, started_at, instance`, HostLostAfter)
	if err != nil {
		return nil, Wrap(err, "list hosts")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Host])
	return list, Wrap(err, "list hosts")
}

// DrainHost asks the running processes of a host to take no more work, and returns their number. Asking again changes nothing. It
// fails with [core.CodeNotFound] when no process of that name runs.
func (s *Store) DrainHost(ctx context.Context, name string) (int, error) {
	tag, err := s.pool.Exec(ctx, `
		UPDATE host SET drain_asked_at = coalesce(drain_asked_at, now())
		WHERE name = $1 AND state <> 'stopped' AND seen_at >= now() - $2::interval`, name, HostLostAfter)
	if err != nil {
		return 0, Wrap(err, "drain a host")
	}
	if tag.RowsAffected() == 0 {
		return 0, core.Errorf(core.CodeNotFound, "no process of host %q runs", name)
	}
	return int(tag.RowsAffected()), nil
}

// ForgetHosts deletes the processes whose last report is more than a day old.
func (s *Store) ForgetHosts(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM host WHERE seen_at < now() - $1::interval`, hostKeptFor)
	return Wrap(err, "forget hosts")
}
