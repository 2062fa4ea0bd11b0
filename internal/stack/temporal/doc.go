// Package temporal runs the embedded Temporal server: the development server of the Temporal CLI, or plait-temporal, the server built
// from devserver/, which takes the same flags.
//
// Whatever the server's own defaults are, the flags and the namespace are set by this package, so that both behave alike.
package temporal
