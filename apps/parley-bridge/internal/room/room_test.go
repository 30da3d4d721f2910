package room_test

import (
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/room"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

func TestFor(t *testing.T) {
	ada, old, bob := room.Holding{Owner: "ada", Idle: true, Since: 2}, room.Holding{Owner: "ada", Idle: true, Since: 1}, room.Holding{Owner: "bob", Idle: true, Since: 3}
	busy, other := room.Holding{Owner: "ada"}, room.Holding{Owner: "bob"}
	tests := map[string]struct {
		share serve.Share
		owner string
		all   []room.Holding
		ends  int // of all, -1 for none
		err   error
	}{
		"there is room":                  {serve.Share{All: 4, Each: 2}, "ada", []room.Holding{ada, bob}, -1, nil},
		"her own longest idle":           {serve.Share{All: 9, Each: 2}, "ada", []room.Holding{bob, ada, old}, 2, nil},
		"hers are in use":                {serve.Share{All: 9, Each: 2}, "ada", []room.Holding{bob, busy, busy}, -1, serve.ErrShare},
		"full, of who has more":          {serve.Share{All: 3, Each: 3}, "bob", []room.Holding{bob, ada, old}, 2, nil},
		"full, of who has more or hers":  {serve.Share{All: 3, Each: 3}, "bob", []room.Holding{busy, busy, bob}, 2, nil},
		"full, nobody has more and idle": {serve.Share{All: 3, Each: 3}, "bob", []room.Holding{busy, busy, other}, -1, serve.ErrFull},
		"full, all have as many":         {serve.Share{All: 2, Each: 2}, "eve", []room.Holding{busy, other}, -1, serve.ErrFull},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			all := map[int]int{}
			for i := range tt.all {
				all[i] = i
			}
			got, ends, err := room.For(tt.share, tt.owner, all, func(i int) room.Holding { return tt.all[i] })
			if !ends {
				got = -1
			}
			if got != tt.ends || err != tt.err {
				t.Errorf("got %d, %v, want %d, %v", got, err, tt.ends, tt.err)
			}
		})
	}
}
