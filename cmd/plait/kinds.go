package main

import (
	"plait/installation"
	comicinstallation "plait/installation/comic"
	documentinstallation "plait/installation/document"
	videoinstallation "plait/installation/video"
)

// kinds are the kinds of work of this program.
var kinds = installation.Kinds{comicinstallation.Kind(), documentinstallation.Kind(), videoinstallation.Kind()}
