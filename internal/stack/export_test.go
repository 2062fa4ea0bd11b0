package stack

// Process is one process of the stack. Tests kill it, or check that it has ended.
type Process struct {
	Name string
	PID  int
}

// Processes returns the running processes of this stack.
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
