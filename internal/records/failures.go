package records

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plait/internal/pipeline"
)

// StageFailures counts the runs of the stage of a page that have failed, by their codes. A run whose worker was lost, so
// that a later one took its place, counts as [pipeline.CodeHostLost].
func (s *Store) StageFailures(ctx context.Context, run StageRun) (map[pipeline.Code]int, error) {
	rows, err := s.pool.Query(ctx, `SELECT code, count(*) FROM stage_run
		WHERE task_id = @task AND page_index = @page AND stage = @stage AND code IS NOT NULL GROUP BY code`, run.args())
	if err != nil {
		return nil, wrap(err, "count failures")
	}
	counts := make(map[pipeline.Code]int)
	var code pipeline.Code
	var count int
	_, err = pgx.ForEachRow(rows, []any{&code, &count}, func() error {
		counts[code] = count
		return nil
	})
	return counts, wrap(err, "count failures")
}
