package top

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"plait/api/schema"
)

// unknown is shown for what is not reported.
const unknown = "-"

// Frame returns an overview as lines of text: what is worked on, the queues, the hosts, and the tenants.
func Frame(o schema.Overview) []string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s UTC\n\n", o.At.UTC().Format(time.DateTime))
	table(&b, "WORK\tQUEUED\tOLDEST\tRUNNING\tPAUSED\tITEMS/MIN\tFAILED/MIN", o.Work, func(w schema.Work) []any {
		return []any{w.Kind, w.Queued, age(w.OldestQueued), w.Running, w.Paused, w.ItemsPerMinute, w.FailedPerMinute}
	})
	table(&b, "QUEUE\tWAITING\tOLDEST\tADDED/MIN\tTAKEN/MIN\tPOLLERS", o.Queues, func(q schema.Queue) []any {
		return []any{
			q.Name, shown(q.Waiting, func(n int64) string { return strconv.FormatInt(n, 10) }), shown(q.OldestWaiting, age),
			shown(q.AddedPerMinute, rate), shown(q.TakenPerMinute, rate), shown(q.Pollers, strconv.Itoa),
		}
	})
	table(&b, "HOST\tSTATE\tROLES\tDEVICE\tWAITING\tCONTEXTS\tVERSION\tSEEN", o.Hosts, func(h schema.Host) []any {
		device, waiting, contexts := unknown, unknown, unknown
		if h.Device != "" {
			device, waiting = fmt.Sprintf("%s ×%d", h.Device, h.Slots), strconv.Itoa(h.Waiting)
			contexts = fmt.Sprintf("%d/%d", h.Contexts, h.ContextCapacity)
		}
		return []any{
			h.Name, h.State, strings.Join(h.Roles, ","), device, waiting, contexts, h.Version,
			o.At.Sub(h.SeenAt).Round(time.Second).String() + " ago",
		}
	})
	table(&b, "TENANT\tTIER\tRUNNING\tWAITING\tITEMS/MIN\tREQUESTS/MIN\tTOKENS/MIN", o.Tenants, func(t schema.BusyTenant) []any {
		return []any{t.Name, t.Tier, t.RunningTasks, t.WaitingTasks, t.ItemsPerMinute, t.RequestsPerMinute, t.TokensPerMinute}
	})
	return strings.Split(strings.TrimSuffix(b.String(), "\n\n"), "\n")
}

// table writes a table with a row for each element, or only its header, and an empty line.
func table[T any](b *strings.Builder, header string, list []T, row func(T) []any) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	for _, element := range list {
		cells := row(element)
		fmt.Fprintln(w, strings.TrimSuffix(fmt.Sprintf(strings.Repeat("%v\t", len(cells)), cells...), "\t"))
	}
	_ = w.Flush() // it writes to memory
	b.WriteByte('\n')
}

func shown[T any](v *T, text func(T) string) string {
	if v == nil {
		return unknown
	}
	return text(*v)
}

func rate(perMinute float64) string { return strconv.FormatFloat(perMinute, 'f', 1, 64) }

func age(seconds int64) string {
	if seconds == 0 {
		return unknown
	}
	return (time.Duration(seconds) * time.Second).String()
}
