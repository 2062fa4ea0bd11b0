package installation

import (
	"runtime"
	"runtime/debug"
)

// Build describes the build of a program.
type Build struct {
	Version string `json:"version"`
	// Revision is the commit; empty when the build did not record it.
	Revision string `json:"revision,omitempty"`
	// Go is the version of the toolchain, and Platform the operating system and architecture, such as linux/amd64.
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// ReadBuild returns the build of this program, with the version that the linker set.
func ReadBuild(version string) Build {
	b := Build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Revision = s.Value
			}
		}
	}
	return b
}
