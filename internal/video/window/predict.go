package window

import "time"

// Predict returns the timeline of this many windows on devices with these names, of which the third, if there is one, prepares.
func (p Profile) Predict(schedule Schedule, cut, windows int, devices []string) *Timeline {
	lanes := newLanes(devices)
	s := simulation{times: p.times(cut), lanes: lanes, free: map[string]time.Duration{}, windows: windows}
	for _, stages := range schedule.groups() {
		s.groups = append(s.groups, &simulated{stages: stages})
	}
	timeline := newTimeline(lanes.names())
	for {
		g := s.earliest()
		if g < 0 {
			return timeline
		}
		if span := s.advance(g); span.End > span.Begin {
			timeline.add(span)
		}
	}
}

// simulation follows a [pipeline] whose stages take known times.
type simulation struct {
	times   [stageCount]time.Duration
	lanes   lanes
	free    map[string]time.Duration // when each device is free again
	groups  []*simulated
	windows int
}

// simulated is a group of stages: where it stands, and when it received and ended each window.
type simulated struct {
	stages          []Stage
	stage           int           // the index of the next stage; 0 before a window is received
	at              time.Duration // the end of the stage before
	received, ended []time.Duration
}

// ready returns when a group can go on, without regard to devices, or false if that depends on what other groups do first.
func (s *simulation) ready(g int) (time.Duration, bool) {
	group := s.groups[g]
	t := len(group.received)
	if group.stage > 0 {
		return group.at, true
	}
	if t == s.windows {
		return 0, false
	}
	var at time.Duration
	if g > 0 {
		before := s.groups[g-1]
		if len(before.ended) <= t {
			return 0, false
		}
		at = before.ended[t]
	}
	if t == 0 {
		return at, true
	}
	at = max(at, group.ended[t-1])
	// The window before must have left the group: the queue after it has room when the next group has received the one before that.
	if g+1 < len(s.groups) && t > queued {
		next := s.groups[g+1]
		if len(next.received) < t-queued {
			return 0, false
		}
		at = max(at, next.received[t-1-queued])
	}
	return at, true
}

// earliest returns the group whose next stage begins first, or -1 at the end. Of two that begin at once, the one that waited longer
// comes first, then the one with the older window.
func (s *simulation) earliest() int {
	best, bestBegin, bestReady := -1, time.Duration(0), time.Duration(0)
	for g := len(s.groups) - 1; g >= 0; g-- {
		ready, known := s.ready(g)
		if !known {
			continue
		}
		group := s.groups[g]
		begin := max(ready, s.free[s.lanes[group.stages[group.stage]].name])
		if best < 0 || begin < bestBegin || (begin == bestBegin && ready < bestReady) {
			best, bestBegin, bestReady = g, begin, ready
		}
	}
	return best
}

// advance runs the next stage of a group.
func (s *simulation) advance(g int) Span {
	group := s.groups[g]
	stage := group.stages[group.stage]
	device := s.lanes[stage].name
	ready, _ := s.ready(g)
	if group.stage == 0 {
		group.received = append(group.received, ready)
	}
	span := Span{Window: len(group.received) - 1, Stage: stage, Device: device, Begin: ready, End: ready}
	if took := s.times[stage]; took > 0 {
		span.Begin = max(ready, s.free[device])
		span.End = span.Begin + took
		s.free[device] = span.End
	}
	group.at = span.End
	if group.stage++; group.stage == len(group.stages) {
		group.stage = 0
		group.ended = append(group.ended, span.End)
	}
	return span
}
