package dialog

import (
	"context"

	"charm.land/huh/v2"
)

// Choose asks for one of several things to do and returns its index. After
// them it offers to park and to stop the call, which are the errors [ErrPark]
// and [ErrStop]. The texts are the host's.
func (s Screen) Choose(ctx context.Context, question string, options ...string) (int, error) {
	chosen := 0
	p := &program{mayPark: s.Park}
	p.next = func() *page {
		p.ended = p.way(chosen - len(options))
		return nil
	}
	p.page = choices(question, append(options[:len(options):len(options)], ways(s.Park)...), s.Park, &chosen)
	err := s.run(ctx, p)
	return chosen, err
}

// ways are the ways out of a call, which come last wherever one can choose.
func ways(park bool) []string {
	if park {
		return []string{"Park: keep everything and resume later", "Stop this call"}
	}
	return []string{"Stop this call"}
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

func choices(question string, options []string, park bool, chosen *int) *page {
	list := make([]huh.Option[int], len(options))
	for i, text := range options {
		list[i] = huh.NewOption(text, i)
	}
	field := huh.NewSelect[int]().Title(question).Options(list...).Value(chosen)
	p := newPage(field, false, "↑/↓ move", "enter choose")
	if p.park = park; park {
		p.notes = append(p.notes, "p park")
	}
	return p
}
