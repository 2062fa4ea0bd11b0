package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

//go:embed peer.py
var peerProgram string

// maxPeerLine bounds the size in bytes of the peer's answer for a page.
const maxPeerLine = 16 << 20

// peer is RapidOCR in another process, which reads one page at a time.
type peer struct {
	version string
	process *exec.Cmd
	pages   io.WriteCloser
	answers *bufio.Scanner
}

func startPeer(ctx context.Context, python string) (*peer, error) {
	p := &peer{process: exec.CommandContext(ctx, python, "-c", peerProgram)}
	p.process.Stderr = os.Stderr
	var err error
	if p.pages, err = p.process.StdinPipe(); err != nil {
		return nil, err
	}
	answers, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.answers = bufio.NewScanner(answers)
	p.answers.Buffer(nil, maxPeerLine)
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	var hello struct{ Version string }
	err = p.answer(&hello)
	p.version = hello.Version
	return p, err
}

func (p *peer) answer(into any) error {
	if !p.answers.Scan() {
		return errors.Join(errors.New("the peer has ended"), p.answers.Err())
	}
	return json.Unmarshal(p.answers.Bytes(), into)
}

// close closes the input of the process and waits until it has ended.
func (p *peer) close() error { return errors.Join(p.pages.Close(), p.process.Wait()) }

// read has the peer read one page, and scores the result.
func (p *peer) read(page truePage) (tally, error) {
	path := page.File
	if page.Image != nil {
		folder, err := os.MkdirTemp("", "plait-quality-")
		if err != nil {
			return tally{}, err
		}
		defer func() { _ = os.RemoveAll(folder) }()
		path = filepath.Join(folder, "page.png")
		if err := os.WriteFile(path, page.Image, 0o600); err != nil {
			return tally{}, err
		}
	}
	if _, err := fmt.Fprintln(p.pages, path); err != nil {
		return tally{}, err
	}
	var answer struct {
		Lines     []found
		CPU, Wall float64
	}
	if err := p.answer(&answer); err != nil {
		return tally{}, err
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return page.score(answer.Lines, seconds(answer.CPU), seconds(answer.Wall)), nil
}
