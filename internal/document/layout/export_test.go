package layout

// InputSize is the size of the input of a YOLO model for a picture.
func InputSize(width, height int) (w, h int) {
	l := newLetterbox(width, height)
	return l.Width, l.Height
}

// Scale draws a picture into an area of a target.
var Scale = scale
