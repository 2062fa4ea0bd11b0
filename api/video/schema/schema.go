// Package videoschema contains the JSON objects of the API of videos.
package videoschema

import (
	"time"

	"plait/api/schema"
	"plait/internal/video"
)

// Path is the path of requests for videos, below /v1.
const Path = "/video/generations"

// Request is a request for a video.
type Request struct {
	Model      string      `json:"model"`
	Type       string      `json:"type"`
	Input      *Input      `json:"input"`
	Parameters *Parameters `json:"parameters,omitempty"`
}

// Input is what a video is made from.
type Input struct {
	Prompt         string `json:"prompt,omitempty"`
	NegativePrompt string `json:"negative_prompt,omitempty"`
	// Image is an http or https URL, the name of an uploaded blob, or data:{mime};base64,… with the content.
	Image string `json:"image,omitempty"`
	// Video is as Image.
	Video string `json:"video,omitempty"`
}

// Parameters say how a video is made. A nil one takes its default.
type Parameters struct {
	Resolution   string `json:"resolution,omitempty"`
	Duration     *int   `json:"duration,omitempty"`
	PromptExtend *bool  `json:"prompt_extend,omitempty"`
	Watermark    *bool  `json:"watermark,omitempty"`
	Seed         *int64 `json:"seed,omitempty"`
	// Scale is how many times wider and higher a video becomes.
	Scale *int `json:"scale,omitempty"`
}

// Accepted answers a request.
type Accepted struct {
	Output    Output `json:"output"`
	RequestID string `json:"request_id"`
}

// Output names the task of a request.
type Output struct {
	Status video.Status `json:"task_status"`
	TaskID string       `json:"task_id"`
}

// Estimated answers a request for an estimate.
type Estimated struct {
	Output    Estimate `json:"output"`
	RequestID string   `json:"request_id"`
}

// Estimate is what a video would cost and take.
type Estimate struct {
	Model string `json:"model"`
	// Resolution and Duration, in seconds, are absent for a model that enlarges videos.
	Resolution video.Resolution `json:"resolution,omitempty"`
	Duration   int              `json:"duration,omitempty"`
	// Price is in the currency of the installation; 0 for a model without a price.
	Price float64 `json:"price"`
	// ProcessingSeconds is how long the video takes once an engine has taken it up. It is absent while there is no video of the model and the
	// resolution to tell it by.
	ProcessingSeconds float64 `json:"processing_seconds,omitempty"`
	// QueuePosition counts from 1. EstimatedStart is absent while there is no estimate.
	QueuePosition  int        `json:"queue_position,omitempty"`
	EstimatedStart *time.Time `json:"estimated_start,omitempty"`
}

// Answer is the state of a video, in the envelope of the contract.
type Answer struct {
	Success   bool   `json:"success"`
	Failed    bool   `json:"failed"`
	Code      string `json:"code"`
	RequestID string `json:"requestId"`
	Data      Data   `json:"data"`
}

// CodeOK is the code of every Answer. What a video failed of is in its Data.
const CodeOK = "200"

// Data is the state of a video. One of an unknown id has only ID, TaskID and Status.
type Data struct {
	ID     string       `json:"id"`
	TaskID string       `json:"taskId"`
	Status video.Status `json:"taskStatus"`

	Created          string     `json:"gmtCreate,omitempty"`
	CreatedTimestamp int64      `json:"gmtCreateTimeStamp,omitempty"`
	SubmitTime       *time.Time `json:"submit_time,omitempty"`
	ScheduledTime    *time.Time `json:"scheduled_time,omitempty"`
	CompletedTime    *time.Time `json:"completed_time,omitempty"`
	Model            string     `json:"model,omitempty"`
	Type             video.Type `json:"taskType,omitempty"`
	// Progress is in percent.
	Progress  *int       `json:"taskProgress,omitempty"`
	MediaType string     `json:"mediaType,omitempty"`
	Input     *TaskInput `json:"taskInput,omitempty"`
	Upscale   *Upscale   `json:"upscale,omitempty"`
	// QueuePosition counts from 1; it is absent from a video that is not queued.
	QueuePosition  int        `json:"queuePosition,omitempty"`
	EstimatedStart *time.Time `json:"estimatedStart,omitempty"`
	// Price is that of the video, in the currency of the installation, which is due once it is made. It is absent for a model without one.
	Price float64 `json:"price,omitempty"`
	// Code and Message say what the video failed of.
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

// MediaType is the media type of every video.
const MediaType = "video/mp4"

// TaskInput is what a video was made from, and the video.
type TaskInput struct {
	Prompt string `json:"prompt"`
	// ActualPrompt is what a language model wrote in the place of Prompt; null when Prompt was used.
	ActualPrompt *string `json:"actual_prompt"`
	// Resolution and Duration are absent from a video that is enlarged, and Scale from any other.
	Resolution video.Resolution `json:"resolution,omitempty"`
	Duration   int              `json:"duration,omitempty"`
	Scale      int              `json:"scale,omitempty"`
	VideoCount int              `json:"video_count"`
	// VideoURL needs no key and works for 24 hours after the end.
	VideoURL string `json:"video_url,omitempty"`
	Seed     int64  `json:"seed"`
}

// Upscale says how a video is enlarged.
type Upscale struct {
	// Mode is the schedule of the devices: sequential, basic or aggressive. It is absent until the work begins, and Split, the number of blocks
	// of the model on the first device, until the end.
	Mode  string `json:"mode,omitempty"`
	Split *int   `json:"split,omitempty"`
	// Fallback is set for a video whose devices failed together, so that one device enlarged it alone.
	Fallback   bool       `json:"fallback,omitempty"`
	StartedAt  *time.Time `json:"started_at,omitempty"`
	FinishedAt *time.Time `json:"finished_at,omitempty"`
	// ResumedFrames is the number of frames that earlier attempts had made. ProcessingSeconds is what the last attempt took for the others, and
	// BusySeconds how long each device worked in it.
	ResumedFrames     int                `json:"resumed_frames,omitempty"`
	ProcessingSeconds float64            `json:"processing_seconds,omitempty"`
	BusySeconds       map[string]float64 `json:"busy_seconds,omitempty"`
}

// Deleted answers the deletion or withdrawal of a video.
type Deleted struct {
	Output    Output `json:"output"`
	RequestID string `json:"request_id"`
}

// TaskDetails are the details of a task of videos in the API of all kinds.
type TaskDetails struct {
	// State is that of the contract, and Percent how far the video is.
	State        video.Status `json:"state"`
	Percent      int          `json:"percent"`
	ActualPrompt *string      `json:"actual_prompt,omitempty"`
	Upscale      *Upscale     `json:"upscale,omitempty"`
}

// Task is a task of videos.
type Task = schema.TaskWith[video.Options, TaskDetails]

// TaskOf decodes the options and details of a task of videos.
func TaskOf(t schema.Task) Task { return schema.TaskOf[video.Options, TaskDetails](t) }
