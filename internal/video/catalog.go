package video

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"plait/internal/core"
)

// Catalog is the table of models and of the engines that run them.
type Catalog struct {
	Engines []Engine `yaml:"engines"`
	Models  []Model  `yaml:"models"`
}

// Engine makes videos. Its servers are one pool: whichever has a free slot takes the next video.
type Engine struct {
	Name     string   `yaml:"name"`
	Protocol Protocol `yaml:"protocol"`
	// Servers are the base URLs of the servers of the engine.
	Servers []string `yaml:"servers"`
	// Slots is the number of videos that one server makes at the same time; 0 is 1.
	Slots int `yaml:"slots"`
	// KeyEnv is the environment variable with the key of the servers; empty means that they need none.
	KeyEnv string `yaml:"key_env"`
}

// Protocol is how an engine is asked.
type Protocol string

// The protocols.
const (
	// ProtocolMotion is the engine in this program, which moves a camera over a picture.
	ProtocolMotion Protocol = "motion"
	// ProtocolUpscale is the engine in this program, which enlarges videos.
	ProtocolUpscale Protocol = "upscale"
	// ProtocolOpenAI is a server of OpenAI's /v1/videos.
	ProtocolOpenAI Protocol = "openai"
	// ProtocolComfyUI is a server of ComfyUI.
	ProtocolComfyUI Protocol = "comfyui"
)

// Model is a model that clients can name.
type Model struct {
	Name   string `yaml:"name"`
	Engine string `yaml:"engine"`
	// Remote is the name of the model at its servers; empty means Name.
	Remote      string       `yaml:"remote"`
	Types       []Type       `yaml:"types"`
	Resolutions []Resolution `yaml:"resolutions"`
	// Durations are in seconds; the first is the default.
	Durations []int `yaml:"durations"`
	// Literal is set for a model that looks for words in the prompt, which is then never rewritten.
	Literal bool `yaml:"-"`
	// Multiple is what both sides of a video are multiples of; 0 is 2.
	Multiple int `yaml:"multiple"`
	// Workflow is the file of the workflow of a model of ComfyUI, from the folder of the catalog, and FrameRate that of its videos, in frames a
	// second.
	Workflow  string `yaml:"workflow"`
	FrameRate int    `yaml:"frame_rate"`
	// Price is what a video of the model costs.
	Price Price `yaml:"price"`
	// Scales are how many times wider and higher the model makes videos; the first is the default. Only a model that enlarges has them.
	Scales []int `yaml:"-"`
}

// MotionName is the name of an embedded engine and of its model. UpscaleName is that of the embedded engine that enlarges videos, and
// UpscaleModel that of its model.
const (
	MotionName   = "motion"
	UpscaleName  = "upscale"
	UpscaleModel = "realesr-animevideov3"
)

// The bounds of an engine and of a model.
const maxServers, maxSlots, maxDuration, maxFrameRate = 256, 64, 60, 120

// embedded is the catalog without a file.
func embedded() Catalog {
	return Catalog{
		Engines: []Engine{{Name: MotionName, Protocol: ProtocolMotion}, {Name: UpscaleName, Protocol: ProtocolUpscale}},
		Models: []Model{
			{
				Name: MotionName, Engine: MotionName, Types: []Type{ImageToVideo}, Resolutions: Resolutions(), Durations: []int{5, 3, 4, 6, 7, 8, 9, 10},
				Literal: true,
			},
			{Name: UpscaleModel, Engine: UpscaleName, Types: []Type{VideoUpscale}, Scales: []int{2, 4}},
		},
	}
}

// OpenCatalog reads the file at path. An empty path is the catalog of the embedded engines alone, which every catalog has.
func OpenCatalog(path string) (Catalog, error) {
	if path == "" {
		return embedded(), nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return Catalog{}, err
	}
	c, err := ParseCatalog(b)
	if err != nil {
		return Catalog{}, fmt.Errorf("%s: %w", path, err)
	}
	for i, m := range c.Models {
		if m.Workflow != "" && !filepath.IsAbs(m.Workflow) {
			c.Models[i].Workflow = filepath.Join(filepath.Dir(path), m.Workflow)
		}
	}
	return c, nil
}

// ParseCatalog reads a catalog from YAML. Unknown keys, models of unknown engines and values out of range are errors.
func ParseCatalog(text []byte) (Catalog, error) {
	var c Catalog
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return Catalog{}, err
	}
	own := embedded()
	c.Engines, c.Models = append(own.Engines, c.Engines...), append(own.Models, c.Models...)
	engines, models := map[string]Protocol{}, map[string]bool{}
	for i, e := range c.Engines {
		if engines[e.Name] != "" {
			return Catalog{}, fmt.Errorf("engine %q is there twice", e.Name)
		}
		engines[e.Name] = e.Protocol
		if err := e.check(); err != nil {
			return Catalog{}, fmt.Errorf("engine %q: %w", e.Name, err)
		}
		c.Engines[i].Slots = max(e.Slots, 1)
	}
	for _, m := range c.Models {
		switch {
		case models[m.Name]:
			return Catalog{}, fmt.Errorf("model %q is there twice", m.Name)
		case engines[m.Engine] == "":
			return Catalog{}, fmt.Errorf("model %q: there is no engine %q", m.Name, m.Engine)
		}
		models[m.Name] = true
		if err := errors.Join(m.check(), m.checkWorkflow(engines[m.Engine])); err != nil {
			return Catalog{}, fmt.Errorf("model %q: %w", m.Name, err)
		}
	}
	return c, nil
}

// names are those of engines, which are parts of the names of queues, and of models.
var (
	engineName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)
	modelName  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:-]{0,99}$`)
)

func (e Engine) check() error {
	switch {
	case !engineName.MatchString(e.Name):
		return errors.New("the name has other characters than a-z, 0-9, _ and -, or more than 40")
	case e.Protocol == ProtocolMotion && e.Name == MotionName, e.Protocol == ProtocolUpscale && e.Name == UpscaleName:
		return nil
	case e.Protocol != ProtocolOpenAI && e.Protocol != ProtocolComfyUI:
		return fmt.Errorf("the protocol %q is not %s or %s", e.Protocol, ProtocolOpenAI, ProtocolComfyUI)
	case len(e.Servers) == 0 || len(e.Servers) > maxServers:
		return fmt.Errorf("there are %d servers; 1 to %d are possible", len(e.Servers), maxServers)
	case e.Slots < 0 || e.Slots > maxSlots:
		return fmt.Errorf("%d slots are not from 1 to %d", e.Slots, maxSlots)
	}
	for i, server := range e.Servers {
		u, err := url.Parse(server)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return fmt.Errorf("server %d is not a URL such as http://gpu-1:8000", i+1)
		}
		if slices.Contains(e.Servers[:i], server) {
			return fmt.Errorf("server %d is there twice", i+1)
		}
	}
	return nil
}

func (m Model) check() error {
	switch {
	case !modelName.MatchString(m.Name):
		return errors.New("the name has other characters than letters, digits and . _ / : -, or more than 100")
	case len(m.Scales) > 0:
		return nil
	case m.Engine == UpscaleName:
		return fmt.Errorf("the engine %s has a model of its own", UpscaleName)
	case len(m.Types) == 0 || len(m.Resolutions) == 0 || len(m.Durations) == 0:
		return errors.New("types, resolutions or durations are missing")
	case !m.Price.sound():
		return fmt.Errorf("the price is not from 0 to %d", maxPrice)
	case m.Multiple < 0 || m.Multiple%2 != 0 || m.Multiple > 64:
		return fmt.Errorf("multiple %d is not an even number up to 64", m.Multiple)
	}
	for _, t := range m.Types {
		if t != TextToVideo && t != ImageToVideo {
			return fmt.Errorf("type %q is not %s or %s", t, TextToVideo, ImageToVideo)
		}
	}
	for _, r := range m.Resolutions {
		if !slices.Contains(Resolutions(), r) {
			return fmt.Errorf("resolution %q is none of %s", r, core.Join(Resolutions(), ", "))
		}
	}
	for _, d := range m.Durations {
		if d < 1 || d > maxDuration {
			return fmt.Errorf("a duration of %d seconds is not from 1 to %d", d, maxDuration)
		}
	}
	return nil
}

// checkWorkflow checks that models of ComfyUI have a workflow, and no others.
func (m Model) checkWorkflow(p Protocol) error {
	switch {
	case p != ProtocolComfyUI && (m.Workflow != "" || m.FrameRate != 0):
		return fmt.Errorf("only models of %s have a workflow and a frame_rate", ProtocolComfyUI)
	case p == ProtocolComfyUI && m.Workflow == "":
		return errors.New("the workflow is missing")
	case p == ProtocolComfyUI && (m.FrameRate < 1 || m.FrameRate > maxFrameRate):
		return fmt.Errorf("frame_rate %d is not from 1 to %d", m.FrameRate, maxFrameRate)
	}
	return nil
}

// Model returns the model of that name.
func (c Catalog) Model(name string) (Model, bool) {
	i := slices.IndexFunc(c.Models, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return Model{}, false
	}
	return c.Models[i], true
}

// ModelNames are the names of all models.
func (c Catalog) ModelNames() (names []string) {
	for _, m := range c.Models {
		names = append(names, m.Name)
	}
	return names
}

// Makes returns the resolution in which the model makes a video of a resolution: that one, or else the largest one below it, and the video
// is then enlarged. It returns an empty one for a resolution below all of the model's.
func (m Model) Makes(r Resolution) (made Resolution) {
	for _, own := range Resolutions() {
		if slices.Contains(m.Resolutions, own) {
			made = own
		}
		if own == r {
			return made
		}
	}
	return ""
}

// Offers are the resolutions in which the model's videos come, made so or enlarged.
func (m Model) Offers() []Resolution {
	return slices.DeleteFunc(Resolutions(), func(r Resolution) bool { return m.Makes(r) == "" })
}

// Enlarging returns how many times a video of one size has to be enlarged to cover another: the least of the embedded model's scales that does,
// or its largest.
func (c Catalog) Enlarging(from, to Size) int {
	m, _ := c.Model(UpscaleModel)
	for _, scale := range m.Scales {
		if from.Width*scale >= to.Width && from.Height*scale >= to.Height {
			return scale
		}
	}
	return slices.Max(m.Scales)
}

// AtServer is the name of the model at its servers.
func (m Model) AtServer() string { return cmp.Or(m.Remote, m.Name) }
