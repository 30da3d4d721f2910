package blocking

import "github.com/parley-mcp/parley/engine/session"

// outgoing is what goes out, and what is awaited for it.
type outgoing struct {
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
func (o *outgoing) put(a session.Action, stdio bool) {
	x := exchange{number: exchangeOf(a), call: callOf(a)}
	listen, streams := a.(session.Listen)
	x.stream = streams
	o.last = max(o.last, x.number)
	if !stdio {
		o.open = append(o.open, x)
	}
	if streams && listen.At != 0 {
		o.held = append(o.held, listen)
	} else {
		o.posts = append(o.posts, a)
	}
}

// next takes what is to be handed out at a time, nil if there is nothing.
func (o *outgoing) next(now int64) session.Action {
	for i, listen := range o.held {
		if listen.At <= now {
			o.held = append(o.held[:i:i], o.held[i+1:]...)
			listen.At = 0 // it is not the host's to wait
			o.posts = append(o.posts, listen)
			break
		}
	}
	if len(o.posts) == 0 {
		return nil
	}
	a := o.posts[0]
	o.posts = append([]session.Action(nil), o.posts[1:]...)
	return a
}

// due is when the next stream is to be opened, 0 if none is.
func (o *outgoing) due() (at int64) {
	for _, listen := range o.held {
		at = earlier(at, listen.At)
	}
	return at
}

// abort ends an exchange that was handed out.
func (o *outgoing) abort(a session.Abort, stdio bool) {
	o.over(a.Exchange)
	if !stdio {
		o.posts = append(o.posts, a)
	}
}

// drop takes back an exchange that was not handed out. It reports whether it was one.
func (o *outgoing) drop(exchange int) bool {
	if exchange == 0 {
		return false
	}
	for i := range o.posts {
		if exchangeOf(o.posts[i]) == exchange {
			o.posts = append(o.posts[:i:i], o.posts[i+1:]...)
			o.over(exchange)
			return true
		}
	}
	for i := range o.held {
		if o.held[i].Exchange == exchange {
			o.held = append(o.held[:i:i], o.held[i+1:]...)
			o.over(exchange)
			return true
		}
	}
	return false
}

// letGo aborts what is left of calls that are over: their servers have had the
// time since then to end it.
func (o *outgoing) letGo() {
	for _, x := range append([]exchange(nil), o.open...) {
		if x.call != 0 && !o.drop(x.number) {
			o.abort(session.Abort{Exchange: x.number}, false)
		}
	}
}

// awaited reports whether the end of a session still waits for an exchange.
func (o *outgoing) awaited() bool {
	for _, x := range o.open {
		if !x.stream {
			return true
		}
	}
	return false
}

func (o *outgoing) wasPosted(number int) bool { return number > 0 && number <= o.last }

func (o *outgoing) isOpen(number int) bool {
	for _, x := range o.open {
		if x.number == number {
			return true
		}
	}
	return false
}

func (o *outgoing) over(number int) {
	for i := range o.open {
		if o.open[i].number == number {
			o.open = append(o.open[:i:i], o.open[i+1:]...)
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
