package main

import "plait/examples/draw/ink"

// limb draws a tube of even thickness w, in user units, with a line around it.
func limb(c *ink.Canvas, p *ink.Path, w float64, fill ink.Paint) {
	c.Line(p, w*c.Unit()+2*bold, inkLine)
	c.Line(p, w*c.Unit(), fill)
}

// shaded fills p, lays the shade over what of it lies inside where, and outlines it.
func shaded(c *ink.Canvas, p *ink.Path, fill, shade ink.Paint, where *ink.Path) {
	c.Fill(p, fill)
	c.Clip(p).Fill(where, shade)
	c.Line(p, bold, inkLine)
}
