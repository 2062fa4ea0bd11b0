package hostapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"plait/internal/comic"
	"plait/internal/core"
)

// The headers of the contract.
const (
	HeaderRegionsCount   = "X-Regions-Count"
	HeaderStageElapsed   = "X-Stage-Elapsed-Ms"  // JSON, milliseconds by part
	HeaderRemoteElapsed  = "X-Remote-Elapsed-Ms" // the whole request on this host
	HeaderColdStart      = "X-Cold-Start"        // 1 for the first request after loading
	HeaderOutputChanged  = "X-Output-Changed"    // 0 when the answer is the input image
	HeaderFailureStage   = "X-Failure-Stage"     // empty unless the request failed
	HeaderPipelineMode   = "X-Pipeline-Mode"
	HeaderSelectedModel  = "X-Selected-Model"
	HeaderPrimaryModel   = "X-Primary-Model"
	HeaderFallbackModel  = "X-Fallback-Model"
	HeaderFallbackUsed   = "X-Fallback-Used"
	maxEchoed            = 200 // the longest echoed name of a model, in characters
	retryAfterNotReady   = 2   // seconds
	contentTypeOfResults = "application/octet-stream"
)

// headers describe how an answer was made.
type headers struct {
	stage   core.Stage
	mode    core.Mode
	began   time.Time
	cold    bool
	regions int
	changed bool
	elapsed core.ElapsedMS
	// models are echoed, because the caller chose them. Nil omits them, as in detect.
	models *models
}

// models are the caller's description of its translator.
type models struct {
	Selected     string `json:"selected_model"`
	Primary      string `json:"primary_model"`
	Fallback     string `json:"fallback_model"`
	FallbackUsed bool   `json:"fallback_used"`
}

// write sets the headers of an answer; failed marks a refusal.
func (h headers) write(to http.Header, failed bool) {
	to.Set(HeaderRegionsCount, strconv.Itoa(h.regions))
	to.Set(HeaderRemoteElapsed, strconv.FormatInt(time.Since(h.began).Milliseconds(), 10))
	to.Set(HeaderColdStart, flag(h.cold))
	to.Set(HeaderOutputChanged, flag(h.changed && !failed))
	to.Set(HeaderPipelineMode, string(h.mode))
	to.Set(HeaderStageElapsed, "{}")
	if elapsed, err := json.Marshal(h.elapsed); err == nil && h.elapsed != nil {
		to.Set(HeaderStageElapsed, string(elapsed))
	}
	stage := ""
	if failed {
		stage = string(h.failureStage())
	}
	to.Set(HeaderFailureStage, stage)
	if h.models != nil {
		to.Set(HeaderSelectedModel, ascii(h.models.Selected))
		to.Set(HeaderPrimaryModel, ascii(h.models.Primary))
		to.Set(HeaderFallbackModel, ascii(h.models.Fallback))
		to.Set(HeaderFallbackUsed, flag(h.models.FallbackUsed))
	}
}

func (h headers) failureStage() core.Stage {
	if h.mode == comic.ModeFallback {
		return comic.StageFallback
	}
	return h.stage
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// ascii percent-encodes characters that a header must not contain.
func ascii(text string) string {
	if r := []rune(text); len(r) > maxEchoed {
		text = string(r[:maxEchoed])
	}
	return url.PathEscape(text)
}
