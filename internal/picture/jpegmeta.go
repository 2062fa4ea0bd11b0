package picture

import (
	"bytes"
	"encoding/binary"
)

// jfif takes the density of a JFIF segment (ITU-T T.871, 10.1).
func (p *jpegProbe) jfif(data []byte) {
	if len(data) < 12 || !bytes.HasPrefix(data, []byte("JFIF\x00")) {
		return
	}
	d := Density{X: uint32(binary.BigEndian.Uint16(data[8:])), Y: uint32(binary.BigEndian.Uint16(data[10:]))}
	switch data[7] {
	case 0:
		d.Unit = DensityAspect
	case 1:
		d.Unit = DensityInch
	case 2:
		d.Unit = DensityCentimeter
	default:
		return
	}
	if d.X != 0 && d.Y != 0 {
		p.info.Density = d
	}
}

const (
	iccMark     = "ICC_PROFILE\x00"
	iccPartSize = 65535 - 2 - len(iccMark) - 2
)

// profilePart keeps one part of a profile: its number and the count of parts follow the mark (ICC.1:2022, B.4).
func (p *jpegProbe) profilePart(data []byte) {
	part, found := bytes.CutPrefix(data, []byte(iccMark))
	if !found || len(part) < 2 || part[0] == 0 || part[0] > part[1] {
		return
	}
	if p.profile == nil {
		p.profile = map[byte][]byte{}
		p.profileParts = part[1]
	}
	if part[1] == p.profileParts {
		p.profile[part[0]] = part[2:]
	}
}

// assembleProfile joins the parts of the profile; it returns nil if one is missing.
func (p *jpegProbe) assembleProfile() []byte {
	var profile []byte
	for i := 1; i <= int(p.profileParts); i++ {
		part, ok := p.profile[byte(i)]
		if !ok {
			return nil
		}
		if profile = append(profile, part...); len(profile) > maxProfile {
			return nil
		}
	}
	return keptProfile(profile)
}

// appendJPEGSegment writes a marker, a length and the data, which has at most 65,533 bytes.
func appendJPEGSegment(b []byte, marker byte, data ...[]byte) []byte {
	size := 2
	for _, d := range data {
		size += len(d)
	}
	b = append(b, 0xff, marker, byte(size>>8), byte(size))
	for _, d := range data {
		b = append(b, d...)
	}
	return b
}

// jpegHeader is the start of a JPEG with the segments that the encoder does not write: JFIF with the density, and the profile.
func jpegHeader(density Density, profile []byte) []byte {
	unit, ok := map[DensityUnit]byte{DensityAspect: 0, DensityInch: 1, DensityCentimeter: 2}[density.Unit]
	x, y := density.X, density.Y
	if !ok || x == 0 || y == 0 || x > 0xffff || y > 0xffff {
		unit, x, y = 0, 1, 1
	}
	b := []byte{0xff, markerSOI}
	b = appendJPEGSegment(b, markerAPP0, []byte("JFIF\x00\x01\x01"), []byte{unit, byte(x >> 8), byte(x), byte(y >> 8), byte(y), 0, 0})
	parts := (len(profile) + iccPartSize - 1) / iccPartSize
	for i := range parts {
		part := profile[i*iccPartSize : min((i+1)*iccPartSize, len(profile))]
		b = appendJPEGSegment(b, markerAPP2, []byte(iccMark), []byte{byte(i + 1), byte(parts)}, part)
	}
	return b
}
