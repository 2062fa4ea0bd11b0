// Package netns runs a program in its own Linux network namespace, where other processes can reach it only through Unix sockets.
//
// A server that listens on loopback without authentication is open to every user of the machine. In its own network namespace, the
// server has a loopback interface that no other program shares, and no other interface. A helper process, which is this same
// executable with another argv[0], brings that loopback up, starts the program, and relays connections from Unix sockets to it. Only
// the owner can enter the folder of the sockets. Root creates the namespace directly; another user creates a user namespace around it.
//
// [Supported] reports whether this system allows network namespaces. Containers without CAP_SYS_ADMIN and systems that forbid user
// namespaces do not, and only Linux has them.
package netns
