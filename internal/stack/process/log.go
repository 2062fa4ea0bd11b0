package process

import (
	"cmp"
	"log/slog"

	"gopkg.in/natefinch/lumberjack.v2"
)

const (
	// A log file is rotated when it reaches this size, and this many old files are kept.
	logMegabytes = 10
	logBackups   = 2
)

// log is a child's log file. Its errors must not reach the goroutine that copies the child's output: the goroutine would end, the pipe
// would close, and the child's next write would kill it.
type log struct {
	file    *lumberjack.Logger
	logger  *slog.Logger
	name    string
	failing bool
	dropped int64 // bytes dropped since the first failed write
}

func newLog(o Options) *log {
	return &log{
		file: &lumberjack.Logger{Filename: o.LogFile, MaxSize: logMegabytes, MaxBackups: logBackups},
		name: o.Name, logger: cmp.Or(o.Logger, slog.Default()),
	}
}

// Write writes b to the file. It returns no error: output that cannot be written is dropped.
func (l *log) Write(b []byte) (int, error) {
	switch _, err := l.file.Write(b); {
	case err != nil:
		l.dropped += int64(len(b))
		if !l.failing {
			l.failing = true
			l.logger.Warn("cannot write a child's log; its output is dropped until the log works again",
				"child", l.name, "log", l.file.Filename, "error", err)
		}
	case l.failing:
		l.logger.Info("a child's log works again", "child", l.name, "log", l.file.Filename, "dropped_bytes", l.dropped)
		l.failing, l.dropped = false, 0
	}
	return len(b), nil
}

func (l *log) Close() error { return l.file.Close() }
