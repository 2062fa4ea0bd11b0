// Package stack runs the embedded Postgres and Temporal behind `plait up` and `plait translate`, and the child processes that these
// commands add.
//
// An exclusive lock gives a data folder to one stack at a time; [Start] on a folder in use returns [ErrInUse]. A second command can
// use the running stack instead: [Join] waits until the owner has published its addresses, and takes a shared lock. The owner can
// wait for the release of all shared locks ([Stack.WaitJoiners]) before it stops.
//
// A data folder contains:
//
//	lock, joiners.lock   the two lock files; lock contains the owner's process id
//	stack.json           addresses of the running stack (mode 0600); absent when none runs
//	embedded.json        settings that the next run reuses: the folder of the cluster, and Temporal's ports if it listens on loopback
//	postgres.password    generated once (mode 0600)
//	payload.key          generated once (mode 0600): encrypts the payloads that Temporal stores
//	postgres/            the database cluster, unless it had to be placed elsewhere (see package postgres)
//	temporal/            the Temporal server's SQLite file
//	run/                 records of the running processes, which find them after a crash, and Temporal's sockets (mode 0600)
//	logs/                one log file for each process, bounded in size
//
// Children do not outlive their parent: see package process. If the processes are killed, the next Start stops any that are left, and
// Postgres recovers every committed transaction.
package stack
