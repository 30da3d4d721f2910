package dialog

import "context"

// Choose asks for one of several things to do and returns its index. After
// them it offers to park and to stop the call, which are the errors [ErrPark]
// and [ErrStop]. The texts are the host's.
func (s Screen) Choose(ctx context.Context, question string, options ...string) (int, error) {
	p := &program{mayPark: s.Park}
	m := &menu{title: question, entries: options, actions: ways(s.Park)}
	p.next = func() *page {
		p.ended = p.way(m.at - len(options))
		return nil
	}
	p.page = p.menuPage(m, "enter choose")
	err := s.run(ctx, p)
	return m.at, err
}

// ways are the ways out of a call, which come last wherever one can choose.
func ways(park bool) []action {
	stop := action{"Stop this call", "Stop"}
	if park {
		return []action{{"Park: keep everything and resume later", "Park"}, stop}
	}
	return []action{stop}
}

// way is the n-th of ways, nil for what comes before them.
func (p *program) way(n int) error {
	switch {
	case n < 0:
		return nil
	case n == 0 && p.mayPark:
		return ErrPark
	}
	return ErrStop
}

func (p *program) menuPage(m *menu, notes ...string) *page {
	notes = append([]string{"↑/↓ move"}, notes...)
	if p.mayPark {
		notes = append(notes, "p park")
	}
	return &page{menu: m, notes: notes, park: p.mayPark}
}
