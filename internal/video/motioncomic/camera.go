package motioncomic

import (
	"image"

	"plait/internal/video/motion"
)

const (
	// margin is what is seen around a panel, as a share of its sides.
	margin = 0.04
	// nearer is how far the camera comes nearer while a panel is read.
	nearer = 1.05
	// apart is how many times narrower or lower than the frame a panel is from which the camera goes along it, in place of showing it at once.
	apart = 2.0
)

// window is what the camera sees: a part of the page with the aspect ratio of the frame. It may reach beyond the page.
type window struct{ x0, y0, x1, y1 float64 }

func (w window) width() float64  { return w.x1 - w.x0 }
func (w window) height() float64 { return w.y1 - w.y0 }

// around returns the window of a width around a place, where aspect is width over height.
func around(x, y, width, aspect float64) window {
	return window{x - width/2, y - width/aspect/2, x + width/2, y + width/aspect/2}
}

// held returns what the camera sees when it has come to a panel, and when it leaves it. It goes along a panel that is much narrower or lower
// than the frame: downwards, or in the reading direction.
func held(box image.Rectangle, aspect float64, rightToLeft bool) (from, to window) {
	width, height := float64(box.Dx())*(1+2*margin), float64(box.Dy())*(1+2*margin)
	x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	switch {
	case width*apart < height*aspect:
		far := max(height-width/aspect, 0) / 2
		return around(x, y-far, width, aspect), around(x, y+far, width, aspect)
	case height*aspect*apart < width:
		far := max(width-height*aspect, 0) / 2
		if rightToLeft {
			far = -far
		}
		return around(x-far, y, height*aspect, aspect), around(x+far, y, height*aspect, aspect)
	default:
		width = max(width, height*aspect)
		return around(x, y, width, aspect), around(x, y, width/nearer, aspect)
	}
}

// union returns the smallest window around two.
func union(a, b window, aspect float64) window {
	u := window{min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1)}
	return around((u.x0+u.x1)/2, (u.y0+u.y1)/2, max(u.width(), u.height()*aspect), aspect)
}

// view returns w as the camera sees it in a picture of the whole window.
func (w window) view(whole window) motion.View {
	return motion.View{
		X: ((w.x0+w.x1)/2 - whole.x0) / whole.width(), Y: ((w.y0+w.y1)/2 - whole.y0) / whole.height(), Zoom: whole.width() / w.width(),
	}
}
