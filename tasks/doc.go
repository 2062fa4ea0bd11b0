// Package tasks takes what clients ask for and sees it through: it accepts chapters, cancels and deletes tasks, writes
// their results, and sweeps up after crashes.
//
// # Accepting
//
// Everything about a request is checked before anything is written: options, names, the script, each page's header and
// structure. Then the blobs are held and put, then the row is written, then the workflow is started, and only then the
// client is answered. A request that is refused leaves neither row nor blob. A crash between two of these steps is
// repaired by the sweeper: it starts what has a row and no workflow, and removes blobs that no row came to name.
//
// A page that is damaged in its archive is stored as far as it can be read. If that is no whole picture, detect refuses
// it, and the page fails alone; in the result it is as it was read. One whose checksum alone is wrong may be a picture
// all the same, and is translated.
//
// # Memory
//
// Files come as readers at any offset, never as bytes. A file is read twice, to be surveyed and to be stored, and one page
// at a time is in memory whole, whatever the number of requests.
package tasks
