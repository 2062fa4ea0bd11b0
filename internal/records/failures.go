package records

import (
	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// stageFailures counts the runs of the stage of a page that have failed, by their codes. A run whose worker was lost, so
// that a later one took its place, has [core.CodeHostLost]. Those before the page was asked for again do not count.
const stageFailures = `SELECT code, count(*) FROM stage_run
	WHERE task_id = @task AND page_index = @page AND stage = @stage AND attempt > @before AND code IS NOT NULL GROUP BY code`

func collectFailures(rows pgx.Rows) (map[core.Code]int, error) {
	counts := make(map[core.Code]int)
	var code core.Code
	var count int
	_, err := pgx.ForEachRow(rows, []any{&code, &count}, func() error {
		counts[code] = count
		return nil
	})
	return counts, err
}
