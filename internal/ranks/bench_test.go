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
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
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
	perCell       = flag.Duration("cell", 3*time.Second, "time of a mode in a cell")
)

// pictures decodes JPEG files to 8-bit RGB.
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

// processes starts a group whose other ranks are processes.
func processes(b *testing.B, n int, cache int64) *ranks.Leader {
	b.Helper()
	leader, err := ranks.NewLeader(ranks.Options{
		Ranks: n, Handler: sum, Decoders: pictures, Cache: cache, Store: &segment.Store{}, Timeout: 5 * time.Minute,
	})
	require.NoError(b, err)
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
		work.Go(func() { _ = cmd.Wait() })
	}
	b.Cleanup(func() {
		cancel()
		work.Wait()
		leader.Close()
	})
	_, err = leader.Do(b.Context(), ranks.Request{})
	require.NoError(b, err)
	return leader
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
	// CPU is that of the leader's process alone.
	CPU  float64 `json:"leader_cpu_ms_per_request"`
	Loop float64 `json:"loop_p999_ms"`
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

// BenchmarkModes sends images to ranks in processes of this host in each mode, one after the other in each cell, and once more with an
// image that is in the cache.
func BenchmarkModes(b *testing.B) {
	for b.Loop() {
		for _, n := range numbers(b, *groupSizes) {
			fresh, cached := processes(b, n, 0), processes(b, n, 256<<20)
			for _, size := range numbers(b, *kilobytes) {
				file := drawn(b, 1000*size)
				for _, concurrency := range numbers(b, *concurrencies) {
					for _, mode := range ranks.Modes {
						benchtest.Write(b, []string{"drawn noise"}, cell(b, fresh, n, file, concurrency, mode, false))
					}
					benchtest.Write(b, []string{"drawn noise"}, cell(b, cached, n, file, concurrency, ranks.Auto, true))
				}
			}
		}
	}
}

func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func cell(b *testing.B, leader *ranks.Leader, n int, file []byte, concurrency int, mode ranks.Mode, hits bool) figures {
	b.Helper()
	var mu sync.Mutex
	var times []time.Duration
	begin, before := time.Now(), cpu(b)
	var clients sync.WaitGroup
	for range concurrency {
		clients.Go(func() {
			for time.Since(begin) < *perCell {
				sent := time.Now()
				_, err := leader.Do(b.Context(), ranks.Request{Mode: mode, Inputs: []ranks.Input{{Data: file, Decoder: "jpeg", Once: !hits}}})
				took := time.Since(sent)
				if err != nil {
					b.Error(err)
					return
				}
				mu.Lock()
				times = append(times, took)
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	all, used, stats := time.Since(begin), cpu(b)-before, leader.Stats()
	require.NotEmpty(b, times)
	slices.Sort(times)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return figures{
		Ranks: n, Bytes: len(file), Concurrency: concurrency, Mode: mode, Hits: hits, Requests: len(times),
		QPS: float64(len(times)) / all.Seconds(), P50: milliseconds(times[len(times)/2]), P99: milliseconds(times[len(times)*99/100]),
		CPU: milliseconds(used) / float64(len(times)), Loop: milliseconds(stats.Loop.Spread.Quantile(.999)),
	}
}
