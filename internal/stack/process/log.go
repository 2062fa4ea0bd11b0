package process

import (
	"cmp"
	"log/slog"

	"gopkg.in/natefinch/lumberjack.v2"
)

const (
	// A log file is renamed at this size, and this many renamed ones are kept.
	logMegabytes = 10
	logBackups   = 2
)

// log is a child's log file. An error of it must not reach whoever copies the child's output: the copying would end, the pipe
// would close, and the child would die of its next line.
type log struct {
	file    *lumberjack.Logger
	logger  *slog.Logger
	name    string
	failing bool
	dropped int64 // bytes since it began to fail
}

func newLog(o Options) *log {
	return &log{
		file: &lumberjack.Logger{Filename: o.LogFile, MaxSize: logMegabytes, MaxBackups: logBackups},
		name: o.Name, logger: cmp.Or(o.Logger, slog.Default()),
	}
}

// Write never fails; what the file does not take is dropped.
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
