package blocking

import "github.com/parley-mcp/parley/engine/session"

// wire is what goes out, and what is awaited for it.
type wire struct {
	posts []session.Action // to be handed out, in this order
	held  []session.Listen // to be handed out at a time
	open  []exchange       // not over, the handed out and the others; none over stdio, where they have no end
	last  int              // exchange that there was
}

// exchange is what the host was given to perform, or will be.
type exchange struct {
	number int
	call   int  // whose leg it is, 0 if nobody's
	stream bool // of the server's own
}

// put keeps an action to be handed out.
func (w *wire) put(a session.Action, stdio bool) {
	x := exchange{number: exchangeOf(a), call: callOf(a)}
	listen, streams := a.(session.Listen)
	x.stream = streams
	w.last = max(w.last, x.number)
	if !stdio {
		w.open = append(w.open, x)
	}
	if streams && listen.At != 0 {
		w.held = append(w.held, listen)
	} else {
		w.posts = append(w.posts, a)
	}
}

// next takes what is to be handed out at a time, nil if there is nothing.
func (w *wire) next(now int64) session.Action {
	for i, listen := range w.held {
		if listen.At <= now {
			w.held = append(w.held[:i:i], w.held[i+1:]...)
			listen.At = 0 // it is not the host's to wait
			w.posts = append(w.posts, listen)
			break
		}
	}
	if len(w.posts) == 0 {
		return nil
	}
	a := w.posts[0]
	w.posts = append([]session.Action(nil), w.posts[1:]...)
	return a
}

// due is when the next stream is to be opened, 0 if none is.
func (w *wire) due() (at int64) {
	for _, listen := range w.held {
		at = earlier(at, listen.At)
	}
	return at
}

// abort ends an exchange that was handed out.
func (w *wire) abort(a session.Abort, stdio bool) {
	w.over(a.Exchange)
	if !stdio {
		w.posts = append(w.posts, a)
	}
}

// drop takes back an exchange that was not handed out. It reports whether it was one.
func (w *wire) drop(exchange int) bool {
	if exchange == 0 {
		return false
	}
	for i := range w.posts {
		if exchangeOf(w.posts[i]) == exchange {
			w.posts = append(w.posts[:i:i], w.posts[i+1:]...)
			w.over(exchange)
			return true
		}
	}
	for i := range w.held {
		if w.held[i].Exchange == exchange {
			w.held = append(w.held[:i:i], w.held[i+1:]...)
			w.over(exchange)
			return true
		}
	}
	return false
}

// letGo aborts what is left of calls that are over: their servers have had the
// time since then to end it.
func (w *wire) letGo() {
	for _, x := range append([]exchange(nil), w.open...) {
		if x.call != 0 && !w.drop(x.number) {
			w.abort(session.Abort{Exchange: x.number}, false)
		}
	}
}

// awaited reports whether the end of a session still waits for an exchange.
func (w *wire) awaited() bool {
	for _, x := range w.open {
		if !x.stream {
			return true
		}
	}
	return false
}

func (w *wire) wasPosted(number int) bool { return number > 0 && number <= w.last }

func (w *wire) isOpen(number int) bool {
	for _, x := range w.open {
		if x.number == number {
			return true
		}
	}
	return false
}

func (w *wire) over(number int) {
	for i := range w.open {
		if w.open[i].number == number {
			w.open = append(w.open[:i:i], w.open[i+1:]...)
			return
		}
	}
}

// exchangeOf is the exchange that an action begins, 0 if it begins none.
func exchangeOf(a session.Action) int {
	switch a := a.(type) {
	case session.Post:
		return a.Exchange
	case session.Request:
		return a.Exchange
	case session.Listen:
		return a.Exchange
	case session.Delete:
		return a.Exchange
	}
	return 0
}

// callOf is the call whose leg an action is, 0 if it is nobody's.
func callOf(a session.Action) int {
	switch a := a.(type) {
	case session.Post:
		return a.Call
	case session.Request:
		return a.Call
	}
	return 0
}
