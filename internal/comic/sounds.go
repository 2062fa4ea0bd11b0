package comic

import "plait/internal/core"

// SoundMode says what becomes of the drawn sound effects of a page, which are the regions of kind sfx.
type SoundMode string

// The sound modes. The zero value is like SoundsReplace, except that the configuration of the translator decides whether models translate
// sound effects.
const (
	// SoundsReplace erases a sound effect and letters its translation in its place. One that cannot be erased cleanly is annotated.
	SoundsReplace SoundMode = "replace"
	// SoundsAnnotate leaves a sound effect as drawn and letters its translation small beside it.
	SoundsAnnotate SoundMode = "annotate"
	// SoundsKeep leaves sound effects as drawn. They are not translated.
	SoundsKeep SoundMode = "keep"
)

// ParseSoundMode returns the mode with a name. An empty name is the zero value. It fails with core.CodeInvalidInput.
func ParseSoundMode(name string) (SoundMode, error) {
	if name == "" {
		return "", nil
	}
	return core.OneOf("sounds", SoundMode(name), SoundsReplace, SoundsAnnotate, SoundsKeep)
}

// Untranslated returns the kinds of regions that are not translated, given those of the configuration.
func (m SoundMode) Untranslated(configured RegionKinds) RegionKinds {
	if m == "" {
		return configured
	}
	var kinds RegionKinds
	for _, k := range configured {
		if k != KindEffect {
			kinds = append(kinds, k)
		}
	}
	if m == SoundsKeep {
		kinds = append(kinds, KindEffect)
	}
	return kinds
}
