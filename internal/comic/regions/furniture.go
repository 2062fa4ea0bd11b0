package regions

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/comic"
)

const (
	// margin is the part of the page's height, at its top and at its bottom, that holds page furniture.
	margin = 0.08
	// numberDigits is the greatest number of digits of a page number.
	numberDigits = 4
	// creditSize is the greatest size of credits in units of the size of the page's dialogue: credits are set smaller. imprintLetters is
	// the number of characters from which such small print is credits whatever it says: no dialogue is that long.
	creditSize, imprintLetters = 0.9, 600
)

// credit matches what credits and watermarks say, and stories rarely do.
var credit = regexp.MustCompile(`(?i)https?:|www\.|\b[a-z0-9-]+\.(com|net|org|io|jp|cn)\b|[©@]|copyright|all rights|\bisbn\b|scanlat|` +
	`\b(translated|translation|lettered|typeset|cleaned|scanned|edited|published|artwork) by\b|\b(story|art|colors|letters|lettering): |` +
	`翻译|翻譯|校对|汉化|漢化|嵌字|扫图|翻訳|作画|転載|無断`)

// isFurniture reports whether a region is a watermark, credits, or a page number in the margins of a page of the given height.
func isFurniture(r comic.Region, height int, size float64) bool {
	says := credit.MatchString(r.Text) || utf8.RuneCountInString(r.Text) >= imprintLetters
	if says && r.FontSize <= creditSize*size {
		return true
	}
	_, y0, _, y1 := r.Bounds()
	if h := float64(height); y1 > margin*h && y0 < (1-margin)*h {
		return false
	}
	digits := strings.Trim(r.Text, " -–—.・·pPＰ")
	return len(r.Lines) == 1 && digits != "" && len([]rune(digits)) <= numberDigits && strings.TrimFunc(digits, unicode.IsDigit) == ""
}

func markFurniture(all []comic.Region, height int, size float64) {
	for i := range all {
		if isFurniture(all[i], height, size) {
			all[i].Kind = comic.KindFurniture
		}
	}
}
