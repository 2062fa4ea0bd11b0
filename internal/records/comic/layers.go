package comicrecords

import (
	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/records"
)

// RoleLayers is the role of the files in which package layers has results taken apart. The position of a file is the index of its page.
const RoleLayers = "layers"

// replaceLayers names the layers of a result in the place of those of another, unless the result shows a newer revision. The sweeper removes
// those once no row refers to them.
const replaceLayers = `
WITH shown AS (
	SELECT FROM comic_page WHERE task_id = @task AND item_index = @item AND (@revision::integer = 0 OR rendered_revision < @revision::integer)
), before AS (
	SELECT blob FROM task_file WHERE task_id = @task AND role = @role AND position = @item AND blob <> @layers AND EXISTS (SELECT FROM shown)
), removed AS (
	DELETE FROM task_file WHERE task_id = @task AND role = @role AND position = @item AND @layers = '' AND EXISTS (SELECT FROM shown)
), named AS (
	INSERT INTO task_file (task_id, role, position, name, blob)
	SELECT @task, @role, @item, @role, @layers FROM shown WHERE @layers <> ''
	ON CONFLICT (task_id, role, position) DO UPDATE SET blob = excluded.blob WHERE task_file.blob <> excluded.blob
), kept AS (
	DELETE FROM blob_lease USING shown WHERE blob = @layers AND holder = @task
)
INSERT INTO blob_lease (blob, holder, expires_at) SELECT blob, '', now() FROM before ON CONFLICT (blob) DO NOTHING`

// keepLayers is the statement that names the layers of the result of a page; there are none when layers is empty. A revision of 0 is the
// first result.
func keepLayers(page core.Item, revision int, layers core.BlobRef) records.Statement {
	return records.Statement{SQL: replaceLayers, Args: pgx.NamedArgs{
		"task": page.TaskID, "item": page.Index, "role": RoleLayers, "revision": revision, "layers": string(layers),
	}}
}
