package installation

import (
	"io"
	"log/slog"
	"path/filepath"
	"strings"

	"plait/internal/config"

	"gopkg.in/natefinch/lumberjack.v2"
)

// NewLogger returns a logger that writes to w with the configured level and format.
func NewLogger(w io.Writer, c config.Log) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(strings.ToUpper(c.Level))) // config has checked that it is one of the four names
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// NewSessionLogger returns the logger of an installation that one command starts. It writes to logs/plait.log in the data folder, so
// that log lines do not mix with the progress of the command, or to w if log.level is set.
func NewSessionLogger(w io.Writer, l *config.Loaded) *slog.Logger {
	if l.Origin["log.level"] == "default" {
		w = &lumberjack.Logger{Filename: filepath.Join(l.DataDir, "logs", "plait.log"), MaxSize: 10, MaxBackups: 3}
	}
	return NewLogger(w, l.Log)
}
