package comic

// The task queues of comics.
const (
	// QueuePage carries page, and edits whose lease is lost, to whichever host is free: steps that leave no lease that
	// anybody waits for.
	QueuePage = "plait-comic-page"
	// QueueDetect carries detect to whichever host has room for one more lease.
	QueueDetect = "plait-comic-detect"
	// QueueDetectNow carries the detects of pages whose turn has come and that failed on QueueDetect. Hosts keep room for
	// them: the other pages of their chapters, which wait for these, may hold all the rest.
	QueueDetectNow = "plait-comic-detect-now"
	// QueueTranslate carries translate, away from any device.
	QueueTranslate = "plait-comic-translate"
	// QueueTranslateAhead carries those that are asked for before their turn: waiting for it, they take no place of others.
	QueueTranslateAhead = "plait-comic-translate-ahead"
)
