package chaos_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// summarize prints what was done and what came of it, and keeps it beside the story.
func (s *storm) summarize(chapters []chapter, ended map[int]outcomeOfTask, f *findings) {
	s.t.Helper()
	wishes, tasks, pages := map[string]int{}, map[string]int{}, map[string]int{}
	for _, ch := range chapters {
		if ch.wish.what != "" {
			wishes[ch.wish.what]++
		}
		if _, there := ended[ch.number]; !there {
			tasks["deleted"]++
		}
	}
	for _, o := range ended {
		tasks[string(o.task.Status)]++
		for i, p := range o.pages {
			kind := string(p.status) + " " + string(o.task.Items[i].Mode)
			if p.code != "" {
				kind += " " + string(p.code)
			}
			pages[kind]++
		}
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "storm of seed %d, %.0f s\n", *seed, s.stormed.Seconds())
	section(table, "faults", s.struck)
	section(table, "wishes of customers", wishes)
	section(table, "tasks", tasks)
	section(table, "pages", pages)
	section(table, "fallbacks by cause", s.fallbacks)
	section(table, "model calls", map[string]int{
		"asked": s.bill.asked, "answered": s.bill.answered, "recorded": s.bill.recorded, "lost in the window": s.bill.lost,
		"paid twice": s.bill.twice,
	})
	section(table, "left over", s.leftovers)
	fmt.Fprintf(table, "findings\t%d\n", len(f.list))
	require.NoError(s.t, table.Flush())
	s.t.Log("\n" + b.String())
	require.NoError(s.t, os.WriteFile(filepath.Join(s.logs, "summary.txt"), []byte(b.String()), 0o644))
}

func section(table *tabwriter.Writer, name string, counts map[string]int) {
	fmt.Fprintf(table, "%s\n", name)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(table, "  %s\t%d\n", key, counts[key])
	}
}

// fallbacksByCause are the pages that were done again as a whole, by what became of their render.
func (s *storm) fallbacksByCause() (map[string]int, error) {
	conn, err := pgx.Connect(s.t.Context(), s.url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(s.t.Context())
	rows, err := conn.Query(s.t.Context(), `SELECT cause, count(*) FROM (
			SELECT coalesce((SELECT r.code FROM stage_run r WHERE r.task_id = p.task_id AND r.item_index = p.item_index AND r.stage = 'render'
				ORDER BY r.attempt DESC LIMIT 1), 'HOST_LOST, before its render began') AS cause
			FROM item p JOIN task t ON t.id = p.task_id WHERE t.tenant = $1 AND p.mode = 'fallback_to_unified'
		) AS fallback GROUP BY cause`, s.customer.tenant)
	if err != nil {
		return nil, err
	}
	causes := map[string]int{}
	var cause string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&cause, &n}, func() error {
		causes[cause] = n
		return nil
	})
	return causes, err
}
