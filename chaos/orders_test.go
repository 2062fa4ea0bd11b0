package chaos_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// The faults that only the process itself can do, as lines of its standard input.
const (
	orderDisk  = "disk"  // and the most bytes that a file may have
	orderClock = "clock" // and how far ahead the clock is
)

// orders are what a part is told to suffer.
type orders struct {
	// ahead is how far the clock of this process is ahead of Temporal's, in nanoseconds.
	ahead atomic.Int64
}

func (o *orders) obey(input io.Reader, log *slog.Logger) {
	for lines := bufio.NewScanner(input); lines.Scan(); {
		if err := o.one(lines.Text()); err != nil {
			log.Error("an order cannot be obeyed", "order", lines.Text(), "error", err)
		}
	}
}

func (o *orders) one(line string) error {
	what, how, _ := strings.Cut(line, " ")
	switch what {
	case orderDisk:
		bytes, err := strconv.ParseUint(how, 10, 64)
		if err != nil {
			return err
		}
		return limitFiles(bytes)
	case orderClock:
		ahead, err := time.ParseDuration(how)
		o.ahead.Store(int64(ahead))
		return err
	default:
		return fmt.Errorf("no such order: %q", line)
	}
}

// limitFiles makes every write beyond so many bytes of a file fail. The signal that comes with it is ignored by Go.
func limitFiles(bytes uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = min(bytes, limit.Max)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

// skew moves the times of the steps that Temporal gives out, which the worker holds against its own clock.
func (o *orders) skew(
	ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	if err := invoke(ctx, method, request, reply, conn, options...); err != nil {
		return err
	}
	switch answer := reply.(type) {
	case *workflowservice.PollActivityTaskQueueResponse:
		o.move(answer)
	case *workflowservice.RespondWorkflowTaskCompletedResponse:
		for _, task := range answer.GetActivityTasks() {
			o.move(task)
		}
	}
	return nil
}

func (o *orders) move(task *workflowservice.PollActivityTaskQueueResponse) {
	for _, at := range []*timestamppb.Timestamp{task.GetScheduledTime(), task.GetCurrentAttemptScheduledTime(), task.GetStartedTime()} {
		if at != nil {
			at.Seconds -= int64(time.Duration(o.ahead.Load()).Seconds())
		}
	}
}
