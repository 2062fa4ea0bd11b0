package config

import "time"

// Retention is how long what has ended is kept. Zero keeps it.
type Retention struct {
	Files   time.Duration `key:"files" def:"0s" min:"0s" help:"Lifetime of the images and results of a finished task, such as 720h. 0: as long as the task."`
	Tasks   time.Duration `key:"tasks" def:"0s" min:"0s" help:"Lifetime of a finished task with its items and texts. 0: until it is deleted."`
	Answers time.Duration `key:"answers" def:"0s" min:"0s" help:"Lifetime of the texts of model answers, which avoid paying for the same question again. 0: as long as their task."`
	Calls   time.Duration `key:"calls" def:"0s" min:"0s" help:"Lifetime of the records of model calls. 0: unlimited."`
	Uploads time.Duration `key:"uploads" def:"24h" min:"1m" help:"Lifetime of an uploaded file that no request has used."`
}
