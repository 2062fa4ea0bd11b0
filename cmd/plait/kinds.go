package main

import (
	"plait/installation"
	comicinstallation "plait/installation/comic"
)

// kinds are the kinds of work of this program.
var kinds = installation.Kinds{comicinstallation.Kind()}
