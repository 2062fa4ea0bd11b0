package hyphen

import (
	"fmt"
	"strconv"
	"unicode"
)

// value is a number, a list or an object of the literal.
type value struct {
	number int
	items  []value
	fields map[string]value
}

// literal reads the part of JavaScript's literals that the files have: whole numbers, lists, and objects with keys that
// are letters or strings.
type literal struct {
	text  []rune
	at    int
	depth int
}

// deepest bounds the nesting: a pattern has no more letters than a word.
const deepest = 200

func parseLiteral(text string) (value, error) {
	l := &literal{text: []rune(text)}
	return l.value()
}

// peek is the next rune that is no white space, or zero at the end.
func (l *literal) peek() rune {
	for l.at < len(l.text) && unicode.IsSpace(l.text[l.at]) {
		l.at++
	}
	if l.at == len(l.text) {
		return 0
	}
	return l.text[l.at]
}

func (l *literal) value() (value, error) {
	if l.depth++; l.depth > deepest {
		return value{}, fmt.Errorf("nested deeper than %d", deepest)
	}
	defer func() { l.depth-- }()
	switch c := l.peek(); {
	case c == '[':
		return l.list()
	case c == '{':
		return l.object()
	case c >= '0' && c <= '9':
		return l.number()
	default:
		return value{}, l.unexpected()
	}
}

func (l *literal) unexpected() error {
	if c := l.peek(); c != 0 {
		return fmt.Errorf("unexpected %q at %d", c, l.at)
	}
	return fmt.Errorf("it ends at %d", l.at)
}

func (l *literal) number() (value, error) {
	from := l.at
	for l.at < len(l.text) && l.text[l.at] >= '0' && l.text[l.at] <= '9' {
		l.at++
	}
	n, err := strconv.Atoi(string(l.text[from:l.at]))
	return value{number: n}, err
}

// members calls member until the closing bracket; a comma parts members and may end them.
func (l *literal) members(closing rune, member func() error) error {
	l.at++
	for l.peek() != closing {
		if err := member(); err != nil {
			return err
		}
		if c := l.peek(); c == ',' {
			l.at++
		} else if c != closing {
			return l.unexpected()
		}
	}
	l.at++
	return nil
}

func (l *literal) list() (value, error) {
	v := value{items: []value{}}
	err := l.members(']', func() error {
		item, err := l.value()
		v.items = append(v.items, item)
		return err
	})
	return v, err
}

func (l *literal) object() (value, error) {
	v := value{fields: map[string]value{}}
	err := l.members('}', func() error {
		key, err := l.key()
		if err != nil {
			return err
		}
		if l.peek() != ':' {
			return l.unexpected()
		}
		l.at++
		v.fields[key], err = l.value()
		return err
	})
	return v, err
}

func (l *literal) key() (string, error) {
	quote := l.peek()
	if quote != '"' && quote != '\'' {
		from := l.at
		for l.at < len(l.text) && (unicode.IsLetter(l.text[l.at]) || unicode.IsMark(l.text[l.at])) {
			l.at++
		}
		if l.at == from {
			return "", l.unexpected()
		}
		return string(l.text[from:l.at]), nil
	}
	from := l.at + 1
	for l.at++; l.at < len(l.text) && l.text[l.at] != quote; l.at++ {
		if l.text[l.at] == '\\' {
			return "", l.unexpected()
		}
	}
	if l.at == len(l.text) {
		return "", l.unexpected()
	}
	l.at++
	return string(l.text[from : l.at-1]), nil
}
