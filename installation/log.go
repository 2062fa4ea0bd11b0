package installation

import (
	"io"
	"log/slog"
	"strings"

	"plait/internal/config"
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
