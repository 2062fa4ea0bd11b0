package stack

// Process is one process of the stack, for tests to kill or to find gone.
type Process struct {
	Name string
	PID  int
}

// Processes lists what this stack runs now.
func (s *Stack) Processes() []Process {
	var list []Process
	for _, p := range s.parts() {
		list = append(list, Process{Name: p.Name(), PID: p.PID()})
	}
	s.mu.Lock()
	children := s.children
	s.mu.Unlock()
	for _, c := range children {
		if p := c.running(); p != nil {
			list = append(list, Process{Name: p.Name(), PID: p.PID()})
		}
	}
	return list
}
