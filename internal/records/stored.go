package records

import (
	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// storeFiles writes that the tenant keeps files of these sizes, and fails when it then keeps more than its tier allows. Two tasks lock the
// rows of the same files in the same order.
func storeFiles(tenant string, sizes map[core.BlobRef]int64) []Statement {
	type file struct {
		Blob core.BlobRef `json:"blob"`
		Size int64        `json:"size"`
	}
	files := make([]file, 0, len(sizes))
	for blob, size := range sizes {
		files = append(files, file{blob, size})
	}
	args := pgx.NamedArgs{"tenant": tenant, "files": files}
	return []Statement{{SQL: `
		INSERT INTO stored_file (blob, tenant, size)
		SELECT f.blob, @tenant, f.size FROM jsonb_to_recordset(@files) AS f(blob text, size bigint) ORDER BY f.blob
		ON CONFLICT (blob, tenant) DO UPDATE SET size = excluded.size`, Args: args},
		{SQL: `SELECT admit_stored(@tenant)`, Args: args}}
}

// releaseStored is run after what named the blobs of the argument blobs is deleted.
const releaseStored = `SELECT release_stored(@blobs)`
