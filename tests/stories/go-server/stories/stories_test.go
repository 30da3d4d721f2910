package stories_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// step is a round: the questions expected in it and the answers given to them.
type step struct{ asks, answers string }

func accept(key, content string) string {
	return `{"` + key + `":{"action":"accept","content":` + content + `}}`
}

func decline(key string) string { return `{"` + key + `":{"action":"decline"}}` }

func cancel(key string) string { return `{"` + key + `":{"action":"cancel"}}` }

func TestStories(t *testing.T) {
	weather := tool("get_weather", `{"location":"Oslo"}`)
	resolve := tool("update_work_item", `{"id":7,"state":"Resolved"}`)
	isDuplicate := step{"resolution", accept("resolution", `{"resolution":"Duplicate"}`)}
	small := tool("provision_vm", `{"size":"small"}`)
	summarise := tool("summarise", `{"text":"A long text."}`)
	files := tool("list_files", `{}`)
	trip := tool("plan_trip", `{"destination":"Rome"}`)
	review := prompt("code_review", `{"code":"x := 1"}`)
	report := resource("parley://report/quarterly")
	const (
		preferences = `"preferences":{"action":"accept","content":{"start":"2026-12-01","days":2,"pace":"busy"}}`
		ideas       = `"ideas":{"role":"assistant","model":"m","content":{"type":"text","text":"See the Forum."}}`
		folders     = `"folders":{"roots":[{"uri":"file:///home/ada/trips"}]}`
		planned     = "2 busy days in Rome from 2026-12-01, kept in file:///home/ada/trips. See the Forum."
	)
	tests := map[string]struct {
		request request
		steps   []step
		want    string
	}{
		"weather metric":   {weather, []step{{"units", accept("units", `{"units":"metric"}`)}}, "Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather imperial": {weather, []step{{"units", accept("units", `{"units":"imperial"}`)}}, "Oslo: 64 °F, light rain, wind 9 mph."},
		"weather declined": {weather, []step{{"units", decline("units")}}, "Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather cancelled": {weather, []step{{"units", cancel("units")}},
			"The user cancelled: no weather for Oslo."},
		"weather no answer": {weather, []step{{"units", ""}, {"units", accept("units", `{"units":"metric"}`)}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather empty answers": {weather, []step{{"units", `{}`}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather other key": {weather, []step{{"units", accept("unit", `{"units":"metric"}`)}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather no content": {weather, []step{{"units", `{"units":{"action":"accept"}}`}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather unknown action": {weather, []step{{"units", `{"units":{"action":"yes","content":{"units":"metric"}}}`}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather not in the enum": {weather, []step{{"units", accept("units", `{"units":"kelvin"}`)}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather not a string": {weather, []step{{"units", accept("units", `{"units":["metric"]}`)}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		// encoding/json folds the long s, U+017F, to s.
		"weather look-alike member": {weather, []step{{"units", accept("units", `{"units":"metric","unitſ":"imperial"}`)}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather wrong kind": {weather, []step{{"units", `{"units":{"roots":[]}}`}, {"units", decline("units")}},
			"Oslo: 18 °C, light rain, wind 15 km/h."},
		"weather gives up": {weather, []step{{"units", ""}, {"units", ""}, {"units", `{}`}},
			`error: No usable answer to ["units"] after asking 3 times.`},

		"work item at once": {tool("update_work_item", `{"id":7,"state":"Active"}`), nil, "Work item 7 is now Active."},
		"work item fixed": {resolve, []step{{"resolution", accept("resolution", `{"resolution":"Fixed"}`)}},
			"Work item 7 is now Resolved as Fixed."},
		"work item declined": {resolve, []step{{"resolution", decline("resolution")}},
			"Work item 7 is unchanged: the user declined to give a resolution."},
		"work item cancelled": {resolve, []step{{"resolution", cancel("resolution")}},
			"Work item 7 is unchanged: the user cancelled."},
		"work item duplicate": {resolve, []step{isDuplicate, {"duplicate", accept("duplicate", `{"original_id":3}`)}},
			"Work item 7 is now Resolved as a duplicate of 3."},
		"work item duplicate, comment": {resolve, []step{isDuplicate, {"duplicate", accept("duplicate", `{"original_id":3,"comment":"same \"log\""}`)}},
			`Work item 7 is now Resolved as a duplicate of 3. Comment: "same \"log\"".`},
		"work item duplicate declined": {resolve, []step{isDuplicate, {"duplicate", decline("duplicate")}},
			"Work item 7 is unchanged: the user declined to name the original."},
		"work item duplicate cancelled": {resolve, []step{isDuplicate, {"duplicate", cancel("duplicate")}},
			"Work item 7 is unchanged: the user cancelled after choosing Duplicate."},
		"work item duplicate of itself": {resolve, []step{isDuplicate, {"duplicate", accept("duplicate", `{"original_id":7}`)}, {"duplicate", decline("duplicate")}},
			"Work item 7 is unchanged: the user declined to name the original."},
		"work item duplicate of zero": {resolve, []step{isDuplicate, {"duplicate", accept("duplicate", `{"original_id":0}`)}, {"duplicate", decline("duplicate")}},
			"Work item 7 is unchanged: the user declined to name the original."},
		"work item duplicate of too much": {resolve, []step{isDuplicate, {"duplicate", accept("duplicate", `{"original_id":1e30}`)}, {"duplicate", decline("duplicate")}},
			"Work item 7 is unchanged: the user declined to name the original."},
		"work item duplicate, long comment": {resolve, []step{isDuplicate, {"duplicate", accept("duplicate", `{"original_id":3,"comment":"`+strings.Repeat("x", 201)+`"}`)}, {"duplicate", decline("duplicate")}},
			"Work item 7 is unchanged: the user declined to name the original."},
		"work item both answers early": {resolve, []step{{"resolution", `{"resolution":{"action":"accept","content":{"resolution":"Duplicate"}},"duplicate":{"action":"accept","content":{"original_id":3}}}`}, {"duplicate", decline("duplicate")}},
			"Work item 7 is unchanged: the user declined to name the original."},
		"work item tries count per question": {resolve, []step{{"resolution", ""}, {"resolution", ""}, isDuplicate, {"duplicate", ""}, {"duplicate", ""}, {"duplicate", ""}},
			`error: No usable answer to ["duplicate"] after asking 3 times.`},

		"machine defaults": {small, []step{{"confirm", accept("confirm", `{"confirm":true}`)}},
			"Provisioned a small machine in westeurope with 1 data disk(s) and no tags for 17 EUR a month."},
		"machine in full": {tool("provision_vm", `{"size":"large","region":"norwayeast"}`),
			[]step{{"confirm", accept("confirm", `{"confirm":true,"disks":8,"tags":["test","dev","test"]}`)}},
			"Provisioned a large machine in norwayeast with 8 data disk(s) and tags dev, test for 230 EUR a month."},
		"machine not confirmed": {small, []step{{"confirm", accept("confirm", `{"confirm":false}`)}},
			"Nothing was provisioned: the user did not accept the monthly cost."},
		"machine declined":  {small, []step{{"confirm", decline("confirm")}}, "Nothing was provisioned: the user declined."},
		"machine cancelled": {small, []step{{"confirm", cancel("confirm")}}, "Nothing was provisioned: the user cancelled."},
		"machine too many disks": {small, []step{{"confirm", accept("confirm", `{"confirm":true,"disks":9}`)}, {"confirm", decline("confirm")}},
			"Nothing was provisioned: the user declined."},
		"machine half a disk": {small, []step{{"confirm", accept("confirm", `{"confirm":true,"disks":1.5}`)}, {"confirm", decline("confirm")}},
			"Nothing was provisioned: the user declined."},
		"machine unknown tag": {small, []step{{"confirm", accept("confirm", `{"confirm":true,"tags":["root"]}`)}, {"confirm", decline("confirm")}},
			"Nothing was provisioned: the user declined."},
		"machine confirm as text": {small, []step{{"confirm", accept("confirm", `{"confirm":"true"}`)}, {"confirm", decline("confirm")}},
			"Nothing was provisioned: the user declined."},

		"summary": {summarise, []step{{"summary", `{"summary":{"role":"assistant","model":"m","content":{"type":"text","text":"Short."}}}`}}, "Short."},
		"summary in blocks": {summarise, []step{{"summary", `{"summary":{"role":"assistant","model":"m","content":[{"type":"text","text":"One."},{"type":"text","text":"Two."}]}}`}},
			"One.\nTwo."},
		"summary without text": {summarise, []step{{"summary", `{"summary":{"role":"assistant","model":"m","content":[]}}`}, {"summary", ""}, {"summary", ""}},
			`error: No usable answer to ["summary"] after asking 3 times.`},
		"summary by the user": {summarise, []step{{"summary", `{"summary":{"role":"user","model":"m","content":{"type":"text","text":"Hm."}}}`}, {"summary", ""}, {"summary", ""}},
			`error: No usable answer to ["summary"] after asking 3 times.`},
		"summary too long": {summarise, []step{{"summary", `{"summary":{"role":"assistant","model":"m","content":{"type":"text","text":"` + strings.Repeat("x", 8193) + `"}}}`}, {"summary", ""}, {"summary", ""}},
			`error: No usable answer to ["summary"] after asking 3 times.`},

		"files": {files, []step{{"roots", `{"roots":{"roots":[{"uri":"file:///b","name":"B"},{"uri":"file:///a"}]}}`}}, "B (file:///b)\nfile:///a"},
		"files none": {files, []step{{"roots", `{"roots":{"roots":[]}}`}},
			"The client shares no roots."},
		"files not a file": {files, []step{{"roots", `{"roots":{"roots":[{"uri":"https://example.com/"}]}}`}, {"roots", `{"roots":{"roots":[{"uri":"file:///a"}]}}`}},
			"file:///a"},
		"files null root": {files, []step{{"roots", `{"roots":{"roots":[null]}}`}, {"roots", ""}, {"roots", ""}, {"roots", ""}},
			`error: No usable answer to ["roots"] after asking 3 times.`},
		"files too many": {files, []step{{"roots", `{"roots":{"roots":[` + strings.Repeat(`{"uri":"file:///a"},`, 100) + `{"uri":"file:///a"}]}}`}, {"roots", `{"roots":{"roots":[]}}`}},
			"The client shares no roots."},

		"trip": {trip, []step{{"folders ideas preferences", `{` + preferences + `,` + ideas + `,` + folders + `}`}}, planned},
		"trip in parts": {trip, []step{{"folders ideas preferences", `{` + ideas + `}`}, {"folders preferences", `{` + folders + `}`}, {"preferences", `{` + preferences + `}`}},
			planned},
		"trip on no day": {trip, []step{{"folders ideas preferences", `{"preferences":{"action":"accept","content":{"start":"2026-02-30"}},` + ideas + `,` + folders + `}`}, {"preferences", `{` + preferences + `}`}},
			planned},
		"trip defaults": {trip, []step{{"folders ideas preferences", `{"preferences":{"action":"accept","content":{"start":"2026-12-01"}},"folders":{"roots":[]},` + ideas + `}`}},
			"3 relaxed days in Rome from 2026-12-01, kept in nowhere. See the Forum."},
		"trip declined": {trip, []step{{"folders ideas preferences", `{"preferences":{"action":"decline"},` + ideas + `,` + folders + `}`}},
			"No trip to Rome was planned: the user declined."},
		"trip cancelled": {trip, []step{{"folders ideas preferences", cancel("preferences")}},
			"No trip to Rome was planned: the user cancelled."},

		"busy": {tool("busy_report", `{}`), []step{{"-", ""}, {"-", ""}, {"-", ""}},
			"The report is ready after 3 wait(s)."},
		"busy once": {tool("busy_report", `{"waits":1}`), []step{{"-", ""}},
			"The report is ready after 1 wait(s)."},

		"review": {review, []step{{"review", accept("review", `{"language":"Go","focus":"security"}`)}},
			"Review this Go code for security.\n\nx := 1"},
		"review default focus": {prompt("code_review", `{}`), []step{{"review", accept("review", `{"language":"Python"}`)}},
			"Review this Python code for correctness."},
		"review declined": {review, []step{{"review", decline("review")}},
			"Review this code for correctness.\n\nx := 1"},
		"review cancelled": {review, []step{{"review", cancel("review")}},
			`-32602 The user cancelled the code review {"reason":"refused"}`},
		"review gives up": {review, []step{{"review", ""}, {"review", accept("review", `{"language":"COBOL"}`)}, {"review", ""}},
			`-32602 No usable answer to ["review"] after asking 3 times. {"reason":"unanswered"}`},

		"report": {report, []step{{"quarter", accept("quarter", `{"quarter":"Q2"}`)}},
			"| Quarter | Orders |\n|---|---|\n| Q2 | 1350 |\n"},
		"report declined": {report, []step{{"quarter", decline("quarter")}},
			"| Quarter | Orders |\n|---|---|\n| Q1 | 1200 |\n| Q2 | 1350 |\n| Q3 | 1280 |\n| Q4 | 1510 |\n"},
		"report cancelled": {report, []step{{"quarter", cancel("quarter")}},
			`-32602 The user cancelled the report {"reason":"refused"}`},
		"report asked again": {report, []step{{"quarter", accept("quarter", `{"quarter":"Q5"}`)}, {"quarter", accept("quarter", `{"quarter":"Q4"}`)}},
			"| Quarter | Orders |\n|---|---|\n| Q4 | 1510 |\n"},
	}
	c := newClient(t, stories.Options{})
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := c.post(tt.request, "", "")
			for i, s := range tt.steps {
				if res.Result.ResultType != "input_required" || res.asks() != s.asks {
					t.Fatalf("round %d: got %q, want questions %q\n%s", i+1, res.end(), s.asks, res.body)
				}
				res = c.post(tt.request, s.answers, res.echo())
			}
			if got := res.end(); got != tt.want {
				t.Errorf("end: got %q, want %q", got, tt.want)
			}
		})
	}
}
