package oauth

import (
	"strings"
	"testing"
)

// TestKnock has a stranger knock at the same moment as the browser comes back.
// The states are long, so that they are compared for most of the time.
func TestKnock(t *testing.T) {
	const moments, long = 200, 1 << 18
	ours, guessed := strings.Repeat("o", long), strings.Repeat("g", long)
	var b loopback
	b.expect(ours)
	knocks, stop, stopped := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case knocks <- struct{}{}:
			}
			if b.takes(guessed) {
				t.Error("a stranger's state was taken")
			}
		}
	}()
	turnedAway := 0
	for range moments {
		<-knocks // one begins
		if !b.takes(ours) {
			turnedAway++
			continue
		}
		if b.takes(ours) {
			t.Fatal("the browser's state was taken twice")
		}
		b.expect(ours)
	}
	close(stop)
	<-stopped
	if turnedAway > 0 {
		t.Errorf("the browser was turned away %d times of %d", turnedAway, moments)
	}
}
