package hostile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/internal/testkit/drivertest/hostile"
)

// A program that breaks is found by the walk that it breaks on; one that is gone
// is started again for the next.
func TestChild(t *testing.T) {
	for name, tt := range map[string]struct {
		answers string // after that to start
		silence time.Duration
		found   string
		anew    bool
	}{
		"the driver breaks":  {`read line; echo '{"error":"TypeError: x","fatal":true}'; cat >/dev/null`, time.Minute, "ends: the driver broke: TypeError: x", true},
		"it refuses":         {`while read line; do echo '{"error":"no callback waits for it"}'; done`, time.Minute, "ends: no callback waits for it", false},
		"it is gone":         {``, time.Minute, "ends: the stage is gone", true},
		"it says nothing":    {`exec cat >/dev/null`, time.Millisecond, "ends: the stage is gone, or said nothing for 1ms", true},
		"it says what it is": {`read line; echo hello; cat >/dev/null`, time.Minute, "ends: the stage answers no JSON", true},
		"it ends twice":      {`while read line; do echo '{"lines":["done {}","done {}","other done {}","other done {}"]}'; done`, time.Minute, "ends: a call ends twice", false},
	} {
		t.Run(name, func(t *testing.T) {
			child, err := hostile.NewChild("sh", "-c", `read line; echo '{"lines":[]}'; `+tt.answers)
			if err != nil {
				t.Fatal(err)
			}
			defer child.Close()
			stage, err := child.Start()
			if err != nil {
				t.Fatal(err)
			}
			child.Silence = tt.silence
			if found, _ := hostile.Play(stage, 1); found == nil || !strings.HasPrefix(found.Fault, tt.found) {
				t.Errorf("got %v, want %q", found, tt.found)
			}
			child.Silence = time.Minute
			if tt.anew {
				if _, err := child.Start(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
