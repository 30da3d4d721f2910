package sampling_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/internal/sampling"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Parts of requests. SECRET must never come back in a fault.
const (
	hello   = `{"role":"user","content":{"type":"text","text":"SECRET"}}`
	reply   = `{"role":"assistant","content":{"type":"text","text":"SECRET"}}`
	useA    = `{"type":"tool_use","id":"SECRET-a","name":"SECRET","input":{"SECRET":1}}`
	useB    = `{"type":"tool_use","id":"SECRET-b","name":"SECRET","input":{}}`
	resultA = `{"type":"tool_result","toolUseId":"SECRET-a","content":[{"type":"text","text":"SECRET"}]}`
	resultB = `{"type":"tool_result","toolUseId":"SECRET-b","content":[]}`
	text    = `{"type":"text","text":"SECRET"}`
)

// with is the params of a request, less the closing brace.
func with(messages ...string) string {
	return `{"maxTokens":100,"messages":[` + strings.Join(messages, ",") + `]`
}

func says(role string, blocks ...string) string {
	return `{"role":"` + role + `","content":[` + strings.Join(blocks, ",") + `]}`
}

func user(blocks ...string) string      { return says("user", blocks...) }
func assistant(blocks ...string) string { return says("assistant", blocks...) }

func TestCheckRequest(t *testing.T) {
	const (
		count      = "maxTokens is not a whole number from 1 to 9007199254740991"
		userBlocks = ".type is not one of text|image|audio|tool_result"
		unanswered = " follows a tool_use and has no tool_result for it"
		noUse      = ".toolUseId is not that of an unanswered tool_use in the message before"
		badID      = ".id is not Unicode text or is that of another tool_use in the message"
	)
	tests := map[string]struct{ params, want string }{
		"least":                 {`{"messages":[],"maxTokens":1}`, ""},
		"specification example": {`{"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],"modelPreferences":{"hints":[{"name":"claude-3-sonnet"}],"costPriority":0.3,"intelligencePriority":0.8,"speedPriority":0.5},"temperature":0.1,"systemPrompt":"You are a helpful assistant.","includeContext":"thisServer","maxTokens":100}`, ""},
		"not an object":         {`["SECRET"]`, "is not an object"},
		"unknown members":       {with(hello) + `,"_meta":{},"SECRET":[null]}`, ""},

		"no messages":             {`{"maxTokens":1}`, "messages is missing"},
		"messages null":           {`{"maxTokens":1,"messages":null}`, "messages is not an array"},
		"messages of another era": {`{"maxTokens":1,"messages":` + hello + `}`, "messages is not an array"},
		"message a string":        {with(`"SECRET"`) + `}`, "messages[0] is not an object"},
		"no role":                 {with(hello, `{"content":`+text+`}`) + `}`, "messages[1].role is not one of user|assistant"},
		"role null":               {with(`{"role":null,"content":`+text+`}`) + `}`, "messages[0].role is not one of user|assistant"},
		"role system":             {with(`{"role":"system","content":`+text+`}`) + `}`, "messages[0].role is not one of user|assistant"},
		"no content":              {with(`{"role":"user"}`) + `}`, "messages[0].content is missing"},
		"content a string":        {with(`{"role":"user","content":"SECRET"}`) + `}`, "messages[0].content is not an object"},
		"content null":            {with(`{"role":"user","content":null}`) + `}`, "messages[0].content is not an object"},
		"content empty":           {with(`{"role":"user","content":[]}`) + `}`, ""},
		"block a string":          {with(user(text, `"SECRET"`)) + `}`, "messages[0].content[1] is not an object"},
		"block in two arrays":     {with(user(`[`+text+`]`)) + `}`, "messages[0].content[0] is not an object"},
		"no type":                 {with(`{"role":"user","content":{"text":"SECRET"}}`) + `}`, "messages[0].content" + userBlocks},
		"unknown type":            {with(user(`{"type":"SECRET"}`)) + `}`, "messages[0].content[0]" + userBlocks},
		"resource in a message":   {with(user(`{"type":"resource","resource":{"uri":"a:b","text":""}}`)) + `}`, "messages[0].content[0]" + userBlocks},
		"extra in a block":        {with(user(`{"type":"text","text":"","annotations":{},"_meta":{}}`)) + `}`, ""},

		"text":                  {with(user(text), assistant(text)) + `}`, ""},
		"text missing":          {with(user(`{"type":"text"}`)) + `}`, "messages[0].content[0].text is missing"},
		"text a number":         {with(user(`{"type":"text","text":1}`)) + `}`, "messages[0].content[0].text is not of type string"},
		"text with a surrogate": {with(user(`{"type":"text","text":"\ud800"}`)) + `}`, ""},
		"image":                 {with(user(`{"type":"image","data":"AA==","mimeType":"image/png"}`)) + `}`, ""},
		"image without data":    {with(user(`{"type":"image","mimeType":"image/png"}`)) + `}`, "messages[0].content[0].data is missing"},
		"image without type":    {with(user(`{"type":"image","data":"SECRET"}`)) + `}`, "messages[0].content[0].mimeType is missing"},
		"image data an array":   {with(user(`{"type":"image","data":[1],"mimeType":"image/png"}`)) + `}`, "messages[0].content[0].data is not of type string"},
		"audio":                 {with(assistant(`{"type":"audio","data":"AA==","mimeType":"audio/wav"}`)) + `}`, ""},
		"audio without data":    {with(assistant(`{"type":"audio","mimeType":"audio/wav"}`)) + `}`, "messages[0].content[0].data is missing"},
		"audio without type":    {with(assistant(`{"type":"audio","data":"SECRET"}`)) + `}`, "messages[0].content[0].mimeType is missing"},

		"no maxTokens":                  {`{"messages":[]}`, "maxTokens is missing"},
		"maxTokens a string":            {`{"messages":[],"maxTokens":"100"}`, "maxTokens is not of type number"},
		"maxTokens null":                {`{"messages":[],"maxTokens":null}`, "maxTokens is not of type number"},
		"maxTokens 0":                   {`{"messages":[],"maxTokens":0}`, count},
		"maxTokens -0":                  {`{"messages":[],"maxTokens":-0}`, count},
		"maxTokens -1":                  {`{"messages":[],"maxTokens":-1}`, count},
		"maxTokens 1.0":                 {`{"messages":[],"maxTokens":1.0}`, ""},
		"maxTokens 100.000":             {`{"messages":[],"maxTokens":100.000}`, ""},
		"maxTokens 0.0":                 {`{"messages":[],"maxTokens":0.0}`, count},
		"maxTokens 1.5":                 {`{"messages":[],"maxTokens":1.5}`, count},
		"maxTokens 1.01":                {`{"messages":[],"maxTokens":1.01}`, count},
		"maxTokens 1e2":                 {`{"messages":[],"maxTokens":1e2}`, count},
		"maxTokens 1.0e2":               {`{"messages":[],"maxTokens":1.0e2}`, count},
		"largest maxTokens":             {`{"messages":[],"maxTokens":9007199254740991}`, ""},
		"maxTokens one too large":       {`{"messages":[],"maxTokens":9007199254740992}`, count},
		"maxTokens no integer can hold": {`{"messages":[],"maxTokens":18446744073709551617}`, count},

		"systemPrompt":              {with() + `,"systemPrompt":""}`, ""},
		"systemPrompt a number":     {with() + `,"systemPrompt":1}`, "systemPrompt is not of type string"},
		"systemPrompt null":         {with() + `,"systemPrompt":null}`, ""},
		"temperature":               {with() + `,"temperature":-1.5e-3}`, ""},
		"temperature a string":      {with() + `,"temperature":"SECRET"}`, "temperature is not of type number"},
		"stopSequences":             {with() + `,"stopSequences":["a",""]}`, ""},
		"stopSequences a string":    {with() + `,"stopSequences":"SECRET"}`, "stopSequences is not an array"},
		"a stop sequence a number":  {with() + `,"stopSequences":["a",1]}`, "stopSequences[1] is not of type string"},
		"modelPreferences":          {with() + `,"modelPreferences":{"hints":"any"}}`, ""},
		"modelPreferences an array": {with() + `,"modelPreferences":["SECRET"]}`, "modelPreferences is not of type object"},
		"metadata":                  {with() + `,"metadata":{"a":null}}`, ""},
		"metadata a string":         {with() + `,"metadata":"SECRET"}`, "metadata is not of type object"},
		"includeContext none":       {with() + `,"includeContext":"none"}`, ""},
		"includeContext thisServer": {with() + `,"includeContext":"thisServer"}`, ""},
		"includeContext allServers": {with() + `,"includeContext":"allServers"}`, ""},
		"includeContext unknown":    {with() + `,"includeContext":"SECRET"}`, `includeContext is not of type "none"|"thisServer"|"allServers"`},
		"includeContext null":       {with() + `,"includeContext":null}`, ""},

		"tools":                 {with() + `,"tools":[{"name":"a","inputSchema":{"type":"object"},"description":"b"}]}`, ""},
		"no tools in tools":     {with() + `,"tools":[]}`, ""},
		"tools an object":       {with() + `,"tools":{"name":"SECRET"}}`, "tools is not an array"},
		"tool a string":         {with() + `,"tools":["SECRET"]}`, "tools[0] is not an object"},
		"tool without a name":   {with() + `,"tools":[{"inputSchema":{}}]}`, "tools[0].name is missing"},
		"tool without a schema": {with() + `,"tools":[{"name":"a","inputSchema":{}},{"name":"SECRET"}]}`, "tools[1].inputSchema is missing"},
		"tool with schema true": {with() + `,"tools":[{"name":"SECRET","inputSchema":true}]}`, "tools[0].inputSchema is not of type object"},
		"toolChoice":            {with() + `,"toolChoice":{"mode":"required"}}`, ""},
		"toolChoice empty":      {with() + `,"toolChoice":{}}`, ""},
		"toolChoice a string":   {with() + `,"toolChoice":"auto"}`, "toolChoice is not an object"},
		"toolChoice of a tool":  {with() + `,"toolChoice":{"mode":"SECRET"}}`, `toolChoice.mode is not of type "auto"|"required"|"none"`},

		"tool use answered":           {with(hello, assistant(useA), user(resultA)) + `}`, ""},
		"one block without an array":  {with(`{"role":"assistant","content":`+useA+`}`, `{"role":"user","content":`+resultA+`}`) + `}`, ""},
		"two answered":                {with(assistant(useA, useB), user(resultA, resultB)) + `}`, ""},
		"answered in another order":   {with(assistant(useA, useB), user(resultB, resultA)) + `}`, ""},
		"text beside a tool use":      {with(assistant(text, useA, text), user(resultA), reply) + `}`, ""},
		"same id in a later turn":     {with(assistant(useA), user(resultA), assistant(useA), user(resultA)) + `}`, ""},
		"id escaped elsewhere":        {with(assistant(`{"type":"tool_use","id":"a\/\u0062","name":"n","input":{}}`), user(`{"type":"tool_result","toolUseId":"a/b","content":[]}`)) + `}`, ""},
		"empty id":                    {with(assistant(`{"type":"tool_use","id":"","name":"n","input":{}}`), user(`{"type":"tool_result","toolUseId":"","content":[]}`)) + `}`, ""},
		"tool use of a user":          {with(user(useA)) + `}`, "messages[0].content[0]" + userBlocks},
		"tool result of an assistant": {with(assistant(useA), assistant(resultA)) + `}`, "messages[1].content[0].type is not one of text|image|audio|tool_use"},
		"tool use without an id":      {with(assistant(`{"type":"tool_use","name":"SECRET","input":{}}`)) + `}`, "messages[0].content[0].id is missing"},
		"tool use without a name":     {with(assistant(`{"type":"tool_use","id":"SECRET","input":{}}`)) + `}`, "messages[0].content[0].name is missing"},
		"tool use without input":      {with(assistant(`{"type":"tool_use","id":"SECRET","name":"a"}`)) + `}`, "messages[0].content[0].input is missing"},
		"tool input an array":         {with(assistant(`{"type":"tool_use","id":"SECRET","name":"a","input":[]}`)) + `}`, "messages[0].content[0].input is not of type object"},
		"tool use id a number":        {with(assistant(`{"type":"tool_use","id":1,"name":"SECRET","input":{}}`)) + `}`, "messages[0].content[0].id is not of type string"},
		"tool use id a surrogate":     {with(assistant(`{"type":"tool_use","id":"SECRET\ud800","name":"a","input":{}}`)) + `}`, "messages[0].content[0]" + badID},
		"two tool uses of one id":     {with(assistant(useA, useB, useA), user(resultA, resultB)) + `}`, "messages[0].content[2]" + badID},
		"nothing follows a tool use":  {with(hello, assistant(useA)) + `}`, "messages ends with a tool_use and without its tool_result"},
		"text follows a tool use":     {with(assistant(useA), hello) + `}`, "messages[1]" + unanswered},
		"nothing said after a use":    {with(assistant(useA), user()) + `}`, "messages[1]" + unanswered},
		"assistant goes on":           {with(assistant(useA), reply, user(resultA)) + `}`, "messages[1]" + unanswered},
		"assistant uses again":        {with(assistant(useA), assistant(useB), user(resultA, resultB)) + `}`, "messages[1]" + unanswered},
		"one of two unanswered":       {with(hello, assistant(useA, useB), user(resultA), reply) + `}`, "messages[2]" + unanswered},
		"answered too late":           {with(assistant(useA), hello, user(resultA)) + `}`, "messages[1]" + unanswered},
		"result without a use":        {with(user(resultA)) + `}`, "messages[0].content[0]" + noUse},
		"result of another use":       {with(assistant(useA), user(resultB)) + `}`, "messages[1].content[0]" + noUse},
		"result twice":                {with(assistant(useA, useB), user(resultA, resultA)) + `}`, "messages[1].content[1]" + noUse},
		"result again later":          {with(assistant(useA), user(resultA), user(resultA)) + `}`, "messages[2].content[0]" + noUse},
		"result of a surrogate":       {with(assistant(useA), user(`{"type":"tool_result","toolUseId":"SECRET-a\udc00","content":[]}`)) + `}`, "messages[1].content[0]" + noUse},
		"text beside a result":        {with(assistant(useA), user(text, resultA)) + `}`, "messages[1].content has a tool_result and something else"},
		"image beside a result":       {with(assistant(useA), user(resultA, `{"type":"image","data":"","mimeType":""}`)) + `}`, "messages[1].content has a tool_result and something else"},
		"result without an id":        {with(assistant(useA), user(`{"type":"tool_result","content":[]}`)) + `}`, "messages[1].content[0].toolUseId is missing"},
		"result without content":      {with(assistant(useA), user(`{"type":"tool_result","toolUseId":"SECRET-a"}`)) + `}`, "messages[1].content[0].content is missing"},
		"result content a string":     {with(assistant(useA), user(`{"type":"tool_result","toolUseId":"SECRET-a","content":"SECRET"}`)) + `}`, "messages[1].content[0].content is not an array"},
		"result content one block":    {with(assistant(useA), user(`{"type":"tool_result","toolUseId":"SECRET-a","content":`+text+`}`)) + `}`, "messages[1].content[0].content is not an array"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			strict(t, tt.params)
			got, undeclared := sampling.CheckRequest([]byte(tt.params), true)
			if got.String() != tt.want || undeclared {
				t.Errorf("CheckRequest(%s): got %q (undeclared %v), want %q", tt.params, got, undeclared, tt.want)
			}
		})
	}
}

func TestCheckRequestContentOfAToolResult(t *testing.T) {
	const block = "messages[1].content[0].content[1]"
	tests := map[string]struct{ block, want string }{
		"text":                     {text, ""},
		"image":                    {`{"type":"image","data":"","mimeType":""}`, ""},
		"audio":                    {`{"type":"audio","data":"","mimeType":""}`, ""},
		"resource link":            {`{"type":"resource_link","name":"a","uri":"a:b"}`, ""},
		"resource with text":       {`{"type":"resource","resource":{"uri":"a:b","text":"c"}}`, ""},
		"resource with a blob":     {`{"type":"resource","resource":{"uri":"a:b","blob":"AA=="}}`, ""},
		"tool use":                 {useB, ".type is not one of text|image|audio|resource_link|resource"},
		"tool result":              {resultB, ".type is not one of text|image|audio|resource_link|resource"},
		"text missing":             {`{"type":"text"}`, ".text is missing"},
		"link without a name":      {`{"type":"resource_link","uri":"SECRET:"}`, ".name is missing"},
		"link without a uri":       {`{"type":"resource_link","name":"SECRET"}`, ".uri is missing"},
		"no resource":              {`{"type":"resource"}`, ".resource is missing"},
		"resource a string":        {`{"type":"resource","resource":"SECRET"}`, ".resource is not an object"},
		"resource without a uri":   {`{"type":"resource","resource":{"text":"SECRET"}}`, ".resource.uri is missing"},
		"resource without either":  {`{"type":"resource","resource":{"uri":"SECRET:"}}`, ".resource has neither text nor blob"},
		"resource text a number":   {`{"type":"resource","resource":{"uri":"SECRET:","text":1}}`, ".resource.text is not of type string"},
		"resource text null":       {`{"type":"resource","resource":{"uri":"a:b","text":null,"blob":""}}`, ""},
		"resource of nulls":        {`{"type":"resource","resource":{"uri":"SECRET:","text":null,"blob":null}}`, ".resource has neither text nor blob"},
		"resource blob an array":   {`{"type":"resource","resource":{"uri":"SECRET:","blob":[]}}`, ".resource.blob is not of type string"},
		"a block that is a string": {`"SECRET"`, " is not an object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			params := with(assistant(useA), user(`{"type":"tool_result","toolUseId":"SECRET-a","content":[`+text+`,`+tt.block+`]}`)) + `}`
			strict(t, params)
			want := tt.want
			if want != "" {
				want = block + want
			}
			if got, undeclared := sampling.CheckRequest([]byte(params), true); got.String() != want || undeclared {
				t.Errorf("got %q (undeclared %v), want %q", got, undeclared, want)
			}
		})
	}
}

func TestCheckRequestWithoutTheToolsCapability(t *testing.T) {
	const (
		member = "tools or toolChoice needs the capability sampling.tools, which was not declared"
		block  = " needs the capability sampling.tools, which was not declared"
	)
	tests := map[string]struct {
		params, want string
		undeclared   bool
	}{
		"no tools":                 {with(hello, reply) + `}`, "", false},
		"tools":                    {with(hello) + `,"tools":[{"name":"SECRET","inputSchema":{}}]}`, member, true},
		"no tools in tools":        {with(hello) + `,"tools":[]}`, member, true},
		"tools null":               {with(hello) + `,"tools":null}`, "", false},
		"toolChoice":               {with(hello) + `,"toolChoice":{"mode":"none"}}`, member, true},
		"toolChoice null":          {with(hello) + `,"toolChoice":null}`, "", false},
		"before what is malformed": {`{"tools":[],"messages":"SECRET"}`, member, true},
		"tool use":                 {with(hello, assistant(text, useA), user(resultA)) + `}`, "messages[1].content[1]" + block, true},
		"tool result":              {with(user(resultA)) + `}`, "messages[0].content[0]" + block, true},
		"malformed tool use":       {with(assistant(`{"type":"tool_use"}`)) + `}`, "messages[0].content[0].id is missing", false},
		"malformed":                {`{"messages":[]}`, "maxTokens is missing", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			strict(t, tt.params)
			got, undeclared := sampling.CheckRequest([]byte(tt.params), false)
			if got.String() != tt.want || undeclared != tt.undeclared {
				t.Errorf("CheckRequest(%s): got %q %v, want %q %v", tt.params, got, undeclared, tt.want, tt.undeclared)
			}
		})
	}
}

func TestCheckResult(t *testing.T) {
	const blocks = ".type is not one of text|image|audio|tool_use"
	tests := map[string]struct{ result, want string }{
		"text":                  {`{"role":"assistant","content":{"type":"text","text":"The capital of France is Paris."},"model":"claude-3-sonnet-20240307","stopReason":"endTurn"}`, ""},
		"tool uses":             {`{"role":"assistant","content":[` + useA + `,` + useB + `],"model":"m","stopReason":"toolUse"}`, ""},
		"image":                 {`{"role":"assistant","content":{"type":"image","data":"","mimeType":""},"model":"m"}`, ""},
		"audio":                 {`{"role":"assistant","content":{"type":"audio","data":"","mimeType":""},"model":"m"}`, ""},
		"nothing said":          {`{"role":"assistant","content":[],"model":"m"}`, ""},
		"own stop reason":       {`{"role":"assistant","content":[],"model":"m","stopReason":"refusal"}`, ""},
		"unknown members":       {`{"role":"assistant","content":[],"model":"m","_meta":{},"SECRET":1}`, ""},
		"not an object":         {`"SECRET"`, "is not an object"},
		"no role":               {`{"content":[],"model":"SECRET"}`, "role is missing"},
		"role user":             {`{"role":"user","content":[],"model":"SECRET"}`, `role is not of type "assistant"`},
		"role null":             {`{"role":null,"content":[],"model":"SECRET"}`, `role is not of type "assistant"`},
		"no content":            {`{"role":"assistant","model":"SECRET"}`, "content is missing"},
		"content a string":      {`{"role":"assistant","content":"SECRET","model":"m"}`, "content is not an object"},
		"no type":               {`{"role":"assistant","content":{"text":"SECRET"},"model":"m"}`, "content" + blocks},
		"tool result":           {`{"role":"assistant","content":[` + text + `,` + resultA + `],"model":"m"}`, "content[1]" + blocks},
		"text missing":          {`{"role":"assistant","content":{"type":"text"},"model":"m"}`, "content.text is missing"},
		"tool input missing":    {`{"role":"assistant","content":[{"type":"tool_use","id":"SECRET","name":"n"}],"model":"m"}`, "content[0].input is missing"},
		"one id for two":        {`{"role":"assistant","content":[` + useA + `,` + useA + `],"model":"m"}`, "content[1].id is not Unicode text or is that of another tool_use in the message"},
		"no model":              {`{"role":"assistant","content":[]}`, "model is missing"},
		"model a number":        {`{"role":"assistant","content":[],"model":1}`, "model is not of type string"},
		"stop reason null":      {`{"role":"assistant","content":[],"model":"m","stopReason":null}`, "stopReason is not of type string"},
		"stop reason an object": {`{"role":"assistant","content":[],"model":"m","stopReason":{"SECRET":1}}`, "stopReason is not of type string"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			strict(t, tt.result)
			if got := sampling.CheckResult([]byte(tt.result)).String(); got != tt.want {
				t.Errorf("CheckResult(%s): got %q, want %q", tt.result, got, tt.want)
			}
		})
	}
}

func strict(t *testing.T, text string) {
	t.Helper()
	if err := rawjson.Strict([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// A hostile server must not buy more time than its bytes are worth: a message
// may use 512 tools, which is what rawjson.Names takes.
func TestManyToolUses(t *testing.T) {
	for n, want := range map[int]bool{512: true, 513: false, 25_000: false} {
		if got := checkToolUses(n); (got == "") != want {
			t.Errorf("%d tool uses: got %q", n, got)
		}
	}
}

func checkToolUses(n int) (fault sentence.Text) {
	var uses, results []string
	for i := range n {
		id := strconv.Itoa(i)
		uses = append(uses, `{"type":"tool_use","id":"`+id+`","name":"n","input":{}}`)
		results = append(results, `{"type":"tool_result","toolUseId":"`+id+`","content":[]}`)
	}
	params := with(assistant(uses...), user(results...)) + `}`
	fault, _ = sampling.CheckRequest([]byte(params), true)
	return fault
}
