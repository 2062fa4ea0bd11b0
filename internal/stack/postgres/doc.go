// Package postgres runs the embedded Postgres server: makes its cluster once, starts it on loopback, and stops it.
//
// Postgres refuses to run as root. Started by root it runs as the owner of its cluster, which is "nobody" for a new one; that
// account must be able to walk down to the cluster and to the binaries, so where a folder above them is closed (under /root, for
// example) both are put elsewhere: see [Config.Place].
//
// It listens on a loopback port alone, with a password made at initdb. A Unix socket would need a path of 107 bytes or less.
package postgres
