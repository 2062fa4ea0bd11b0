// Package activities holds one thin method for each step of a page's way, and for the begin and end of a task. A
// method takes references, reads what they name, calls an engine or a translator, writes what came out, and turns
// errors into types that the workflows know. What happens in which order, and what if a step fails, is not decided
// here.
//
// # Devices and slots
//
// What a device may do at once is a semaphore of the process that owns it. A step holds it while the engine finds, reads, erases
// and letters, and never while a page is decoded or encoded, nor while a blob, the database or a model answers. How many pages
// are in memory to be decoded and encoded is bounded as well. What a model may be asked at once is a slot of the records, strict
// over all processes. No step holds both.
//
// # Every step may run twice
//
// A step begins by telling the records which run of which page it is, and is given the page as it stands. A page that
// has ended is left alone: its recorded result is the answer. A repeated detect leaves a new context; a repeated
// translate takes the recorded translations; a repeated asking for shorter texts takes the recorded answer, and later pages are
// told the first texts, so that none of them asks anew; of a host that was thought dead, nothing is written any more.
//
// # Stopping
//
// When its worker stops, a step that waits for a device or a slot gives its task back at once, and a step that works
// goes on for as long as the worker's stop time-out allows.
package activities
