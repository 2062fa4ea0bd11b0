package window

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"time"
)

// Chart is a timeline with its title: predicted, or actual.
type Chart struct {
	Title    string
	Timeline *Timeline
}

// drawnWindows bounds the windows of a drawing.
const drawnWindows = 24

// Sizes of a drawing in pixels.
const (
	drawingWidth = 1200
	margin       = 90
	laneHeight   = 34
	laneGap      = 8
	chartHead    = 34
	legend       = 34
)

// colors are the fills of the stages.
var colors = [stageCount]string{"#7aa6da", "#8fc28a", "#e5b567", "#d9837b", "#b294bb"}

// DrawSVG draws the first windows of timelines below one another, on one scale of time. A device that waits is hatched. The text of each
// span is shown when the pointer is on it.
func DrawSVG(w io.Writer, charts []Chart) error {
	out := bufio.NewWriter(w)
	height := legend
	longest := time.Duration(1)
	for _, c := range charts {
		height += chartHead + len(c.Timeline.Devices)*(laneHeight+laneGap)
		for _, s := range c.Timeline.drawn() {
			longest = max(longest, s.End-c.Timeline.first)
		}
	}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
<defs><pattern id="idle" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fff"/><rect width="2" height="6" fill="#bbb"/></pattern></defs>
<rect width="100%%" height="100%%" fill="#fff"/>
`, drawingWidth, height)
	for s, color := range colors {
		x := margin + s*150
		fmt.Fprintf(out, "<rect x=\"%d\" y=\"10\" width=\"14\" height=\"14\" fill=\"%s\"/><text x=\"%d\" y=\"22\">%s</text>\n", x, color, x+20, Stage(s))
	}
	x := margin + len(colors)*150
	fmt.Fprintf(out, "<rect x=\"%d\" y=\"10\" width=\"14\" height=\"14\" fill=\"url(#idle)\" stroke=\"#bbb\"/><text x=\"%d\" y=\"22\">idle</text>\n", x, x+20)
	y := legend
	for _, c := range charts {
		y = c.svg(out, y, float64(drawingWidth-margin-10)/float64(longest))
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

// svg draws one chart from y, with this many pixels for a nanosecond, and returns where it ends.
func (c Chart) svg(out io.Writer, y int, scale float64) int {
	t := c.Timeline
	fmt.Fprintf(out, "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s: %d windows in %s</text>\n",
		y+20, html.EscapeString(c.Title), t.Windows, t.Makespan.Round(time.Millisecond))
	y += chartHead
	end := time.Duration(0)
	for _, s := range t.drawn() {
		end = max(end, s.End-t.first)
	}
	for _, device := range t.Devices {
		fmt.Fprintf(out, "<text x=\"10\" y=\"%d\">%s</text><text x=\"10\" y=\"%d\" fill=\"#777\">%.0f %%</text>\n",
			y+14, html.EscapeString(device), y+28, 100*t.Utilization(device))
		fmt.Fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"url(#idle)\"/>\n", margin, y, float64(end)*scale, laneHeight)
		for _, s := range t.drawn() {
			if s.Device != device {
				continue
			}
			x, width := margin+float64(s.Begin-t.first)*scale, float64(s.End-s.Begin)*scale
			fmt.Fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"0.5\"><title>window %d, %s: %s</title></rect>\n",
				x, y, width, laneHeight, colors[s.Stage], s.Window, s.Stage, (s.End - s.Begin).Round(10*time.Microsecond))
			if width > 18 {
				fmt.Fprintf(out, "<text x=\"%.1f\" y=\"%d\" fill=\"#fff\">%d</text>\n", x+3, y+21, s.Window)
			}
		}
		y += laneHeight + laneGap
	}
	return y
}

// drawn returns the spans of the first windows.
func (t *Timeline) drawn() []Span {
	var spans []Span
	for _, s := range t.Spans {
		if s.Window < drawnWindows {
			spans = append(spans, s)
		}
	}
	return spans
}

// traceEvent is an event in the trace format of Chrome.
type traceEvent struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"`
	Time     float64        `json:"ts"` // microseconds
	Duration float64        `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

// WriteTrace writes timelines in the trace format of Chrome, which chrome://tracing and Perfetto show: a process for each timeline, a
// thread for each device.
func WriteTrace(w io.Writer, charts []Chart) error {
	var events []traceEvent
	for process, c := range charts {
		events = append(events, traceEvent{Name: "process_name", Phase: "M", Process: process, Args: map[string]any{"name": c.Title}})
		for thread, device := range c.Timeline.Devices {
			events = append(events, traceEvent{Name: "thread_name", Phase: "M", Process: process, Thread: thread, Args: map[string]any{"name": device}})
			for _, s := range c.Timeline.Spans {
				if s.Device == device {
					events = append(events, traceEvent{
						Name: s.Stage.String(), Phase: "X", Time: micro(s.Begin), Duration: micro(s.End - s.Begin),
						Process: process, Thread: thread, Args: map[string]any{"window": s.Window},
					})
				}
			}
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": events, "displayTimeUnit": "ms"})
}

func micro(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
