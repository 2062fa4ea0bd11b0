// Package postgres runs the embedded Postgres server: it creates the database cluster once, and starts and stops the server.
//
// Postgres refuses to run as root. If root starts it, the server runs as another account, which needs no entry in the system's account
// database (see account.go). That account must be able to reach the cluster and the binaries. If it cannot enter a folder above them
// (/root, for example), both are placed elsewhere: see [ChoosePlace] and [ReachableTree].
//
// The server listens on a Unix socket in a folder that only its account can enter, and asks for a password, which initdb sets.
package postgres
