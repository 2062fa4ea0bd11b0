package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// maxProfile bounds a color profile, compressed or not. Profiles of displays and printers have 500 bytes to 2 MB.
const maxProfile = 4 << 20

// keptProfile returns the profile if it is for RGB or gray pixels and has a plausible size, and nil otherwise: a broken profile is
// dropped, as viewers do (ICC.1:2022, 7.2: size at 0, color space at 16, signature at 36).
func keptProfile(profile []byte) []byte {
	if len(profile) < 132 || len(profile) > maxProfile || string(profile[36:40]) != "acsp" {
		return nil
	}
	if size := binary.BigEndian.Uint32(profile); uint64(size) > uint64(len(profile)) || size < 132 {
		return nil
	}
	switch profileSpace(profile) {
	case profileRGB, profileGray:
		return bytes.Clone(profile)
	default:
		return nil
	}
}

const (
	profileRGB  = "RGB "
	profileGray = "GRAY"
)

// profileSpace is the color space of the profile; empty without a profile.
func profileSpace(profile []byte) string {
	if len(profile) < 20 {
		return ""
	}
	return string(profile[16:20])
}

// inflateProfile decompresses the profile of a PNG. It returns nil if the data is broken or larger than maxProfile.
func inflateProfile(compressed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err != nil || len(profile) > maxProfile {
		return nil
	}
	return profile
}
