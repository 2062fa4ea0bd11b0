// Package process runs the child processes of the embedded stack.
//
// A child has a process group of its own, so that Ctrl-C in the terminal reaches the parent alone and the parent decides the order
// in which things stop. It does not outlive its parent: on Linux the kernel signals it when the parent dies, however that happens;
// everywhere, what a killed parent left behind is found again by a record on disk ([Record], [StopLeftover]). Its output goes to a
// log file bounded in size, and its last lines are kept for error messages.
package process
