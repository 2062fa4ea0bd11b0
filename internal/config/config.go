package config

import "time"

// Config is the whole configuration of a process. The tags of a field: key is the name within its section, def the default, env a
// well-known variable that also sets it besides PLAIT_<NAME>, help its description, and secret hides its value. validate has rules of
// [validator] (amounts of bytes as plain numbers) and those that check.go adds.
//
// [validator]: https://pkg.go.dev/github.com/go-playground/validator/v10
type Config struct {
	DataDir   string `key:"data_dir" def:"./.plait" help:"Folder of the embedded stack: databases, blobs, logs."`
	AssetsDir string `key:"assets_dir" help:"Folder of models, fonts and libraries. Empty: assets next to the program."`

	Database   Database   `key:"database"`
	Temporal   Temporal   `key:"temporal"`
	Blob       Blob       `key:"blob"`
	UI         UI         `key:"ui"`
	HTTP       HTTP       `key:"http"`
	Limits     Limits     `key:"limits"`
	Fetch      Fetch      `key:"fetch"`
	Worker     Worker     `key:"worker"`
	HostAPI    HostAPI    `key:"host_api"`
	Device     Device     `key:"device"`
	Models     Models     `key:"models"`
	Lettering  Lettering  `key:"lettering"`
	Context    Context    `key:"context"`
	Chapter    Chapter    `key:"chapter"`
	Document   Document   `key:"document"`
	Video      Video      `key:"video"`
	Translator Translator `key:"translator"`
	Retention  Retention  `key:"retention"`
	Log        Log        `key:"log"`
	Tracing    Tracing    `key:"tracing"`
}

// Database configures the connection to Postgres.
type Database struct {
	URL      string `key:"url" env:"DATABASE_URL" secret:"true" validate:"omitempty,excludes=://|scheme=postgres postgresql" help:"Connection URL of Postgres. Empty: the embedded Postgres."`
	MaxConns int    `key:"max_conns" def:"10" validate:"min=4,max=1000" help:"Largest number of connections of one process. Connections that hold a translate slot, and the one that listens, are not counted."`
}

// Temporal configures the connection to Temporal, and the embedded server.
type Temporal struct {
	Address     string `key:"address" env:"TEMPORAL_ADDRESS" validate:"omitempty,startswith=unix:///|address" help:"host:port of the Temporal frontend. Empty: the embedded server."`
	Namespace   string `key:"namespace" env:"TEMPORAL_NAMESPACE" def:"default" help:"Temporal namespace."`
	PayloadKeys string `key:"payload_keys" secret:"true" help:"Keys that encrypt what Temporal stores: 32 bytes each, in base64, separated by commas. The first encrypts, all decrypt. Empty: data_dir/payload.key, for the embedded server only."`
	Binary      string `key:"binary" help:"Server program of the embedded stack. Empty: temporal on the PATH, then the fetched Temporal CLI, then plait-temporal next to the program."`
}

// UI configures the Temporal UI behind a sign-in, which plait up and plait api serve.
type UI struct {
	Address  string `key:"address" def:"127.0.0.1:8233" validate:"omitempty,address" help:"Address of the Temporal UI behind its sign-in. The embedded stack uses a free port if the default is taken."`
	Upstream string `key:"upstream" validate:"omitempty,scheme=http https,url" help:"URL of a Temporal UI server that browsers cannot reach. Empty: the UI of the embedded server; plait api serves none."`
	Hosts    string `key:"hosts" help:"Host names under which browsers reach the UI, separated by commas, in addition to localhost and loopback addresses."`
	Tenant   string `key:"tenant" def:"local" help:"Tenant whose API keys may sign in. The UI shows the tasks of all tenants."`
	// PublicURL is of what Address serves.
	PublicURL string `key:"public_url" validate:"omitempty,scheme=http https,url" help:"URL under which browsers reach the UI, such as https://temporal.plait.example, for links from the page. Empty: ui.address, where it names one."`
}

// Blob configures the store of images and other files.
type Blob struct {
	URL            string `key:"url" validate:"omitempty,excludes=://|scheme=s3 file" help:"Folder, or s3://bucket/prefix?endpoint=…&region=… with keys from the AWS_* variables. Empty: data_dir/blobs."`
	PresignedLinks bool   `key:"presigned_links" help:"Let signed links to the files of items lead to S3 itself, which clients must then reach. Otherwise the API sends the files."`
}

// HTTP configures the server of the API.
type HTTP struct {
	Address                  string        `key:"address" def:"127.0.0.1:8080" validate:"omitempty,address" help:"Address of the API. The embedded stack uses a free port if the default is taken."`
	MetricsAddress           string        `key:"metrics_address" validate:"omitempty,address" help:"Address on which plait api and plait worker serve health and metrics alone. Empty: not served."`
	RequestTimeout           time.Duration `key:"request_timeout" def:"30s" validate:"min=1s,max=10m" help:"Time limit of a request that is neither an upload nor a download."`
	UploadTimeout            time.Duration `key:"upload_timeout" def:"15m" validate:"min=1s,max=24h" help:"Time limit of an upload or a download."`
	ShutdownTimeout          time.Duration `key:"shutdown_timeout" def:"20s" validate:"min=0s,max=10m" help:"Time that requests in progress get when the server stops."`
	MaxConnections           int           `key:"max_connections" def:"2048" validate:"min=1,max=100000" help:"Largest number of open connections. When all are taken, a new one takes the place of one without an authenticated request."`
	MaxConnectionsPerAddress int           `key:"max_connections_per_address" def:"256" validate:"min=1,max=100000" help:"Largest number of open connections from one client address. It does not apply to http.trusted_proxies."`
	MaxRequestsPerTenant     int           `key:"max_requests_per_tenant" def:"512" validate:"min=1,max=100000" help:"Largest number of requests of one tenant at the same time, with its downloads, its event streams, and the uploads that wait. Further ones get 429."`
	MaxUploads               int           `key:"max_uploads" def:"4" validate:"min=1,max=1000" help:"Uploads of one tenant at the same time. Further uploads wait."`
	AdmissionTimeout         time.Duration `key:"admission_timeout" def:"20s" validate:"min=1ms,max=10m" help:"Time that a request waits, before its body is read, while others of its tenant are under way or too many keys are looked up. Then it gets 429."`
	TrustedProxies           Networks      `key:"trusted_proxies" help:"Networks of reverse proxies, separated by commas, whose X-Forwarded-For and X-Forwarded-Proto are believed. They count as no client address. Empty: none."`
	CORSOrigins              Origins       `key:"cors_origins" help:"Origins whose pages may use the API from a browser, separated by commas, such as https://studio.example. Empty: none but the API's own."`
	PublicURL                string        `key:"public_url" validate:"omitempty,scheme=http https,url" help:"URL under which clients reach the API, such as https://plait.example, for signed links. Empty: as in the request."`
	MaxStreams               int           `key:"max_streams" def:"1000" validate:"min=1,max=100000" help:"Largest number of open event streams. Each takes one of max_connections."`
	MaxStreamsPerTenant      int           `key:"max_streams_per_tenant" def:"200" validate:"min=1,max=100000" help:"Largest number of open event streams of one tenant. Further streams get 429."`
	MinUploadRate            Bytes         `key:"min_upload_rate" def:"4KiB" validate:"min=1" help:"Bytes per second that an upload must bring, measured over request_timeout. Slower uploads get 408."`
}

// Limits bounds the requests of clients.
type Limits struct {
	MaxBody       Bytes `key:"max_body" def:"1GiB" validate:"min=1024" help:"Largest size of a request."`
	MaxPageBytes  Bytes `key:"max_page_bytes" def:"64MiB" validate:"min=1024,ltefield=MaxBody" help:"Largest size of one page file."`
	MaxTotalBytes Bytes `key:"max_total_bytes" def:"4GiB" validate:"min=1024" help:"Largest size of an archive when unpacked."`
	MinFree       Bytes `key:"min_free" def:"1GiB" help:"Space to keep free on the disks of the blob folder, the temporary folder and data_dir. Uploads are refused below it. 0: no limit."`
	MaxPages      int   `key:"max_pages" def:"2000" validate:"min=1,max=4000" help:"Largest number of pages in a chapter."`
	MaxPixels     int64 `key:"max_pixels" def:"50000000" validate:"min=10000,max=400000000" help:"Largest number of pixels in a page."`
	MaxSide       int   `key:"max_side" def:"32000" validate:"min=100,max=65500" help:"Largest width or height of a page in pixels."`
}

// Fetch configures the download of files that requests name by URL. Limits.MaxBody bounds their size.
type Fetch struct {
	Enabled         bool          `key:"enabled" def:"true" help:"Fetch files that requests name by URL, from public addresses. Otherwise such requests are refused."`
	Timeout         time.Duration `key:"timeout" def:"2m" validate:"min=1s,max=24h" help:"Time limit of one file, with its redirects. http.upload_timeout limits all files of a request."`
	MinRate         Bytes         `key:"min_rate" def:"4KiB" help:"Bytes per second that a server must send, measured over 10 seconds. 0: no limit."`
	MaxRedirects    int           `key:"max_redirects" def:"5" validate:"min=0,max=20" help:"Largest number of redirects of one file."`
	AllowedNetworks Networks      `key:"allowed_networks" help:"Networks that files may come from, and webhooks go to, although their addresses are not public, separated by commas, such as 10.1.0.0/16,fd12::/64. Every tenant can then reach them. Metadata services of clouds stay closed. Empty: none."`
	DeniedNetworks  Networks      `key:"denied_networks" help:"Networks that files may not come from, and webhooks not go to, although their addresses are public or allowed, separated by commas, such as the NAT64 prefix of the site, or its own public addresses behind a NAT. Empty: none."`
}

// Worker configures a worker process.
type Worker struct {
	Host           string        `key:"host" help:"Name of this host in queues and records. Empty: the host name of the system."`
	DeviceSlots    int           `key:"device_slots" def:"0" validate:"min=0,max=64" help:"Pages on the device at the same time. 0: one; on a CPU and on cuda one for each core, up to four."`
	TranslateSlots int           `key:"translate_slots" def:"1" validate:"min=1,max=256" help:"Translations at the same time, over the whole installation."`
	PageMemory     Bytes         `key:"page_memory" def:"0" help:"Memory of the pages that a worker with the role gpu processes or keeps in detect contexts. A page that needs more is processed alone. 0: a quarter of the container's memory limit, otherwise of the machine's memory."`
	StopTimeout    time.Duration `key:"stop_timeout" def:"30s" validate:"min=0s,max=1h" help:"Time that steps in progress get when a worker stops."`
	SweepEvery     time.Duration `key:"sweep_every" def:"30s" validate:"min=1s,max=1h" help:"Time between sweeps for tasks that a crash left behind."`
}

// HostAPI configures the split contract over HTTP, which workers with the role gpu serve.
type HostAPI struct {
	Address     string        `key:"address" validate:"omitempty,address" help:"Address of /internal/translate on a worker with the role gpu. Empty: not served."`
	Token       string        `key:"token" secret:"true" validate:"required_with=Address,omitempty,min=16" help:"Value that callers send as X-Internal-Token, at least 16 characters."`
	MaxRequests int           `key:"max_requests" def:"8" validate:"min=1,max=1000" help:"Requests at the same time. Further requests get 429."`
	Timeout     time.Duration `key:"timeout" def:"120s" validate:"min=1s,max=1h" help:"Time limit of one request."`
}

// Device configures the device that runs the models.
type Device struct {
	Kind      string `key:"kind" def:"cpu" validate:"oneof=cpu cuda coreml directml" help:"Device that runs the models."`
	ID        int    `key:"id" def:"0" validate:"min=0,max=64" help:"Number of the device."`
	Library   string `key:"library" help:"File of libonnxruntime. Empty: the fetched one, which supports the CPU only."`
	Threads   int    `key:"threads" def:"0" validate:"min=0,max=1024" help:"CPU threads for one page. 0: the cores divided by device_slots."`
	Precision string `key:"precision" def:"full" validate:"oneof=full reduced" help:"Precision of the device. reduced: TF32 on cuda, 16-bit sums on coreml."`
	Shapes    int    `key:"shapes" def:"0" validate:"min=0,max=1024" help:"Shapes of tiles and lines for which each model is planned at once on cuda. Each holds about 0.3 GB of the card's memory. 0: 32."`
}

// Models configures additional models.
type Models struct {
	Manifest string `key:"manifest" help:"JSON file of additional models. Empty: the base set. An API that runs apart from its workers uses it to refuse languages that no model reads."`
	Fast     bool   `key:"fast" def:"false" help:"Read all pages with smaller models, as with plait translate --fast: in a third of the time, with more errors."`
}

// Lettering configures how translations are lettered.
type Lettering struct {
	Fonts    string `key:"fonts" help:"Folder of fonts that replace the fetched ones, named SCRIPT-STYLE.ttf or .otf, such as latin-dialogue.ttf. Empty: none."`
	KeepCase bool   `key:"keep_case" def:"false" help:"Keep upper and lower case of translated dialogue. Otherwise dialogue is in capitals if the source has no lower case."`
}

// Context bounds the detect contexts of a GPU worker.
type Context struct {
	Capacity int           `key:"capacity" def:"10" validate:"min=1,max=10000" help:"Largest number of detect contexts."`
	TTL      time.Duration `key:"ttl" def:"300s" validate:"min=1s,max=24h" help:"Lifetime of a detect context."`
}

// Chapter configures the workflow of a chapter.
type Chapter struct {
	Window int `key:"window" def:"16" validate:"min=1,max=100" help:"Largest number of pages of a chapter in progress. Hosts accept pages only while they have room for their contexts."`
}

// Video configures the making of videos.
type Video struct {
	Catalog     string `key:"catalog" help:"YAML file with the engines and models of videos. Empty: the embedded engines alone."`
	FFmpeg      string `key:"ffmpeg" help:"Program ffmpeg. Empty: ffmpeg on the PATH, then the one that Plait fetches when it first needs it."`
	RanksToken  string `key:"ranks_token" secret:"true" validate:"omitempty,min=16" help:"Token that a rank shows to a leader on another host, at least 16 characters."`
	MotionSlots int    `key:"motion_slots" def:"0" validate:"min=0,max=64" help:"Videos that a worker with the role video makes at the same time with the embedded engine. 0: one for each two cores."`

	UpscaleDevices  string `key:"upscale_devices" help:"Devices of a worker with the role upscale: one, two, or a third that prepares, such as cuda:0,cuda:1. Empty: the configured device; on a CPU with several cores cpu:0,cpu:1."`
	UpscaleSchedule string `key:"upscale_schedule" def:"basic" validate:"oneof=sequential basic aggressive" help:"What these devices do at once."`
	UpscaleRanks    int    `key:"upscale_ranks" def:"1" validate:"min=1,max=2" help:"Processes of a worker with the role upscale that share a model: with 2, the second device has a process of its own, which is started again when it dies."`
	UpscaleListen   string `key:"upscale_listen" help:"host:port at which the second of these processes joins from another host, as plait worker --rank 1 --leader. Empty: it runs on this host."`
	UpscaleSlots    int    `key:"upscale_slots" def:"1" validate:"min=1,max=64" help:"Videos that a worker with the role upscale enlarges at the same time."`
}

// Document configures the translation of PDF files.
type Document struct {
	MaxPages   int     `key:"max_pages" def:"2000" validate:"min=1,max=10000" help:"Largest number of translated pages of a document."`
	Workers    int     `key:"workers" def:"0" validate:"min=0,max=64" help:"Pages that a worker with the role document reads or sets at the same time. 0: one for each core, up to four."`
	TableSlots int     `key:"table_slots" def:"4" validate:"min=1,max=100" help:"Table cells of documents that are translated at the same time, over the whole installation, beside the texts of worker.translate_slots. A local model that batches its requests serves up to 100."`
	Confidence float64 `key:"confidence" def:"0.4" validate:"min=0.01,max=0.99" help:"Least confidence of the regions that the layout model finds."`
	Reasoning  bool    `key:"reasoning" def:"false" help:"Whether the model reasons before it answers. Estimates then count the tokens of its reasoning."`

	EstimatePages            int     `key:"estimate_pages" def:"50" validate:"min=1,max=1000" help:"Number of pages from which an estimate only counts them."`
	EstimateSecondsPerPage   float64 `key:"estimate_seconds_per_page" def:"8" validate:"min=0,max=3600" help:"Estimated seconds of a page that is only counted."`
	EstimateScanParagraphs   int     `key:"estimate_scan_paragraphs" def:"16" validate:"min=0,max=10000" help:"Paragraphs that an estimate assumes of a scanned page."`
	EstimateScanTokens       int     `key:"estimate_scan_tokens" def:"540" validate:"min=0,max=1000000" help:"Tokens that an estimate assumes of the text of a scanned page. If its scanner has put an invisible text over it, the tokens of that text are counted."`
	EstimateCellShare        float64 `key:"estimate_cell_share" def:"0.45" validate:"min=0,max=1" help:"Share of the instructions of a paragraph that a table cell needs, and of the output of a cell by a model that does not reason."`
	EstimateReasoningTokens  int     `key:"estimate_reasoning_tokens" def:"450" validate:"min=0,max=1000000" help:"Tokens of reasoning of one call."`
	EstimateInputRate        float64 `key:"estimate_input_rate" def:"500" validate:"min=1,max=1000000" help:"Tokens that a model reads per second."`
	EstimateOutputRate       float64 `key:"estimate_output_rate" def:"50" validate:"min=1,max=1000000" help:"Tokens that a model writes per second."`
	EstimateSpeedup          float64 `key:"estimate_speedup" def:"1.5" validate:"min=1,max=1000" help:"How much faster the calls of a document are than one after the other, for a model that does not reason."`
	EstimateReasoningSpeedup float64 `key:"estimate_reasoning_speedup" def:"2" validate:"min=1,max=1000" help:"The same for a model that reasons."`
}

// Translator configures the model servers and their calls.
type Translator struct {
	Provider            string            `key:"provider" def:"auto" validate:"oneof=auto openai ollama gemini anthropic deepl" help:"auto: the first of openai, gemini, anthropic and deepl whose key or base URL is set, otherwise a server found on loopback."`
	BaseURL             string            `key:"base_url" env:"OPENAI_BASE_URL" validate:"omitempty,scheme=http https,url" help:"Base URL of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1."`
	OpenAIKey           string            `key:"openai_key" env:"OPENAI_API_KEY" secret:"true" help:"Key for the OpenAI-compatible server."`
	GeminiKey           string            `key:"gemini_key" env:"GEMINI_API_KEY" secret:"true" help:"Key for Gemini."`
	AnthropicKey        string            `key:"anthropic_key" env:"ANTHROPIC_API_KEY" secret:"true" help:"Key for Anthropic."`
	DeepLKey            string            `key:"deepl_key" env:"DEEPL_AUTH_KEY" secret:"true" help:"Key for DeepL."`
	Domain              string            `key:"domain" def:"comic" help:"Subject of the texts: comic, general, legal, medical, or the name of a file in prompts_dir."`
	PromptsDir          string            `key:"prompts_dir" help:"Folder of your own prompts: DOMAIN.txt, and style.FROM-TO.txt for notes on style. Empty: none."`
	Format              string            `key:"format" def:"auto" validate:"oneof=auto lines json" help:"Format of answers. auto: JSON by schema from OpenAI and Gemini, otherwise numbered lines."`
	Model               string            `key:"model" help:"Model. Empty: the provider's default."`
	FallbackModel       string            `key:"fallback_model" help:"Model for regions that the first model refuses or keeps getting wrong. Empty: the provider's default. none: no other model."`
	FallbackProvider    string            `key:"fallback_provider" validate:"omitempty,oneof=openai ollama gemini anthropic deepl" help:"Provider of fallback_model. Empty: the provider of the first model."`
	Effects             bool              `key:"effects" def:"false" help:"Translate drawn sounds (regions of kind sfx)."`
	Furniture           bool              `key:"furniture" def:"false" help:"Translate page numbers, credits and watermarks (regions of kind furniture)."`
	Retries             int               `key:"retries" def:"3" validate:"min=0,max=5" help:"Number of times that the first model is asked again after an invalid answer, with a temperature that is 0.2 higher each time."`
	RepetitionThreshold int               `key:"repetition_threshold" def:"20" validate:"min=5,max=1000" help:"Number of times that a character or word of an answer may repeat."`
	Temperature         float64           `key:"temperature" def:"0.1" validate:"min=0,max=2" help:"Sampling temperature of the first attempt."`
	TopP                float64           `key:"top_p" def:"0.95" validate:"min=0,max=1" help:"Nucleus sampling."`
	MaxTokens           int               `key:"max_tokens" def:"8192" validate:"min=16,max=1000000" help:"Largest number of tokens in an answer."`
	Timeout             time.Duration     `key:"timeout" def:"120s" validate:"min=1s,max=1h" help:"Time limit of one model call."`
	CircuitFailures     int               `key:"circuit_failures" def:"5" validate:"min=1,max=1000" help:"Failures in a row after which a model gets no calls for circuit_pause."`
	CircuitPause        time.Duration     `key:"circuit_pause" def:"30s" validate:"min=1s,max=1h" help:"Time without calls for a model that failed too often."`
	RequestsPerMinute   int               `key:"requests_per_minute" def:"0" validate:"min=0,max=1000000" help:"Calls per minute and key, over the whole installation. 0: no limit."`
	TokensPerMinute     int               `key:"tokens_per_minute" def:"0" validate:"min=0,max=1000000000" help:"Tokens per minute and key, over the whole installation. 0: no limit."`
	ContextPages        int               `key:"context_pages" def:"3" validate:"min=0,max=50" help:"Number of previous pages sent with each page."`
	Proxy               string            `key:"proxy" secret:"true" validate:"omitempty,scheme=http https socks5 socks5h,url" help:"Proxy URL for model calls. Empty: none."`
	Headers             map[string]string `key:"headers" secret:"true" help:"Additional HTTP headers of model calls, as name=value,…."`
	Prices              map[string]string `key:"prices" help:"Prices of a million tokens by model, as model=input/output,…. A name also matches models that begin with it."`
}

// Log configures log output.
type Log struct {
	Level  string `key:"level" def:"info" validate:"oneof=debug info warn error" help:"Lowest level of log lines. Page text appears at debug only."`
	Format string `key:"format" def:"text" validate:"oneof=text json" help:"Format of log lines."`
}

// Tracing configures where the spans of requests, workflows, steps and model calls are sent.
type Tracing struct {
	Endpoint string            `key:"endpoint" env:"OTEL_EXPORTER_OTLP_ENDPOINT" validate:"omitempty,scheme=http https,url" help:"Base URL of an OpenTelemetry collector that accepts OTLP over HTTP, such as http://127.0.0.1:4318. Empty: no traces."`
	Headers  map[string]string `key:"headers" env:"OTEL_EXPORTER_OTLP_HEADERS" secret:"true" help:"HTTP headers for the collector, as name=value,…."`
	Sample   float64           `key:"sample" def:"1" validate:"min=0,max=1" help:"Share of traces to keep. Use the same value in every process."`
}

// Retention configures how long finished tasks, their files and their records are kept. Zero means no limit.
type Retention struct {
	Files      time.Duration `key:"files" def:"0s" validate:"min=0s" help:"Lifetime of the images and results of a finished task, such as 720h. 0: as long as the task."`
	Tasks      time.Duration `key:"tasks" def:"0s" validate:"min=0s" help:"Lifetime of a finished task with its items and texts. 0: until it is deleted."`
	Answers    time.Duration `key:"answers" def:"0s" validate:"min=0s" help:"Lifetime of the texts of model answers, which avoid paying for the same question again. 0: as long as their task."`
	Calls      time.Duration `key:"calls" def:"0s" validate:"min=0s" help:"Lifetime of the records of model calls. 0: unlimited."`
	Uploads    time.Duration `key:"uploads" def:"24h" validate:"min=1m" help:"Lifetime of an uploaded file that no request has used."`
	Events     time.Duration `key:"events" def:"24h" validate:"min=1m" help:"Lifetime of the events that clients who follow tasks resume from."`
	MaxEvents  int           `key:"max_events" def:"1000000" validate:"min=1000,max=100000000" help:"Largest number of events to keep. The oldest are removed first."`
	Deliveries time.Duration `key:"deliveries" def:"720h" validate:"min=1m" help:"Lifetime of the records of messages to webhooks, from their end. Messages to paused endpoints wait as long."`
}
