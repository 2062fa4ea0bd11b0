// Package postgres runs the embedded Postgres server: makes its cluster once, starts it, and stops it.
//
// Postgres refuses to run as root. Started by root it runs as an account of its own, which needs no entry in the system's list of
// accounts (see account.go). That account must be able to walk down to the cluster and to the binaries, so where a folder above them
// is closed (under /root, for example) both are put elsewhere: see [ChoosePlace] and [ReachableTree].
//
// It listens on a Unix socket in a folder that its account alone can enter, with a password made at initdb as well.
package postgres
