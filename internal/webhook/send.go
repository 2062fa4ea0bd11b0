package webhook

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/records"
)

// Timeout is how long a receiver has to answer, from the resolution of its name.
const Timeout = 20 * time.Second

// Sender sends deliveries. It is safe for concurrent use.
type Sender struct {
	Records *records.Store
	Secrets Secrets
	// Fetch has [Timeout].
	Fetch *fetch.Client
}

// Outcome is what came of an attempt.
type Outcome struct {
	// Done means that the round needs no further attempt: the message has arrived, or the round was superseded.
	Done bool
	// Attempt is the attempt; nil when nothing was sent.
	Attempt *records.Attempt
	// RetryAfter is how long the receiver asks to wait; 0 when it does not.
	RetryAfter time.Duration
}

// Gone reports whether the receiver answered that it is gone for good.
func (o Outcome) Gone() bool { return o.Attempt != nil && o.Attempt.Status == http.StatusGone }

// Send sends the delivery of a round once, and records the attempt. It fails when the attempt was not made, or not recorded.
func (s *Sender) Send(ctx context.Context, r records.Round) (Outcome, error) {
	d, found, err := s.Records.PendingDelivery(ctx, r)
	if err != nil || !found {
		return Outcome{Done: err == nil}, err
	}
	header, content, err := s.sign(ctx, d)
	if err != nil {
		return Outcome{}, err
	}
	answer, err := s.Fetch.Post(ctx, d.URL, header, content)
	if ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	a := attemptOf(answer, err)
	outcome := Outcome{Done: a.Delivered, Attempt: &a}
	if answer.Status == http.StatusTooManyRequests || answer.Status == http.StatusServiceUnavailable {
		outcome.RetryAfter = answer.RetryAfter
	}
	return outcome, s.Records.RecordAttempt(ctx, r, a)
}

func (s *Sender) sign(ctx context.Context, d records.Delivery) (http.Header, []byte, error) {
	valid, err := s.Secrets.Valid(ctx, d.Tenant)
	if err != nil {
		return nil, nil, err
	}
	plain := make([]string, len(valid))
	for i, secret := range valid {
		plain[i] = secret.Plain
	}
	content, err := body(d)
	if err != nil {
		return nil, nil, err
	}
	header, err := sign(d.ID, time.Now(), content, plain)
	return header, content, err
}

func attemptOf(answer fetch.Answer, err error) records.Attempt {
	if err != nil {
		return records.Attempt{Error: core.PublicMessage(err)}
	}
	a := records.Attempt{Status: answer.Status, Delivered: answer.Status/100 == 2}
	if !a.Delivered {
		a.Error = strings.TrimSpace(fmt.Sprintf("the receiver answered %d %s", answer.Status, http.StatusText(answer.Status)))
		if answer.Status/100 == 3 {
			a.Error += "; redirects are not followed"
		}
	}
	return a
}
