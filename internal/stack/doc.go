// Package stack runs the embedded Postgres and Temporal behind `plait up` and `plait translate`, and whatever children the command
// adds to them.
//
// A data folder belongs to one stack at a time, by an exclusive lock; [Start] on a folder in use is refused with [ErrInUse]. A
// second command may use the running stack instead: [Join] waits until the owner has published its addresses, and holds a shared
// lock that the owner can wait for ([Stack.WaitJoiners]) before it stops.
//
// What is in a data folder:
//
//	lock, joiners.lock   the two locks; lock holds the owner's process id
//	stack.json           addresses of the running stack (mode 0600); absent when none runs
//	embedded.json        what is kept from run to run: where the cluster is, and the ports of a Temporal without a network of its own
//	postgres.password    made once (mode 0600)
//	payload.key          made once (mode 0600): encrypts what Temporal keeps
//	postgres/            the cluster, unless it had to go elsewhere (see package postgres)
//	temporal/            the Temporal server's SQLite file
//	run/                 which processes run, to find them again after a kill, and the sockets of Temporal (mode 0600)
//	logs/                one log a process, bounded in size
//
// Nothing outlives its parent: see package process. After a kill of everything, the next Start stops what is left, lets Postgres
// recover, and goes on with all that was answered.
package stack
