package main

import "plait/examples/draw/ink"

// The palette: one dark ink, a dusk that runs from indigo to peach, one warm
// light, and a color for each of the cast.
var (
	inkLine = ink.Hex(0x1f1b3d)
	paper   = ink.Hex(0xfffdf7)
	white   = ink.Hex(0xffffff)

	indigo   = ink.Hex(0x191d4a)
	night    = ink.Hex(0x232862)
	violet   = ink.Hex(0x4b3f8f)
	mauve    = ink.Hex(0x8a5fa8)
	rose     = ink.Hex(0xe3829a)
	peach    = ink.Hex(0xffc39a)
	butter   = ink.Hex(0xffe6b0)
	cloud    = ink.Hex(0xfff3e2)
	lilac    = ink.Hex(0xb7b0ea)
	lamp     = ink.Hex(0xffd45e)
	lampCore = ink.Hex(0xfff8d8)

	ember = ink.Hex(0xff7d8e)

	mint      = ink.Hex(0x8fd8c8)
	mintShade = ink.Hex(0x5fb0ac)
	steel     = ink.Hex(0x8b9bc4)
	visor     = ink.Hex(0x221f4f)
	capBlue   = ink.Hex(0x34408f)
	gold      = ink.Hex(0xf5b942)

	fox      = ink.Hex(0xf28b3c)
	foxShade = ink.Hex(0xd0662e)
	foxCream = ink.Hex(0xfff1dc)
	sock     = ink.Hex(0x5a2f3a)
	scarf    = ink.Hex(0xd9435f)
	blush    = ink.Hex(0xf7787a)

	brick   = ink.Hex(0xd9534f)
	plaster = ink.Hex(0xfdf3e4)
	grass   = ink.Hex(0x5fae83)
	rock    = ink.Hex(0x6b5b95)
	wood    = ink.Hex(0x8a5a44)
)

// Line widths, in page pixels.
const (
	bold  = 5.5
	fine  = 3.6
	hair  = 2.4
	frame = 7.0
)
