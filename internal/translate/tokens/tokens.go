// Package tokens counts the tokens of a text like the models of the Qwen3 family, for model servers that do not report usage: most of
// these run models of that family, and the counts of other models differ by about a tenth.
//
// The vocabulary is byte-pair encoding over the bytes of the text in NFC, in the form of Hugging Face's tokenizer.json.
package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pkoukk/tiktoken-go"
	"golang.org/x/text/unicode/norm"
)

// Counter counts tokens. It is safe for concurrent use.
type Counter struct {
	bpe *tiktoken.Tiktoken
}

// maxFileBytes bounds the vocabulary's file; that of Qwen3 has 11 MB.
const maxFileBytes = 64 << 20

// Load reads a tokenizer.json. It takes some tenths of a second, and temporarily some hundred megabytes.
func Load(path string) (*Counter, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	if info.Size() > maxFileBytes {
		return nil, fmt.Errorf("tokenizer: %s has %d bytes, which is too large for a vocabulary", path, info.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	return parse(b)
}

func parse(b []byte) (*Counter, error) {
	var form struct {
		PreTokenizer struct {
			Parts []struct {
				Pattern struct{ Regex string }
			} `json:"pretokenizers"`
		} `json:"pre_tokenizer"`
		Model struct {
			Vocab map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(b, &form); err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	if len(form.Model.Vocab) < 256 || len(form.PreTokenizer.Parts) == 0 || form.PreTokenizer.Parts[0].Pattern.Regex == "" {
		return nil, errors.New("tokenizer: the file is not a byte-pair vocabulary")
	}
	// The ids of merged pieces are in the order of the merges, so that they serve as the ranks.
	ranks := make(map[string]int, len(form.Model.Vocab))
	for piece, id := range form.Model.Vocab {
		ranks[bytesOf(piece)] = id
	}
	pattern := form.PreTokenizer.Parts[0].Pattern.Regex
	bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, pattern)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	encoding := &tiktoken.Encoding{Name: "qwen3", PatStr: pattern, MergeableRanks: ranks, ExplicitNVocab: len(ranks)}
	return &Counter{bpe: tiktoken.NewTiktoken(bpe, encoding, map[string]any{})}, nil
}

// Count returns the number of tokens of text, without the markers of a chat.
func (c *Counter) Count(text string) int {
	return len(c.bpe.EncodeOrdinary(norm.NFC.String(strings.ToValidUTF8(text, "�"))))
}

// bytesOf returns the bytes of a piece: byte-level vocabularies write each byte as a printable character, those that are printable in
// Latin-1 as themselves and the rest, in order, from U+0100 on (A. Radford et al., "Language Models are Unsupervised Multitask Learners",
// 2019).
func bytesOf(piece string) string {
	b := make([]byte, 0, len(piece))
	for _, r := range piece {
		if value, ok := bytesByRune[r]; ok {
			b = append(b, value)
		}
	}
	return string(b)
}

var bytesByRune = func() map[rune]byte {
	table := make(map[rune]byte, 256)
	next := rune(0x100)
	for i := range 256 {
		value := rune(i)
		printable := value >= '!' && value <= '~' || value >= 0xA1 && value <= 0xAC || value >= 0xAE && value <= 0xFF
		if !printable {
			value = next
			next++
		}
		table[value] = byte(i)
	}
	return table
}()
