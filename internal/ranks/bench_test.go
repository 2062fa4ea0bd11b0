package ranks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/ranks"
	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
)

var (
	concurrencies = flag.String("concurrency", "1,8,64,256", "numbers of requests at once")
	kilobytes     = flag.String("kilobytes", "100,1000,10000", "sizes of images")
	groupSizes    = flag.String("ranks", "2,4", "numbers of ranks")
	modes         = flag.String("modes", "sync,async,lazy,async-lazy,auto", "modes of requests")
	decoder       = flag.String("decoder", "jpeg", "jpeg, or wait, which takes 35 ms for a megabyte and no processor: it shows what the group itself takes")
	perCell       = flag.Duration("cell", 3*time.Second, "time of a mode in a cell")
)

// pictures has the decoders of the benchmark. That of JPEG files gives 8-bit RGB.
var pictures = ranks.Decoders{"jpeg": {
	Size: func(input []byte) (int64, error) {
		c, err := jpeg.DecodeConfig(bytes.NewReader(input))
		return int64(3 * c.Width * c.Height), err
	},
	Decode: func(_ context.Context, input, to []byte) error {
		decoded, err := jpeg.Decode(bytes.NewReader(input))
		if err != nil {
			return err
		}
		i, b := 0, decoded.Bounds()
		for y := range b.Dy() {
			for x := range b.Dx() {
				r, g, b, _ := decoded.At(x, y).RGBA()
				to[i], to[i+1], to[i+2] = byte(r>>8), byte(g>>8), byte(b>>8)
				i += 3
			}
		}
		return nil
	},
}, "wait": {
	Size: func(input []byte) (int64, error) { return 3 * int64(len(input)), nil },
	Decode: func(ctx context.Context, input, _ []byte) error {
		select {
		case <-time.After(time.Duration(35 * len(input))):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	},
}}

// drawn returns a JPEG file of about this size: noise needs about 1.05 bytes for a pixel.
func drawn(tb testing.TB, size int) []byte {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	side := max(8, int(float64(size)/1050*1000))
	width := 8
	for width*width < side {
		width += 8
	}
	m := image.NewGray(image.Rect(0, 0, width, max(8, side/width)))
	for i := range m.Pix {
		m.Pix[i] = byte(random.UintN(256))
	}
	var b bytes.Buffer
	require.NoError(tb, jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}))
	return b.Bytes()
}

// sum reads the inputs, as a rank that uses them does.
func sum(_ context.Context, s ranks.Step) (ranks.Answer, error) {
	total := 0
	for _, in := range s.Inputs {
		for i := 0; i < len(in); i += 4096 {
			total += int(in[i])
		}
	}
	return ranks.Answer{Meta: json.RawMessage(strconv.Itoa(total))}, nil
}

// envRank makes this test binary a rank of a benchmark: its number, and the socket of the leader.
const envRank = "PLAIT_TEST_RANK"

func TestMain(m *testing.M) {
	if where := os.Getenv(envRank); where != "" {
		number, socket, _ := strings.Cut(where, " ")
		rank, _ := strconv.Atoi(number)
		_ = ranks.Member{Rank: rank, Decoders: pictures, Handler: sum, Store: &segment.Store{}}.Stay(context.Background(), socket, "bench")
		return
	}
	os.Exit(m.Run())
}

// team is a leader and the processes of its other ranks.
type team struct {
	leader *ranks.Leader
	others []int
}

// processes starts a group whose other ranks are processes.
func processes(b *testing.B, n int, cache int64) *team {
	b.Helper()
	leader, err := ranks.NewLeader(ranks.Options{
		Ranks: n, Handler: sum, Decoders: pictures, Cache: cache, Store: &segment.Store{}, Timeout: 5 * time.Minute,
	})
	require.NoError(b, err)
	g := &team{leader: leader}
	socket := filepath.Join(b.TempDir(), "s")
	listener, err := new(net.ListenConfig).Listen(b.Context(), "unix", socket)
	require.NoError(b, err)
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { _ = link.Serve(ctx, listener, "bench", leader.Accept) })
	for rank := 1; rank < n; rank++ {
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d unix:%s", envRank, rank, socket))
		require.NoError(b, cmd.Start())
		g.others = append(g.others, cmd.Process.Pid)
		work.Go(func() { _ = cmd.Wait() })
	}
	b.Cleanup(func() {
		cancel()
		work.Wait()
		leader.Close()
	})
	_, err = leader.Do(b.Context(), ranks.Request{})
	require.NoError(b, err)
	return g
}

// cpu returns the time of processors that the leader's process has used, and that of all ranks.
func (g *team) cpu(b *testing.B) (leader, all time.Duration) {
	b.Helper()
	for i, pid := range append([]int{os.Getpid()}, g.others...) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		require.NoError(b, err)
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		for _, field := range fields[11:13] { // utime and stime, in hundredths of a second
			n, err := strconv.Atoi(field)
			require.NoError(b, err)
			all += time.Duration(n) * 10 * time.Millisecond
		}
		if i == 0 {
			leader = all
		}
	}
	return leader, all
}

// settle waits until the ranks use no processor: a decoder that does not look at its context goes on after a request was canceled, and would
// take the time of the next mode.
func (g *team) settle(b *testing.B) {
	b.Helper()
	const idle, tick = 20 * time.Millisecond, 100 * time.Millisecond
	_, used := g.cpu(b)
	for {
		<-time.After(tick)
		_, now := g.cpu(b)
		if now-used <= idle {
			return
		}
		used = now
	}
}

// figures are those of a mode in a cell.
type figures struct {
	Ranks       int        `json:"ranks"`
	Bytes       int        `json:"bytes"`
	Concurrency int        `json:"concurrency"`
	Mode        ranks.Mode `json:"mode"`
	Hits        bool       `json:"all_hits"`
	Requests    int        `json:"requests"`
	QPS         float64    `json:"qps"`
	P50         float64    `json:"p50_ms"`
	P99         float64    `json:"p99_ms"`
	// CPU is the time of processors for a request, in the leader's process and in all. Ceiling is how many requests a second all cores could
	// do with it, if they did nothing else.
	LeaderCPU float64 `json:"leader_cpu_ms_per_request"`
	CPU       float64 `json:"cpu_ms_per_request"`
	Ceiling   float64 `json:"ceiling_qps"`
	// Loop is for how long an event held the leader's loop, but for one in a thousand, and LoopWork how much of it the loop worked, while
	// the mode ran.
	Loop     float64 `json:"loop_p999_ms"`
	LoopWork float64 `json:"loop_work_p999_ms"`
	// Chosen has what auto became.
	Chosen map[ranks.Mode]int `json:"chosen,omitempty"`
}

func numbers(b *testing.B, list string) (all []int) {
	b.Helper()
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		require.NoError(b, err)
		all = append(all, n)
	}
	return all
}

// BenchmarkModes sends images to ranks in processes of this host in each mode and, with an image that is in the cache, by auto. The modes of
// a cell take turns, so that what else the machine does meets all of them.
func BenchmarkModes(b *testing.B) {
	for b.Loop() {
		for _, n := range numbers(b, *groupSizes) {
			fresh, cached := processes(b, n, 0), processes(b, n, 256<<20)
			for _, size := range numbers(b, *kilobytes) {
				file := drawn(b, 1000*size)
				for _, concurrency := range numbers(b, *concurrencies) {
					var cells []*cell
					for name := range strings.SplitSeq(*modes, ",") {
						mode, err := ranks.ParseMode(name)
						require.NoError(b, err)
						cells = append(cells, &cell{team: fresh, file: file, concurrency: concurrency, mode: mode})
					}
					cells = append(cells, &cell{team: cached, file: file, concurrency: concurrency, mode: ranks.Auto, hits: true})
					for range turns {
						for _, c := range cells {
							c.team.settle(b)
							c.run(b, *perCell/turns)
						}
					}
					for _, c := range cells {
						benchtest.Write(b, []string{"drawn noise", *decoder}, c.figures(b, n))
					}
				}
			}
		}
	}
}

// turns is how often the modes of a cell take turns.
const turns = 3

// cell is a mode under a load.
type cell struct {
	team        *team
	file        []byte
	concurrency int
	mode        ranks.Mode
	hits        bool

	mu                sync.Mutex
	times             []time.Duration
	all, leader, used time.Duration
	loop, work        ranks.Histogram
	chosen            map[ranks.Mode]int
}

// run lets the clients make requests for a time. What has not ended then is canceled, and does not count; but the first one of each turn is
// waited for.
func (c *cell) run(b *testing.B, within time.Duration) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	earlier := len(c.times)
	leader, used := c.team.cpu(b)
	before, begin := c.team.leader.Stats(), time.Now()
	var clients sync.WaitGroup
	for range c.concurrency {
		clients.Go(func() {
			for ctx.Err() == nil {
				c.request(ctx, b, func() {
					if time.Since(begin) >= within && len(c.times) > earlier {
						cancel()
					}
				})
			}
		})
	}
	time.AfterFunc(within, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.times) > earlier {
			cancel()
		}
	})
	<-ctx.Done()
	c.all += time.Since(begin)
	leaderNow, usedNow := c.team.cpu(b)
	c.leader, c.used = c.leader+leaderNow-leader, c.used+usedNow-used
	clients.Wait()
	after := c.team.leader.Stats()
	c.chosen = map[ranks.Mode]int{}
	for mode, n := range after.Modes {
		c.chosen[mode] = n - before.Modes[mode]
	}
	for i, n := range after.Loop.Spread {
		c.loop[i] += n - before.Loop.Spread[i]
		c.work[i] += after.LoopWork.Spread[i] - before.LoopWork.Spread[i]
	}
}

// request makes a request, and keeps its time if it ended in time.
func (c *cell) request(ctx context.Context, b *testing.B, ended func()) {
	b.Helper()
	sent := time.Now()
	_, err := c.team.leader.Do(ctx, ranks.Request{Mode: c.mode, Inputs: []ranks.Input{{Data: c.file, Decoder: *decoder, Once: !c.hits}}})
	took := time.Since(sent)
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		b.Error(err)
		return
	}
	c.times = append(c.times, took)
	ended()
}

func (c *cell) figures(b *testing.B, n int) figures {
	b.Helper()
	require.NotEmpty(b, c.times)
	slices.Sort(c.times)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	requests := len(c.times)
	f := figures{
		Ranks: n, Bytes: len(c.file), Concurrency: c.concurrency, Mode: c.mode, Hits: c.hits, Requests: requests,
		QPS: float64(requests) / c.all.Seconds(), P50: milliseconds(c.times[requests/2]), P99: milliseconds(c.times[requests*99/100]),
		LeaderCPU: milliseconds(c.leader) / float64(requests), CPU: milliseconds(c.used) / float64(requests),
		Loop: milliseconds(c.loop.Quantile(.999)), LoopWork: milliseconds(c.work.Quantile(.999)),
	}
	if f.CPU > 0 {
		f.Ceiling = 1000 * float64(runtime.NumCPU()) / f.CPU
	}
	if c.mode == ranks.Auto {
		f.Chosen = c.chosen
	}
	return f
}
