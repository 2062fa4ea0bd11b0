// Package temporal runs the embedded Temporal server: the development server of the Temporal CLI, or plait-temporal, which is built
// from devserver/ and takes the same flags.
//
// The package sets all flags and configures the namespace, so that both servers behave alike whatever their defaults are.
package temporal
