package servers

import "strconv"

// longestName is how long a name may be where a model reads it.
const longestName = 64

// NameApart gives tools, by their Server and Name, names under which a model
// knows them: 1 to 64 of A-Z a-z 0-9 _ and -. A tool keeps its own name unless
// another server has it too; then each is called after its server as well. What
// is the same still is numbered. [Set.Tools] has done it.
//
// Models take no more than this, MCP's own names may have dots and slashes.
// Source: MCP 2026-07-28, server/tools, Tool Names.
func NameApart(tools []Tool) {
	servers := map[string]map[string]bool{}
	for _, tool := range tools {
		own := fit(tool.Name)
		if servers[own] == nil {
			servers[own] = map[string]bool{}
		}
		servers[own][tool.Server] = true
	}
	taken := map[string]bool{}
	for i, tool := range tools {
		wanted := fit(tool.Name)
		if len(servers[wanted]) > 1 {
			wanted = fit(tool.Server + "_" + tool.Name)
		}
		free := wanted
		for n := 2; taken[free]; n++ {
			number := "_" + strconv.Itoa(n)
			free = wanted[:min(len(wanted), longestName-len(number))] + number
		}
		taken[free] = true
		tools[i].Name = free
	}
}

// fit puts _ in the place of every character that models do not take.
func fit(name string) string {
	var fits []byte
	for _, r := range name {
		if len(fits) == longestName {
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			fits = append(fits, byte(r))
		default:
			fits = append(fits, '_')
		}
	}
	if len(fits) == 0 {
		return "_"
	}
	return string(fits)
}
