package comic

import (
	"strings"

	"plait/internal/core"
	"plait/internal/languages"
)

// ReadingOrder is the direction in which panels side by side, and the bubbles in them, are read.
type ReadingOrder string

// The reading orders. The zero value is the usual one of the language.
const (
	OrderOfLanguage  ReadingOrder = ""
	OrderLeftToRight ReadingOrder = "ltr"
	OrderRightToLeft ReadingOrder = "rtl"
)

// ParseReadingOrder parses the name of a reading order. The names "auto" and "" mean OrderOfLanguage. It fails with core.CodeInvalidInput.
func ParseReadingOrder(name string) (ReadingOrder, error) {
	if name == "" || name == languages.Auto {
		return OrderOfLanguage, nil
	}
	return core.OneOf("reading order", ReadingOrder(name), languages.Auto, OrderLeftToRight, OrderRightToLeft)
}

// RightToLeft reports whether pages in the language are read from right to left. With OrderOfLanguage, that is so for comics in Japanese
// and traditional Chinese.
func (o ReadingOrder) RightToLeft(language string) bool {
	if o != OrderOfLanguage {
		return o == OrderRightToLeft
	}
	return language == "ja" || strings.HasPrefix(language, "zh-Hant")
}
