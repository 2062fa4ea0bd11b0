package comicinstallation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"plait/installation"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/onnx"
	"plait/internal/translators"
)

// doctor checks the dependencies of chapters. Call makes one real call to the translator.
type doctor struct {
	config *config.Loaded
	call   bool
}

func checks(l *config.Loaded, call bool) []installation.Check {
	d := doctor{l, call}
	return []installation.Check{{Part: "device", Examine: d.device}, {Part: "translator", Examine: d.translator}}
}

func (d doctor) device(ctx context.Context) (found, remedy string, err error) {
	e, err := openEngine(ctx, d.config)
	if err != nil {
		remedy = "set device.kind (PLAIT_DEVICE_KIND) to a device of this machine, cpu works everywhere; " +
			"check models.manifest (PLAIT_MODELS_MANIFEST) where it is set"
		if d.config.Device.Kind == string(onnx.CUDA) {
			remedy = "set device.library (PLAIT_DEVICE_LIBRARY) to the libonnxruntime of onnxruntime-gpu, with its libonnxruntime_providers_*.so " +
				"beside it; CUDA 13 and cuDNN 9 must be in the loader's path, and nvidia-smi must show the card; or " + remedy
		}
		return "", remedy, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return "models are loaded and run: " + describeModels(e.Models()), "", nil
}

// describeModels lists each model with its purpose, device, number format, source and license.
func describeModels(models []engine.Model) string {
	texts := make([]string, len(models))
	for i, m := range models {
		kind := string(m.Kind)
		if len(m.Scripts) > 0 {
			kind += " of " + strings.Join(m.Scripts, " and ")
		}
		if m.Contract != "" {
			kind += " " + m.Contract
		}
		texts[i] = fmt.Sprintf("%s (%s) on %s in %s, %s, %s", m.Name, kind, m.Provider, m.Numbers, m.Source, m.License)
	}
	return strings.Join(texts, "; ")
}

func (d doctor) translator(ctx context.Context) (found, remedy string, err error) {
	again := ""
	remedy = "set OPENAI_API_KEY, GEMINI_API_KEY, ANTHROPIC_API_KEY or DEEPL_AUTH_KEY, start Ollama on this machine, or set OPENAI_BASE_URL and PLAIT_TRANSLATOR_MODEL"
	running, err := installation.RunningTranslator(ctx, d.config)
	if err != nil {
		return "", remedy, err
	}
	of := "of this configuration; PLAIT_TRANSLATOR_MODEL chooses another model"
	if running {
		of = "of the running stack"
		again = ", and start the stack again"
	}
	remedy += again + "; plait translate --script needs none of them"
	p, err := translators.Configured(ctx, &d.config.Config)
	if err != nil {
		return "", remedy, err
	}
	if p.Model == "" {
		remedy = "set PLAIT_TRANSLATOR_MODEL to a model of " + cmp.Or(p.BaseURL, p.Kind) + again
	}
	t, err := translators.Unrecorded(&d.config.Config, p)
	if err != nil {
		return "", remedy, err
	}
	if d.call && p.Key == config.Hidden {
		return "", "set the key of the running stack here too", errors.New("the running stack has a key that this command does not have")
	}
	if !d.call {
		return fmt.Sprintf("%s with model %s, %s; --translator makes a real call", p.Kind, p.Model, of), "", nil
	}
	health, err := t.Check(ctx)
	if err != nil {
		return "", remedy, err
	}
	return fmt.Sprintf("%s answers with model %s in %s: %d tokens sent, %d answered, cost %.6f",
		health.Provider, health.Model, health.Latency.Round(time.Millisecond),
		health.Usage.InputTokens, health.Usage.OutputTokens, float64(health.Usage.CostMicros)/1e6), "", nil
}
