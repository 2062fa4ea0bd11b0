// Package scripts reads lines again that the base recognizer read with doubt or cannot read, with the recognizers that a
// manifest added, and keeps the better reading of each line.
//
// A recognizer is asked where its script may be on the page. For a script that the base recognizer knows (manga-ocr for
// Japanese), that is a page of such a language, and of it the lines read with doubt: the surer reading stays. For one
// that it lacks (Hangul, Cyrillic), the base recognizer cannot be trusted at all, since it reads "СССР" as "CCCP" without
// any doubt: on a page in such a language every line is read again. Where the language is not given, doubtful lines are
// tried first, and all others once one of them proved to be in the script.
package scripts
