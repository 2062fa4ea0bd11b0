package picture

import "encoding/binary"

// gifProbe walks the blocks of a GIF (GIF89a specification, appendix B).
type gifProbe struct {
	rest          []byte
	info          Info
	width, height int
	global        []byte // the global color table, three bytes a color
	frames        int
	transparent   int // the index that is not drawn, or -1
}

func probeGIF(b []byte, l Limits) (Info, error) {
	if len(b) < 13 || (string(b[:6]) != "GIF87a" && string(b[:6]) != "GIF89a") {
		return Info{}, invalid("the GIF is truncated or of an unknown version")
	}
	p := &gifProbe{info: Info{Format: GIF, Orientation: 1, Color: ColorPalette}, transparent: -1}
	p.width, p.height = int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	if err := l.checkSize(int64(p.width), int64(p.height)); err != nil {
		return Info{}, err
	}
	flags := b[10]
	p.rest = b[13:]
	p.info.Depth = int(flags&7) + 1
	var err error
	if p.global, err = p.colorTable(flags); err != nil {
		return Info{}, err
	}
	if err := p.blocks(); err != nil {
		return Info{}, err
	}
	if p.frames == 0 {
		return Info{}, invalid("the GIF holds no image")
	}
	p.info.upright(p.width, p.height)
	return p.info, nil
}

// take cuts n bytes off the rest.
func (p *gifProbe) take(n int) ([]byte, error) {
	if n > len(p.rest) {
		return nil, invalid("the GIF is truncated")
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b, nil
}

func (p *gifProbe) colorTable(flags byte) ([]byte, error) {
	if flags&0x80 == 0 {
		return nil, nil
	}
	return p.take(3 << (flags&7 + 1))
}

func (p *gifProbe) blocks() error {
	for {
		introducer, err := p.take(1)
		if err != nil {
			return err
		}
		switch introducer[0] {
		case 0x3b:
			return nil
		case 0x21:
			err = p.extension()
		case 0x2c:
			err = p.frame()
		default:
			err = invalid("the GIF is damaged: a block of kind 0x%02x", introducer[0])
		}
		if err != nil {
			return err
		}
	}
}

func (p *gifProbe) extension() error {
	label, err := p.take(1)
	if err != nil {
		return err
	}
	const graphicControl = 0xf9
	if label[0] == graphicControl && p.frames == 0 && len(p.rest) >= 5 && p.rest[0] == 4 {
		p.transparent = -1
		if p.rest[1]&1 != 0 {
			p.transparent = int(p.rest[4])
		}
	}
	return p.subBlocks()
}

func (p *gifProbe) subBlocks() error {
	for {
		size, err := p.take(1)
		if err != nil {
			return err
		}
		if size[0] == 0 {
			return nil
		}
		if _, err := p.take(int(size[0])); err != nil {
			return err
		}
	}
}

func (p *gifProbe) frame() error {
	d, err := p.take(9)
	if err != nil {
		return err
	}
	if p.frames++; p.frames > 1 {
		return invalid("the GIF is animated; only still images are read")
	}
	left, top := int(binary.LittleEndian.Uint16(d)), int(binary.LittleEndian.Uint16(d[2:]))
	width, height := int(binary.LittleEndian.Uint16(d[4:])), int(binary.LittleEndian.Uint16(d[6:]))
	if width == 0 || height == 0 || left+width > p.width || top+height > p.height {
		return invalid("the GIF is damaged: its image does not lie on its canvas")
	}
	table, err := p.colorTable(d[8])
	if err != nil {
		return err
	}
	if table == nil {
		table = p.global
	}
	if table == nil {
		return invalid("the GIF is damaged: it has no colors")
	}
	p.keepPalette(table)
	p.info.Alpha = p.transparent >= 0 || width != p.width || height != p.height
	if _, err := p.take(1); err != nil { // the size of the first code
		return err
	}
	return p.subBlocks()
}

func (p *gifProbe) keepPalette(table []byte) {
	p.info.Palette = make([]byte, 0, len(table)/3*4)
	for i := 0; i < len(table); i += 3 {
		color := []byte{table[i], table[i+1], table[i+2], 255}
		if i/3 == p.transparent {
			color = []byte{0, 0, 0, 0}
		}
		p.info.Palette = append(p.info.Palette, color...)
	}
}
