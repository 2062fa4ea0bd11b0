// Package netns runs a program in a network of its own, which other processes reach through Unix sockets alone.
//
// A server that listens on loopback without asking who connects is open to every user of the machine. On Linux such a program gets
// a network namespace: its loopback is nobody else's, and it has no way out. A helper process, which is this same executable under
// another name, brings that loopback up, starts the program, and passes connections on from Unix sockets, whose folder only their
// owner can enter. Root makes the namespace directly; another user makes a user namespace around it.
//
// [Supported] says whether this system allows it. Containers without CAP_SYS_ADMIN and systems that forbid user namespaces do not,
// and there is nothing like it elsewhere.
package netns
