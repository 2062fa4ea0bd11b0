// Redisrate is a peer that make bench-api measures rate limits against: one process of clients that ask go-redis/redis_rate.
//
// It takes the same load from PLAIT_TEST_LOAD as the processes of that benchmark do, with the address of a Redis server in REDIS, and prints
// the same answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

// load is what the process asks for. The limit is in requests a minute.
type load struct {
	Key     string        `json:"key"`
	Limit   int           `json:"limit"`
	Clients int           `json:"clients"`
	Begin   time.Time     `json:"begin"`
	For     time.Duration `json:"for"`
	Every   time.Duration `json:"every"`
}

// asked is what the process was answered, in microseconds: the times of admissions since 1970, and how long the checks took.
type asked struct {
	Admitted []int64 `json:"admitted"`
	Checks   []int64 `json:"checks"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "redisrate:", err)
		os.Exit(1)
	}
}

func run() error {
	var l load
	if err := json.Unmarshal([]byte(os.Getenv("PLAIT_TEST_LOAD")), &l); err != nil {
		return err
	}
	ctx, cancel := context.WithDeadline(context.Background(), l.Begin.Add(l.For))
	defer cancel()
	client := redis.NewClient(&redis.Options{Addr: os.Getenv("REDIS"), PoolSize: l.Clients})
	defer func() { _ = client.Close() }()
	limiter := redis_rate.NewLimiter(client)
	answers, failures := make([]asked, l.Clients), make([]error, l.Clients)
	var clients sync.WaitGroup
	for i := range l.Clients {
		clients.Go(func() {
			answers[i], failures[i] = l.ask(ctx, limiter, l.Every*time.Duration(i)/time.Duration(l.Clients))
		})
	}
	clients.Wait()
	var all asked
	for i, a := range answers {
		if failures[i] != nil {
			return failures[i]
		}
		all.Admitted, all.Checks = append(all.Admitted, a.Admitted...), append(all.Checks, a.Checks...)
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

// ask is one client, which begins a little after the first.
func (l load) ask(ctx context.Context, limiter *redis_rate.Limiter, after time.Duration) (got asked, err error) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(l.Begin) + after):
	}
	ticker := time.NewTicker(l.Every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		began := time.Now()
		answer, err := limiter.Allow(context.WithoutCancel(ctx), l.Key, redis_rate.PerMinute(l.Limit))
		if err != nil {
			return got, err
		}
		got.Checks = append(got.Checks, time.Since(began).Microseconds())
		if answer.Allowed > 0 {
			got.Admitted = append(got.Admitted, time.Now().UnixMicro())
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
	return got, nil
}
