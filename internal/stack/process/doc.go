// Package process runs the child processes of the embedded stack.
//
// A child has its own process group, so that Ctrl-C in the terminal reaches only the parent, and the parent decides the order in which
// its children stop. A child does not outlive its parent: on Linux the kernel signals it when the parent dies, for whatever reason. On
// every system a record on disk ([Record]) lets a later run find and stop the children of a killed parent ([StopLeftover]). The output
// of a child goes to a log file of bounded size, and its last lines are kept for error messages.
package process
