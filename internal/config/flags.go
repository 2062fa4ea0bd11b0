package config

import "github.com/spf13/pflag"

// AddFlags adds a flag for every setting that is not a secret. The help text shows only those that most commands need.
func AddFlags(flags *pflag.FlagSet) {
	shown := map[string]bool{"data_dir": true, "temporal.address": true, "blob.url": true, "http.address": true, "log.level": true}
	for _, s := range Settings() {
		if s.Flag() == "" {
			continue
		}
		flags.String(s.Flag(), s.Default, s.Help)
		if !shown[s.Name] {
			_ = flags.MarkHidden(s.Flag()) // the flag exists, so this cannot fail
		}
	}
}

// GivenFlags returns the values of the settings that were given as flags, by the name of the setting.
func GivenFlags(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	for _, s := range Settings() {
		if f := flags.Lookup(s.Flag()); f != nil && f.Changed {
			given[s.Name] = f.Value.String()
		}
	}
	return given
}
