package config

import "github.com/spf13/pflag"

// AddFlags adds a flag for every setting that may have one. Help shows those that most commands need.
func AddFlags(flags *pflag.FlagSet) {
	shown := map[string]bool{"data_dir": true, "temporal.address": true, "blob.url": true, "http.address": true, "log.level": true}
	for _, s := range Settings() {
		if s.Flag() == "" {
			continue
		}
		flags.String(s.Flag(), s.Default, s.Help)
		if !shown[s.Name] {
			_ = flags.MarkHidden(s.Flag()) // it was added
		}
	}
}

// GivenFlags are the settings that were given as flags, by name.
func GivenFlags(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	for _, s := range Settings() {
		if f := flags.Lookup(s.Flag()); f != nil && f.Changed {
			given[s.Name] = f.Value.String()
		}
	}
	return given
}
