package config

import (
	"time"
)

// Config is the whole configuration of a process. Tags: key is the name within its section, def the default, env a
// usual variable obeyed besides PLAIT_<NAME>, help the sentence, secret hides the value, min and max bound numbers,
// oneof lists the values allowed, form says what a text looks like (see formed).
type Config struct {
	DataDir   string `key:"data_dir" def:"./.plait" help:"folder of the embedded stack: databases, blobs, logs"`
	AssetsDir string `key:"assets_dir" help:"folder of models, fonts and libraries; empty: assets beside the program"`

	Database   Database   `key:"database"`
	Temporal   Temporal   `key:"temporal"`
	Blob       Blob       `key:"blob"`
	UI         UI         `key:"ui"`
	HTTP       HTTP       `key:"http"`
	Limits     Limits     `key:"limits"`
	Worker     Worker     `key:"worker"`
	HostAPI    HostAPI    `key:"host_api"`
	Device     Device     `key:"device"`
	Models     Models     `key:"models"`
	Lettering  Lettering  `key:"lettering"`
	Context    Context    `key:"context"`
	Chapter    Chapter    `key:"chapter"`
	Translator Translator `key:"translator"`
	Retention  Retention  `key:"retention"`
	Log        Log        `key:"log"`
	Tracing    Tracing    `key:"tracing"`
}

// Database is where records live.
type Database struct {
	URL      string `key:"url" env:"DATABASE_URL" form:"text-or-url postgres postgresql" secret:"true" help:"Postgres connection URL; empty: the embedded Postgres"`
	MaxConns int    `key:"max_conns" def:"10" min:"4" max:"1000" help:"connections of one process at most, besides those that hold a translate slot, and one that listens"`
}

// Temporal is where workflows run.
type Temporal struct {
	Address     string `key:"address" env:"TEMPORAL_ADDRESS" form:"address-or-socket" help:"host:port of the Temporal frontend, or unix:///path; empty: the embedded server"`
	Namespace   string `key:"namespace" env:"TEMPORAL_NAMESPACE" def:"default" help:"Temporal namespace"`
	PayloadKeys string `key:"payload_keys" secret:"true" help:"keys that encrypt what Temporal keeps, each 32 bytes in base64, separated by commas: the first encrypts, all decrypt; empty: data_dir/payload.key, for the embedded server alone"`
	Binary      string `key:"binary" help:"server program of the embedded stack; empty: temporal on the PATH, else the fetched Temporal CLI, else plait-temporal beside the program"`
}

// UI is the Temporal UI behind a sign-in, served by plait up and plait api.
type UI struct {
	Address  string `key:"address" def:"127.0.0.1:8233" form:"address" help:"address of the Temporal UI behind its sign-in; the embedded stack takes a free port when the default is taken"`
	Upstream string `key:"upstream" form:"url http https" help:"URL of a Temporal UI server that browsers cannot reach; empty: that of the embedded server, and plait api serves none"`
	Hosts    string `key:"hosts" help:"host names under which browsers reach it, separated by commas, besides localhost and addresses of loopback"`
	Tenant   string `key:"tenant" def:"local" help:"tenant whose API keys sign in: the UI shows the tasks of all tenants"`
}

// Blob is where images live.
type Blob struct {
	URL string `key:"url" form:"text-or-url s3 file" help:"folder, or s3://bucket/prefix?endpoint=…&region=… with keys from the AWS_* variables; empty: data_dir/blobs"`
}

// HTTP is the API's server.
type HTTP struct {
	Address         string        `key:"address" def:"127.0.0.1:8080" form:"address" help:"address of the API; the embedded stack takes a free port when the default is taken"`
	MetricsAddress  string        `key:"metrics_address" form:"address" help:"address of health and metrics of plait worker; empty: none"`
	RequestTimeout  time.Duration `key:"request_timeout" def:"30s" min:"1s" max:"10m" help:"time for a request other than an upload or a download"`
	UploadTimeout   time.Duration `key:"upload_timeout" def:"15m" min:"1s" max:"24h" help:"time for an upload or a download"`
	ShutdownTimeout time.Duration `key:"shutdown_timeout" def:"20s" min:"0s" max:"10m" help:"time for requests under way when the server stops"`
	MaxConnections  int           `key:"max_connections" def:"2048" min:"1" max:"100000" help:"connections at once"`
	MaxUploads      int           `key:"max_uploads" def:"4" min:"1" max:"1000" help:"uploads at once; more are answered 429"`
}

// Limits bounds what a client may send.
type Limits struct {
	MaxBody       Bytes `key:"max_body" def:"1GiB" min:"1KiB" help:"bytes of a request"`
	MaxPageBytes  Bytes `key:"max_page_bytes" def:"64MiB" min:"1KiB" help:"bytes of one page"`
	MaxTotalBytes Bytes `key:"max_total_bytes" def:"4GiB" min:"1KiB" help:"bytes of an archive, unpacked"`
	MinFree       Bytes `key:"min_free" def:"1GiB" min:"0" help:"bytes that stay free on the disks of the blob folder, the temporary folder and data_dir: uploads are refused below it; 0: no limit"`
	MaxPages      int   `key:"max_pages" def:"2000" min:"1" max:"4000" help:"pages of a chapter"`
	MaxPixels     int64 `key:"max_pixels" def:"50000000" min:"10000" max:"400000000" help:"pixels of a page"`
	MaxSide       int   `key:"max_side" def:"32000" min:"100" max:"65500" help:"pixels of a page's longer side"`
}

// Worker is how much one worker process takes on.
type Worker struct {
	Host           string        `key:"host" help:"name of this host in queues and records; empty: the system's host name"`
	DeviceSlots    int           `key:"device_slots" def:"0" min:"0" max:"64" help:"pages on the device at once; 0: one, or on a CPU one a core up to four"`
	TranslateSlots int           `key:"translate_slots" def:"1" min:"1" max:"256" help:"translations at once, over the whole installation"`
	PageMemory     Bytes         `key:"page_memory" def:"0" help:"memory of the pages that a worker of role gpu works on or keeps in detect contexts; a page that takes more goes alone; 0: a quarter of the container's memory limit, else of the machine's memory"`
	StopTimeout    time.Duration `key:"stop_timeout" def:"30s" min:"0s" max:"1h" help:"time for steps under way when a worker stops"`
	SweepEvery     time.Duration `key:"sweep_every" def:"30s" min:"1s" max:"1h" help:"pause between sweeps for tasks that a crash left behind"`
}

// HostAPI is the split contract over HTTP, served by workers of role gpu.
type HostAPI struct {
	Address     string        `key:"address" form:"address" help:"address of /internal/translate on a worker of role gpu; empty: not served"`
	Token       string        `key:"token" secret:"true" help:"what callers send as X-Internal-Token; 16 characters or more"`
	MaxRequests int           `key:"max_requests" def:"8" min:"1" max:"1000" help:"requests at once; more are answered 429"`
	Timeout     time.Duration `key:"timeout" def:"120s" min:"1s" max:"1h" help:"time for one request"`
}

// Device is what models run on.
type Device struct {
	Kind      string `key:"kind" def:"cpu" oneof:"cpu,cuda,coreml,directml" help:"device of the models"`
	ID        int    `key:"id" def:"0" min:"0" max:"64" help:"number of the device"`
	Library   string `key:"library" help:"file of libonnxruntime; empty: the one of the assets, which knows the CPU alone"`
	Threads   int    `key:"threads" def:"0" min:"0" max:"1024" help:"threads of one page on a CPU; 0: the cores shared among device_slots"`
	Precision string `key:"precision" def:"full" oneof:"full,reduced" help:"how exactly the device computes; reduced is faster on cuda (TF32) and coreml (16-bit sums)"`
}

// Models are what pages are read with.
type Models struct {
	Manifest string `key:"manifest" help:"JSON file of models that are added to the base set; empty: the base set alone. An API apart from its workers refuses languages by it where it is set"`
}

// Lettering is how translations are set.
type Lettering struct {
	Fonts    string `key:"fonts" help:"folder of fonts that take the place of the house's, named SCRIPT-STYLE.ttf or .otf, such as latin-dialogue.ttf; empty: none"`
	KeepCase bool   `key:"keep_case" def:"false" help:"letter dialogue in the case of its translation; otherwise in capitals where the source has no small letters, as comics do"`
}

// Context is the memory of detect contexts of one GPU worker.
type Context struct {
	Capacity int           `key:"capacity" def:"10" min:"1" max:"10000" help:"detect contexts kept"`
	TTL      time.Duration `key:"ttl" def:"300s" min:"1s" max:"24h" help:"time that a detect context is kept"`
}

// Chapter is how a chapter goes through.
type Chapter struct {
	Window int `key:"window" def:"16" min:"1" max:"100" help:"most pages of a chapter in flight; hosts take them as they have room for their contexts"`
}

// Translator is who translates.
type Translator struct {
	Provider            string            `key:"provider" def:"auto" oneof:"auto,openai,ollama,gemini,anthropic,deepl" help:"auto: the first of openai, gemini, anthropic and deepl whose key or base URL is set, else a server found on loopback"`
	BaseURL             string            `key:"base_url" env:"OPENAI_BASE_URL" form:"url http https" help:"base URL of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1"`
	OpenAIKey           string            `key:"openai_key" env:"OPENAI_API_KEY" secret:"true" help:"key of the OpenAI-compatible endpoint"`
	GeminiKey           string            `key:"gemini_key" env:"GEMINI_API_KEY" secret:"true" help:"key of Gemini"`
	AnthropicKey        string            `key:"anthropic_key" env:"ANTHROPIC_API_KEY" secret:"true" help:"key of Anthropic"`
	DeepLKey            string            `key:"deepl_key" env:"DEEPL_AUTH_KEY" secret:"true" help:"key of DeepL"`
	Domain              string            `key:"domain" def:"comic" help:"what is translated: comic, general, medical, or the name of a file in prompts_dir"`
	PromptsDir          string            `key:"prompts_dir" help:"folder of your own prompts: DOMAIN.txt, and notes on style as style.FROM-TO.txt; empty: none"`
	Format              string            `key:"format" def:"auto" oneof:"auto,lines,json" help:"form of answers; auto: JSON by a schema from OpenAI and Gemini themselves, else numbered lines"`
	Model               string            `key:"model" help:"model; empty: the provider's default"`
	FallbackModel       string            `key:"fallback_model" help:"model asked when the first refuses a page or gives no fit answer; empty: the provider's default, none: no other"`
	FallbackProvider    string            `key:"fallback_provider" oneof:"openai,ollama,gemini,anthropic,deepl" help:"provider of fallback_model; empty: that of the first model"`
	Effects             bool              `key:"effects" def:"false" help:"translate drawn sounds (regions of kind sfx) too"`
	Furniture           bool              `key:"furniture" def:"false" help:"translate page numbers, credits and watermarks (regions of kind furniture) too"`
	Retries             int               `key:"retries" def:"3" min:"0" max:"5" help:"times that unfit answers are asked for again of the first model, 0.2 warmer each"`
	RepetitionThreshold int               `key:"repetition_threshold" def:"20" min:"5" max:"1000" help:"times that a character or word of an answer may repeat"`
	Temperature         float64           `key:"temperature" def:"0.1" min:"0" max:"2" help:"sampling temperature of the first attempt"`
	TopP                float64           `key:"top_p" def:"0.95" min:"0" max:"1" help:"nucleus sampling"`
	MaxTokens           int               `key:"max_tokens" def:"8192" min:"16" max:"1000000" help:"tokens of an answer"`
	Timeout             time.Duration     `key:"timeout" def:"120s" min:"1s" max:"1h" help:"time for one model call"`
	CircuitFailures     int               `key:"circuit_failures" def:"5" min:"1" max:"1000" help:"failures in a row after which a model is not asked for circuit_pause"`
	CircuitPause        time.Duration     `key:"circuit_pause" def:"30s" min:"1s" max:"1h" help:"time for which a model that failed too often is not asked"`
	RequestsPerMinute   int               `key:"requests_per_minute" def:"0" min:"0" max:"1000000" help:"calls a minute with one key, over the whole installation; 0: no limit"`
	TokensPerMinute     int               `key:"tokens_per_minute" def:"0" min:"0" max:"1000000000" help:"tokens a minute with one key, over the whole installation; 0: no limit"`
	ContextPages        int               `key:"context_pages" def:"3" min:"0" max:"50" help:"previous pages of the chapter sent along"`
	Proxy               string            `key:"proxy" form:"url http https socks5 socks5h" secret:"true" help:"proxy URL for model calls; empty: none"`
	Headers             map[string]string `key:"headers" secret:"true" help:"more HTTP headers of model calls, as name=value,…"`
	Prices              map[string]string `key:"prices" help:"prices of a million tokens by model, as model=input/output,…; a name also stands for those that begin with it"`
}

// Log is what a process says of itself.
type Log struct {
	Level  string `key:"level" def:"info" oneof:"debug,info,warn,error" help:"least level of log lines; page text appears at debug only"`
	Format string `key:"format" def:"text" oneof:"text,json" help:"form of log lines"`
}

// Tracing is where the spans of requests, workflows, steps and model calls go.
type Tracing struct {
	Endpoint string            `key:"endpoint" env:"OTEL_EXPORTER_OTLP_ENDPOINT" form:"url http https" help:"base URL of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; empty: no traces"`
	Headers  map[string]string `key:"headers" env:"OTEL_EXPORTER_OTLP_HEADERS" secret:"true" help:"HTTP headers for the collector, as name=value,…"`
	Sample   float64           `key:"sample" def:"1" min:"0" max:"1" help:"share of traces that is kept; the same in every process"`
}
