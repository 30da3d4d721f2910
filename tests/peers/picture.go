package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"os"
	"strings"
)

// panels are what the picture shows: Parley's sessions, and others, the last of
// which is the one that all are compared with.
var panels = []struct {
	title  string
	ours   [][2]string // the client, and what the picture calls it
	theirs []string    // how their names begin
}{
	{"Go", [][2]string{{"session native", "Parley, native"}, {"session wazero", "Parley, wazero"}}, []string{"mcp-go", "go-sdk"}},
	{"Node", [][2]string{{"session Node", "Parley"}}, []string{"TypeScript SDK"}},
}

// shown are the tables, with what the picture calls them.
var shown = []struct{ table, title string }{{"2 legs", "one question"}, {"10 legs", "nine questions"}}

// The picture's measures, in pixels.
const (
	width, left, right = 720, 190, 60
	barHeight, barStep = 14, 22
)

// Neither white nor black: it stands on either. Parley's bars differ in lightness,
// too, for who does not see colours.
const style = `
text { font: 13px system-ui, sans-serif; fill: #59636e }
.title { font-weight: 600; fill: #1f2328 }
.ours { fill: #0969da } .theirs { fill: #8c959f } .one { stroke: #818b98; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1 } .title { fill: #f0f6fc }
  .ours { fill: #58a6ff } .theirs { fill: #6e7681 } .one { stroke: #9198a1 }
}
`

// writePicture draws a report's sessions beside the official SDKs, as bars of
// ratios.
func writePicture(w io.Writer, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var report Report
	if err := json.Unmarshal(text, &report); err != nil {
		return err
	}
	_, err = io.WriteString(w, picture(&report))
	return err
}

// bar is one of the picture's.
type bar struct {
	class, name string
	ratio       float64
}

func picture(report *Report) string {
	var drawn, said strings.Builder
	most := 1.0
	for _, panel := range panels {
		for _, t := range shown {
			for _, b := range report.bars(t.table, panel.ours, panel.theirs) {
				most = max(most, b.ratio)
			}
		}
	}
	scale := func(ratio float64) float64 { return ratio * (width - left - right) / most }
	y := 48
	for _, panel := range panels {
		for _, t := range shown {
			fmt.Fprintf(&drawn, "<text class=\"title\" x=\"16\" y=\"%d\">%s, a call with %s</text>\n", y+11, panel.title, t.title)
			fmt.Fprintf(&said, "%s, %s:", panel.title, t.title)
			y += barStep
			separator := " "
			for _, b := range report.bars(t.table, panel.ours, panel.theirs) {
				fmt.Fprintf(&drawn, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left-10, y+11, b.name)
				fmt.Fprintf(&drawn, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n", b.class, left, y, scale(b.ratio), barHeight)
				fmt.Fprintf(&drawn, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.2f</text>\n", width-16, y+11, b.ratio)
				fmt.Fprintf(&said, "%s%s %.2f", separator, b.name, b.ratio)
				separator = "; "
				y += barStep
			}
			said.WriteString(". ")
			y += 10
		}
	}
	fmt.Fprintf(&drawn, "<path class=\"one\" d=\"M%.1f 40V%d\"/>\n", left+scale(1), y-10)
	m := report.Machine
	fmt.Fprintf(&drawn, "<text x=\"16\" y=\"%d\">%s, %d cores; Go %s, Node %s; %s</text>\n", y+10, html.EscapeString(m.CPU), m.Cores, m.Go, m.Node, report.Date)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="title desc">
<title id="title">%[3]s</title>
<desc id="desc">%[4]s</desc>
<style>%[5]s</style>
<text class="title" x="16" y="26">%[3]s</text>
%[6]s</svg>
`, width, y+26, "Time of a whole call, as a ratio to the official SDK's: shorter is faster", strings.TrimSpace(said.String()), style, drawn.String())
}

// bars are those of a panel for one table.
func (r *Report) bars(table string, ours [][2]string, theirs []string) (bars []bar) {
	for _, client := range ours {
		for _, row := range r.Rows {
			if row.Table == table && row.Client == client[0] {
				bars = append(bars, bar{"ours", client[1], row.Ratio})
			}
		}
	}
	for i, name := range theirs {
		for _, row := range r.Rows {
			if row.Table == table && strings.HasPrefix(row.Client, name) {
				b := bar{"theirs", html.EscapeString(row.Client), row.Ratio}
				if i == len(theirs)-1 {
					b.ratio = 1
				}
				bars = append(bars, b)
			}
		}
	}
	return bars
}
