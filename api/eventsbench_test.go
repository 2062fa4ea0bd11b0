package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"plait/api/schema"
	"plait/internal/benchtest"
	"plait/internal/records/recordstest"
)

var (
	listeners    = flag.Int("listeners", 10_000, "event streams that BenchmarkEvents opens")
	eventsSecond = flag.Int("events", 100, "events a second that BenchmarkEvents causes")
	eventsFor    = flag.Duration("for", 20*time.Second, "how long BenchmarkEvents causes events")
)

// eventsFigures are what BenchmarkEvents writes.
type eventsFigures struct {
	Case            string  `json:"case"`
	Listeners       int     `json:"listeners"`
	EventsPerSecond float64 `json:"events_per_second"`
	Events          int     `json:"events"`
	Received        int     `json:"received"`
	P50             float64 `json:"p50_ms"`
	P99             float64 `json:"p99_ms"`
	Max             float64 `json:"max_ms"`
	MemoryKB        float64 `json:"server_kb_per_listener"`
}

// BenchmarkEvents measures the time from the commit of an event until the client has it, with one listener for each task, and the memory
// of the server for each listener. The server is a process of its own on the same machine.
func BenchmarkEvents(b *testing.B) {
	raiseFiles(b)
	r := newRig(b)
	server := r.child(envServeStreams + "=" + strconv.Itoa(*listeners))
	c := r.caller("acme")
	recordstest.Exec(b, r.url, fmt.Sprintf(`WITH t AS (
			INSERT INTO task (id, tenant, kind, options, total_count) SELECT 'bench-' || n, 'acme', 'comic', '{"from":"ja","to":"en","mode":"auto"}', 1
			FROM generate_series(1, %d) n RETURNING id)
		INSERT INTO item (task_id, item_index, name, blob) SELECT id, 0, 'page.png', 'sha256:' || repeat('0', 64) FROM t`, *listeners))
	before := residentKB(b, server.Process.Pid)
	m := &eventListeners{}
	var opening errgroup.Group
	opening.SetLimit(64)
	for n := range *listeners {
		opening.Go(func() error { return m.open(c, fmt.Sprintf("bench-%d", n+1)) })
	}
	require.NoError(b, opening.Wait())
	memory := float64(residentKB(b, server.Process.Pid)-before) / float64(*listeners)

	b.ResetTimer()
	begin, count := time.Now(), 0
	tick := time.NewTicker(time.Second / time.Duration(*eventsSecond))
	defer tick.Stop()
	due := make(chan int, *eventsSecond)
	var writing errgroup.Group
	for range 4 {
		writing.Go(func() error { return writeEvents(b, r.url, due) })
	}
	for ; time.Since(begin) < *eventsFor; count++ {
		<-tick.C
		due <- count
	}
	close(due)
	require.NoError(b, writing.Wait())
	elapsed := time.Since(begin)
	require.Eventually(b, func() bool { return m.count() == count }, patience, 10*time.Millisecond)
	b.StopTimer()
	latencies := m.sorted()
	at := func(share float64) float64 {
		return float64(latencies[int(share*float64(len(latencies)-1))].Microseconds()) / 1000
	}
	benchtest.Write(b, nil, eventsFigures{
		Case: "events", Listeners: *listeners, EventsPerSecond: float64(count) / elapsed.Seconds(), Events: count, Received: len(latencies),
		P50: at(0.5), P99: at(0.99), Max: at(1), MemoryKB: memory,
	})
	m.close()
}

// writeEvents causes an event, on a connection of its own, for each number that is due.
func writeEvents(b *testing.B, url string, due <-chan int) error {
	b.Helper()
	conn := recordstest.Connect(b, url)
	defer func() { _ = conn.Close(context.Background()) }()
	for n := range due {
		_, err := conn.Exec(b.Context(), `UPDATE item SET status = 'running', stage = $2 WHERE task_id = $1`,
			fmt.Sprintf("bench-%d", n%*listeners+1), fmt.Sprint("s", n))
		if err != nil {
			return err
		}
	}
	return nil
}

// eventListeners are connections of their own, without the memory of an HTTP client.
type eventListeners struct {
	mu        sync.Mutex
	conns     []net.Conn
	latencies []time.Duration
}

// open returns when the stream has begun.
func (m *eventListeners) open(c caller, task string) error {
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.address, "http://"))
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.conns = append(m.conns, conn)
	m.mu.Unlock()
	if _, err := fmt.Fprintf(conn, "GET /v1/tasks/%s/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", task, c.key); err != nil {
		return err
	}
	r := bufio.NewReaderSize(conn, 1024)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, "HTTP/1.1 ") && !strings.HasPrefix(line, "HTTP/1.1 200") {
			return fmt.Errorf("the stream of %s was refused: %s", task, line)
		}
		if strings.HasPrefix(line, "event: "+schema.EventTaskSnapshot) {
			go m.read(r)
			return nil
		}
	}
}

func (m *eventListeners) read(r *bufio.Reader) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		data, is := strings.CutPrefix(line, "data: ")
		var e schema.Event
		if !is || json.Unmarshal([]byte(data), &e) != nil || e.Type != schema.EventTaskProgress {
			continue
		}
		m.mu.Lock()
		m.latencies = append(m.latencies, time.Since(e.Timestamp))
		m.mu.Unlock()
	}
}

func (m *eventListeners) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.latencies)
}

func (m *eventListeners) sorted() []time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.Sort(m.latencies)
	return m.latencies
}

func (m *eventListeners) close() {
	for _, conn := range m.conns {
		_ = conn.Close()
	}
}

// raiseFiles lets this process, and the server that it starts, have as many files as the system allows.
func raiseFiles(b *testing.B) {
	b.Helper()
	var limit unix.Rlimit
	require.NoError(b, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	limit.Cur = limit.Max
	require.NoError(b, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	require.Greater(b, limit.Cur, uint64(*listeners+200))
}

// residentKB is the memory of a process.
func residentKB(b *testing.B, pid int) int {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(b, err)
	return kb
}
