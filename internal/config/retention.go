package config

import "time"

// Retention is how long what has ended is kept. Zero keeps it.
type Retention struct {
	Files   time.Duration `key:"files" def:"0s" min:"0s" help:"time for which the images and results of an ended task are kept, such as 720h; 0: as long as the task"`
	Tasks   time.Duration `key:"tasks" def:"0s" min:"0s" help:"time for which an ended task is kept, with its pages and texts; 0: until it is deleted"`
	Answers time.Duration `key:"answers" def:"0s" min:"0s" help:"time for which the texts of model answers are kept, which save paying for the same question again; 0: as long as their task"`
	Calls   time.Duration `key:"calls" def:"0s" min:"0s" help:"time for which the ledger of model calls is kept; 0: for ever"`
	Uploads time.Duration `key:"uploads" def:"24h" min:"1m" help:"time for which an uploaded file waits for the request that names it"`
}
