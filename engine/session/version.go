package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// maxReselects is how often one request is sent again in another version.
const maxReselects = 3

// pick is the preferred version among those the server supports and has not
// refused, "" if there is none.
func (s *Session) pick(supported []byte) string {
	for _, v := range s.opts.Versions {
		if !s.refusedVersion(v) && rawjson.Lists(supported, v) {
			return v
		}
	}
	return ""
}

// versions is an array that names some, nil for any other value.
func versions(value []byte) []byte {
	if !rawjson.IsArray(value) || message.IsEmptyArray(value) {
		return nil
	}
	return value
}

func (s *Session) refusedVersion(version string) bool {
	for _, v := range s.tried {
		if v == version {
			return true
		}
	}
	return false
}

// reselect sends a request again in another version, of which the server says
// that it supports it.
func (s *Session) reselect(r *request, object []byte) bool {
	if s.speaks != unknown && s.speaks != modern { // another request has seen to it
		s.fallBack(r, errorReason(object))
		return true
	}
	if !s.refusedVersion(s.version) {
		s.tried = append(s.tried, s.version)
	}
	supported := rawjson.Member(rawjson.Member(object, "data"), "supported")
	version := s.pick(supported)
	if version == "" && r.reselects == 0 && rawjson.Lists(supported, s.version) {
		version = s.version // it is refused and supported, as by a server of which some instances are older
	}
	if r.reselects++; version == "" || r.reselects > maxReselects {
		return false
	}
	if isModern(version) {
		s.version = version
		s.post(r)
		return true
	}
	s.hang(r)
	s.initialize(version, "")
	return true
}
