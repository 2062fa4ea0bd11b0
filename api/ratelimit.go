package api

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/quota"
	"plait/internal/records"
)

// showRates sets the headers of the rates that the tier of the tenant limits.
func showRates(h http.Header, rates records.Rates) {
	for _, r := range []*quota.Rate{rates.Requests, rates.Tokens} {
		if r != nil {
			showRate(h, *r)
		}
	}
}

func showRate(h http.Header, r quota.Rate) {
	h.Set(schema.HeaderRateLimit+string(r.Unit), strconv.FormatInt(r.Limit, 10))
	h.Set(schema.HeaderRateRemaining+string(r.Unit), strconv.FormatInt(r.Remaining(), 10))
	h.Set(schema.HeaderRateReset+string(r.Unit), strconv.Itoa(wholeSeconds(r.Reset)))
}

// chargeShown updates the headers by tokens that were charged since they were set.
func chargeShown(c echo.Context, tokens int64) {
	if r := admissionOf(c).Tokens; r != nil && tokens > 0 {
		charged := *r
		charged.Used += tokens
		charged.Reset = quota.MaxReset
		showRate(c.Response().Header(), charged)
	}
}

// wholeSeconds rounds up, so that a client that waits so long does not come too early.
func wholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// maxBody is the largest body of the request in bytes, and the largest size of all files that it names.
func (s *Server) maxBody(c echo.Context) int64 {
	if most := admissionOf(c).Limits.UploadBytes; most != nil {
		return min(*most, s.Config.MaxBody)
	}
	return s.Config.MaxBody
}
