package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"plait/internal/core"
	"plait/internal/quota"
)

// Wrap gives err its code and says what was being done. A nil err stays nil.
func Wrap(err error, doing string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, classify(err))
}

func classify(err error) error {
	if err == nil {
		return nil
	}
	var known *core.Error
	var refused *pgconn.PgError
	var unconnected *pgconn.ConnectError
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &refused):
		if refused.Code == limitReached {
			return refusedByLimit(refused)
		}
		return classifyRefusal(refused)
	case errors.As(err, &unconnected):
		// It ended by its own time-out, or not by one: a pool connects apart from the contexts of its callers.
		return core.Wrap(core.CodeUnavailable, err, "the database does not answer")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return core.Wrap(core.CodeNotFound, err, "there is no such record")
	case isConnectionLost(err):
		return core.Wrap(core.CodeUnavailable, err, "the database does not answer")
	default:
		// What is left is between Go and SQL: a value that does not fit its column, or a row that does not fit its variables.
		return core.Wrap(core.CodeInternal, err, "the database cannot be given, or has given, a value of this kind")
	}
}

// isConnectionLost reports whether there was no connection, a broken one, or one that closed before it was used.
func isConnectionLost(err error) bool {
	var network net.Error
	var unused interface{ SafeToRetry() bool }
	return errors.As(err, &network) || errors.As(err, &unused) || errors.Is(err, errSilent) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, puddle.ErrClosedPool)
}

// limitReached is the SQLSTATE of the function admit_task.
const limitReached = "PL002"

func refusedByLimit(err *pgconn.PgError) error {
	limit, _ := strconv.ParseInt(err.Detail, 10, 64) // the function writes numbers
	wait, _ := strconv.ParseFloat(err.Hint, 64)
	return quota.Refused(err.Message, limit, time.Duration(wait*float64(time.Second)))
}

// runSuperseded is the SQLSTATE of the function require_run.
const runSuperseded = "PL001"

// classifyRefusal maps what Postgres itself says (SQLSTATE, appendix A of its manual).
func classifyRefusal(err *pgconn.PgError) error {
	code, message := core.CodeInternal, "the database refused a statement"
	switch {
	case err.Code == runSuperseded:
		code, message = core.CodeConflict, err.Message
	case err.Code == pgerrcode.UniqueViolation:
		code, message = core.CodeConflict, "this exists already"
	case err.Code == pgerrcode.ForeignKeyViolation:
		code, message = core.CodeNotFound, "the task or item does not exist any more"
	case pgerrcode.IsIntegrityConstraintViolation(err.Code), pgerrcode.IsDataException(err.Code):
		code, message = core.CodeInvalidInput, "a value is not allowed"
		if err.ConstraintName != "" {
			message += " (" + err.ConstraintName + ")"
		}
	case err.Code == pgerrcode.UndefinedTable, err.Code == pgerrcode.UndefinedColumn:
		code, message = core.CodeUnavailable, "the database schema is missing or old: run plait migrate"
	case err.Code == pgerrcode.QueryCanceled, err.Code == pgerrcode.LockNotAvailable,
		pgerrcode.IsConnectionException(err.Code),
		pgerrcode.IsInsufficientResources(err.Code),
		pgerrcode.IsOperatorIntervention(err.Code),
		pgerrcode.IsTransactionRollback(err.Code),
		err.Code == pgerrcode.ReadOnlySQLTransaction:
		code, message = core.CodeUnavailable, "the database is busy or going down"
	case pgerrcode.IsInvalidAuthorizationSpecification(err.Code), err.Code == pgerrcode.InvalidCatalogName:
		code, message = core.CodeUnavailable, "the database refuses the connection: check the database URL"
	}
	return core.Wrap(code, err, message)
}

func notFound(what, id string) error {
	return core.Errorf(core.CodeNotFound, "there is no %s %s", what, id)
}
