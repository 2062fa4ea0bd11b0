package llmtest

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// roomLine matches the line of a prompt that limits the translation of a numbered segment to a number of characters.
var roomLine = regexp.MustCompile(`(?m)^Segment (\d{1,6}) has room for (\d{1,6}) characters`)

func roomsOf(prompt string) map[int]int {
	rooms := map[int]int{}
	for _, match := range roomLine.FindAllStringSubmatch(prompt, -1) {
		number, _ := strconv.Atoi(match[1]) // six digits always fit
		rooms[number], _ = strconv.Atoi(match[2])
	}
	return rooms
}

// within cuts text to at most room characters: to whole words, if the first one fits.
func within(text string, room int) string {
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	short := string([]rune(text)[:room])
	if last := strings.LastIndexByte(short, ' '); last > 0 {
		return short[:last]
	}
	return short
}
