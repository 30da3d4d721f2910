package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// Report is what was measured, and where.
type Report struct {
	Date    string  `json:"date"`
	Machine Machine `json:"machine"`
	Load    Load    `json:"load"`
	Rows    []*Row  `json:"rows"`

	to io.Writer // where it is printed as it grows
}

// Load is the load average of the last minute, at the beginning and at the end.
type Load struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Row is what one client's calls cost, or what is known of a size.
type Row struct {
	Table  string `json:"table"`
	Client string `json:"client"`

	Turns     []float64   `json:"turns,omitempty"` // us a call
	Quartiles *[3]float64 `json:"quartiles,omitempty"`
	CPU       []float64   `json:"cpu,omitempty"` // us of all processors, 0 where it is not known

	Allocs int `json:"allocs,omitempty"` // of a call, in the turn with the fewest
	Bytes  int `json:"bytes,omitempty"`  // allocated in it; of a file: its size
	Memory int `json:"memory,omitempty"` // of the module, in bytes

	Of       string  `json:"of,omitempty"`       // the client that the ratios are of
	Ratio    float64 `json:"ratio,omitempty"`    // the median of those in each turn, or that of the sizes
	CPURatio float64 `json:"cpuRatio,omitempty"` // the same of CPU

	Missing string `json:"missing,omitempty"` // why there is nothing else
}

func newReport(to io.Writer) *Report {
	return &Report{to: to, Date: time.Now().UTC().Format(time.DateOnly), Machine: thisMachine(), Load: Load{Before: loadAverage()}}
}

// add completes the rows of a table and prints them.
func (r *Report) add(rows []*Row) {
	of := map[string]*Row{}
	for _, row := range rows {
		of[row.Client] = row
	}
	for _, row := range rows {
		if peer := of[row.Of]; peer != nil {
			row.Ratio, row.CPURatio = medianRatio(row.Turns, peer.Turns), medianRatio(row.CPU, peer.CPU)
			if len(row.Turns) == 0 && peer.Bytes > 0 {
				row.Ratio = float64(row.Bytes) / float64(peer.Bytes)
			}
		}
		if len(row.Turns) > 0 {
			q := quartiles(row.Turns)
			row.Quartiles = &q
		}
	}
	if len(r.Rows) == 0 {
		fmt.Fprintf(r.to, "%s\nThe medians of all turns, and the quartiles. CPU is that of all processors.\n", r.Machine)
	}
	r.Rows = append(r.Rows, rows...)
	fmt.Fprintf(r.to, "\n%-32s %8s %17s %8s %9s %6s %7s %7s\n", rows[0].Table, "each", "quartiles", "CPU", "B", "allocs", "by CPU", "ratio")
	for _, row := range rows {
		fmt.Fprintln(r.to, row)
	}
}

// medianRatio is the median of the ratios in each turn, 0 where there are none.
func medianRatio(of, to []float64) float64 {
	var ratios []float64
	for i := range min(len(of), len(to)) {
		if to[i] > 0 {
			ratios = append(ratios, of[i]/to[i])
		}
	}
	if len(ratios) == 0 {
		return 0
	}
	return math.Round(quartiles(ratios)[1]*1000) / 1000
}

// String is the row as it is printed.
func (r *Row) String() string {
	name := fmt.Sprintf("  %-30s ", r.Client)
	if r.Missing != "" {
		return name + "not measured: " + r.Missing
	}
	var each, spread, cpu, bytes, allocs, byCPU, ratio string
	if q := r.Quartiles; q != nil {
		each, spread = micros(q[1]), micros(q[0])+" - "+micros(q[2])
		if median := quartiles(r.CPU)[1]; median > 0 {
			cpu = micros(median)
		}
	}
	if r.Bytes > 0 {
		bytes = strconv.Itoa(r.Bytes)
	}
	if r.Allocs > 0 {
		allocs = strconv.Itoa(r.Allocs)
	}
	if r.CPURatio > 0 {
		byCPU = fmt.Sprintf("%.3f", r.CPURatio)
	}
	if r.Ratio > 0 {
		ratio = fmt.Sprintf("%.3f  of %s", r.Ratio, r.Of)
	}
	return strings.TrimRight(fmt.Sprintf("%s%8s %17s %8s %9s %6s %7s   %s", name, each, spread, cpu, bytes, allocs, byCPU, ratio), " ")
}

// micros are microseconds to three digits.
func micros(us float64) string {
	unit := "us"
	if us >= 10_000 {
		us, unit = us/1000, "ms"
	}
	digits := 0
	for limit := 100.0; us < limit && digits < 2; limit /= 10 {
		digits++
	}
	return strconv.FormatFloat(us, 'f', digits, 64) + unit
}

// end notes what the load was in the end.
func (r *Report) end() {
	r.Load.After = loadAverage()
	fmt.Fprintf(r.to, "\nload average: %.2f at the beginning, %.2f at the end\n", r.Load.Before, r.Load.After)
}

func (r *Report) write(file string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	lines := bytes.ReplaceAll(text, []byte(`{"table"`), []byte("\n"+`{"table"`))
	return os.WriteFile(file, append(lines, '\n'), 0o644)
}
