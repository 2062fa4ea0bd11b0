// Package top shows in a terminal what an installation does: its work, queues, hosts and tenants, again and again.
package top

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"plait/api/schema"
)

// Read reads an overview.
type Read func(context.Context) (schema.Overview, error)

// Show shows overviews in the terminal until a person ends it, or ctx ends. It reads one every so often, and shows the last one while a
// read fails. It fails with the error of the first read.
func Show(ctx context.Context, every time.Duration, read Read, options ...tea.ProgramOption) error {
	first, err := read(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	v := &view{ctx: ctx, read: read, every: every, lines: Frame(first)}
	_, err = tea.NewProgram(v, append(options, tea.WithContext(ctx), tea.WithoutSignalHandler())...).Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// view is the model of the program.
type view struct {
	ctx           context.Context
	read          Read
	every         time.Duration
	lines         []string
	width, height int
	// above is the number of lines that are scrolled out of sight.
	above int
	// failed is why the last read failed, and since when reads do.
	failed error
	since  time.Time
}

// answer is what a read returned.
type answer struct {
	overview schema.Overview
	err      error
}

// due says that it is time to read again.
type due struct{}

// Init implements [tea.Model].
func (v *view) Init() tea.Cmd { return v.later() }

func (v *view) later() tea.Cmd { return tea.Tick(v.every, func(time.Time) tea.Msg { return due{} }) }

// Update implements [tea.Model].
func (v *view) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		v.width, v.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return v, v.press(msg.String())
	case due:
		return v, func() tea.Msg {
			o, err := v.read(v.ctx)
			return answer{o, err}
		}
	case answer:
		v.take(msg)
		return v, v.later()
	}
	return v, nil
}

func (v *view) take(a answer) {
	switch {
	case a.err == nil:
		v.lines, v.failed = Frame(a.overview), nil
	case v.failed == nil:
		v.since = time.Now()
		fallthrough
	default:
		v.failed = a.err
	}
}

func (v *view) press(key string) tea.Cmd {
	switch key {
	case "q", "esc", "ctrl+c":
		return tea.Quit
	case "up", "k":
		v.above--
	case "down", "j":
		v.above++
	case "pgup":
		v.above -= v.height
	case "pgdown", "space":
		v.above += v.height
	}
	v.above = max(0, min(v.above, len(v.lines)-v.room()))
	return nil
}

// room is the number of lines between the top and the line at the bottom.
func (v *view) room() int { return max(v.height-1, 1) }

// View implements [tea.Model].
func (v *view) View() tea.View {
	if v.height == 0 { // the size of the window comes first
		return tea.NewView("")
	}
	lines := slices.Clone(v.lines[min(v.above, len(v.lines)):])
	left := max(len(lines)-v.room(), 0)
	lines = lines[:len(lines)-left]
	for len(lines) < v.room() {
		lines = append(lines, "")
	}
	lines = append(lines, v.status(left))
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, v.width, "…")
	}
	shown := tea.NewView(strings.Join(lines, "\n"))
	shown.AltScreen, shown.WindowTitle = true, "plait top"
	return shown
}

// status is the line at the bottom.
func (v *view) status(left int) string {
	text := "q ends"
	if left > 0 || v.above > 0 {
		text += fmt.Sprintf(" · ↑ ↓ scroll, %d lines are above and %d below", v.above, left)
	}
	if v.failed != nil {
		text = fmt.Sprintf("since %s: %v · %s", v.since.UTC().Format(time.TimeOnly), v.failed, text)
	}
	return text
}
