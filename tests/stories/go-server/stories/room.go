package stories

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// addRoom adds book_room, the one story that is written as straight code: it
// asks in the middle of a function, and package gosdk makes rounds of that.
func addRoom(d *desk) {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "book_room",
		Title:       "Book a meeting room",
		Description: "Books a room that is large enough. Asks how large, then whether the room it found will do.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"team": {"type": "string", "minLength": 1, "maxLength": 60}},
			"required": ["team"]
		}`),
	}, gosdk.AskingFor(func(ctx context.Context, ask *gosdk.Ask, req *mcp.CallToolRequest, in roomArgs) (*mcp.CallToolResult, any, error) {
		text, err := bookRoom(ctx, ask, in)
		d.log.Info("round", "method", "tools/call", "name", req.Params.Name, "more", errors.Is(err, gosdk.ErrPending))
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}))
}

type roomArgs struct {
	Team string `json:"team"`
}

type meeting struct {
	People int    `json:"people"`
	Screen bool   `json:"screen"`
	Part   string `json:"part"`
}

func bookRoom(ctx context.Context, ask *gosdk.Ask, in roomArgs) (string, error) {
	need, action, err := gosdk.Form[meeting](ctx, ask, &mcp.ElicitParams{
		Message: "What does the meeting of " + in.Team + " need?",
		RequestedSchema: json.RawMessage(`{
			"type": "object",
			"properties": {
				"people": {"type": "integer", "title": "People", "minimum": 2, "maximum": 40},
				"screen": {"type": "boolean", "title": "With a screen", "default": true},
				"part": {
					"type": "string",
					"title": "Part of the day",
					"oneOf": [{"const": "morning", "title": "Morning"}, {"const": "afternoon", "title": "Afternoon"}],
					"default": "morning"
				}
			},
			"required": ["people"]
		}`),
	})
	if err != nil {
		return "", err
	}
	if action != "accept" {
		return "No room was booked: the user gave " + in.Team + "'s meeting up.", nil
	}

	// Which room is free differs from one moment to the next. The person must be
	// asked about the one that is booked then, so it is picked once.
	room, err := gosdk.Once(ctx, ask, "pick", func(context.Context) (string, error) { return pickRoom(need), nil })
	if err != nil {
		return "", err
	}

	agreed, action, err := gosdk.Form[struct {
		Book bool `json:"book"`
	}](ctx, ask, &mcp.ElicitParams{
		Message: fmt.Sprintf("%s is free in the %s. Book it for %s?", room, need.Part, in.Team),
		RequestedSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"book": {"type": "boolean", "title": "Book it", "default": true}},
			"required": ["book"]
		}`),
	})
	if err != nil {
		return "", err
	}
	if action != "accept" || !agreed.Book {
		return "No room was booked: " + room + " will not do.", nil
	}
	return fmt.Sprintf("%s is booked for %s and %d people in the %s.", room, in.Team, need.People, need.Part), nil
}

// pickRoom stands for a look into the calendars: any of the rooms may be free.
func pickRoom(need meeting) string {
	rooms := []string{"Room Aster", "Room Birch", "Room Clover", "Room Dahlia"}
	if need.People > 12 {
		rooms = []string{"The hall", "The auditorium"}
	}
	room := rooms[rand.IntN(len(rooms))]
	if need.Screen {
		room += ", which has a screen,"
	}
	return room
}
