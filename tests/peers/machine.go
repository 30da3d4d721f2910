package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Machine is where a report was made.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Go    string `json:"go"`
	Node  string `json:"node"`
}

func thisMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: strings.TrimPrefix(runtime.Version(), "go")}
	cpu, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(cpu)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			m.CPU = strings.TrimSpace(value)
			break
		}
	}
	if version, err := exec.Command("node", "--version").Output(); err == nil {
		m.Node = strings.TrimPrefix(strings.TrimSpace(string(version)), "v")
	}
	return m
}

// String is the machine in one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s; Go %s, Node %s", m.CPU, m.Cores, m.OS, m.Go, m.Node)
}

// loadAverage is that of the last minute, 0 where it is not known.
func loadAverage() (load float64) {
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(text), &load)
	}
	return load
}
