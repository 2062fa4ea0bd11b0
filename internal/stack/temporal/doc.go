// Package temporal runs the embedded Temporal server: the `temporal` CLI where it is installed, or else plait-temporal, the server
// built from devserver/, which takes the same flags.
package temporal
