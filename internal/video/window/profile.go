package window

import (
	"strconv"
	"time"

	"plait/internal/core"
)

// Profile has the time that each part of a model takes for a window.
type Profile struct {
	Prepare time.Duration   `json:"prepare"`
	Blocks  []time.Duration `json:"blocks"`
	Decode  time.Duration   `json:"decode"`
	Color   time.Duration   `json:"color"`
	// Transfer is the time that hidden takes from device 0 to device 1.
	Transfer time.Duration `json:"transfer"`
}

// Check fails with CodeInvalidInput for a profile that no model has.
func (p Profile) Check() error {
	if len(p.Blocks) == 0 || len(p.Blocks) > maxBlocks {
		return core.Errorf(core.CodeInvalidInput, "the profile has %d blocks, not 1 to %d", len(p.Blocks), maxBlocks)
	}
	for _, t := range append([]time.Duration{p.Prepare, p.Decode, p.Color, p.Transfer}, p.Blocks...) {
		if t < 0 || t > time.Hour {
			return core.Errorf(core.CodeInvalidInput, "the profile has a stage of %s, not of 0 to an hour", t)
		}
	}
	return nil
}

// Cut says how many blocks are the first ones: a number, or [CutAuto] or [CutHalf].
type Cut int

// Cuts that depend on the model.
const (
	// CutAuto is the cut with the shortest time of the slower device.
	CutAuto Cut = -1
	// CutHalf is the half of the blocks.
	CutHalf Cut = -2
)

// ParseCut reads auto, half, or a number from 0. Errors: CodeInvalidInput.
func ParseCut(text string) (Cut, error) {
	switch text {
	case "auto":
		return CutAuto, nil
	case "half":
		return CutHalf, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, core.Errorf(core.CodeInvalidInput, "the cut is auto, half or a number of blocks, not %q", text)
	}
	return Cut(n), nil
}

// times returns the times of the stages for a cut.
func (p Profile) times(cut int) [stageCount]time.Duration {
	var t [stageCount]time.Duration
	t[Prepare], t[Decode], t[Color] = p.Prepare, p.Decode, p.Color
	for i, block := range p.Blocks {
		if i < cut {
			t[FirstBlocks] += block
		} else {
			t[LastBlocks] += block
		}
	}
	t[LastBlocks] += p.Transfer
	return t
}

// Window returns the time of one window on its own.
func (p Profile) Window() time.Duration {
	return sum(p.Prepare, p.Decode, p.Color) + sum(p.Blocks...)
}

func sum(times ...time.Duration) (total time.Duration) {
	for _, t := range times {
		total += t
	}
	return total
}

// BestCut returns the number of first blocks with which the slowest device has least to do for a window. devices is their number: the
// third prepares. With one device, all blocks are first ones.
func (p Profile) BestCut(devices int) int {
	if devices < 2 {
		return len(p.Blocks)
	}
	best, least := 0, time.Duration(-1)
	for k := range len(p.Blocks) + 1 {
		t := p.times(k)
		first, last := t[FirstBlocks], t[LastBlocks]+t[Decode]+t[Color]
		if devices < 3 {
			first += t[Prepare]
		}
		if slowest := max(first, last, t[Prepare]); least < 0 || slowest < least {
			best, least = k, slowest
		}
	}
	return best
}

// CutOf returns the number of first blocks that a cut means on this many devices.
func (p Profile) CutOf(c Cut, devices int) int {
	switch c {
	case CutAuto:
		return p.BestCut(devices)
	case CutHalf:
		return len(p.Blocks) / 2
	default:
		return min(int(c), len(p.Blocks))
	}
}
