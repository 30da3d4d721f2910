package message

// Name is a member that is looked at: of a message, of its result, or of a
// result inside of that. Nothing is known of any other but that it is well-formed.
type Name uint8

// Members of a message, of its result after those, and then of the result that
// a task has. Those of proposals are read in every message; package drafts of the
// engine says in which dialect they count.
const (
	JSONRPC Name = iota
	ID
	Method
	Params
	Result
	Error
	Requests           // inputRequests
	RequestsDraft      // input_requests
	RequestsDependent  // dependent_requests
	BesideState        // requestState
	BesideStateDraft   // request_state
	State              // of a request of the server
	ResultType         // the first of its result
	ResultTypeDraft    // result_type
	InputRequests      //
	InputRequestsDraft // input_requests
	RequestState
	RequestStateDraft // request_state
	DependentRequests // dependent_requests
	Content
	StructuredContent
	Messages
	Contents
	Task
	TaskID
	Status
	StatusMessage
	PollInterval
	PollIntervalMs
	TTL
	TTLMs
	CacheScope
	TaskResult // result
	TaskError  // error
	Tools
	Prompts
	Resources
	ResourceTemplates
	NextCursor
	ProtocolVersion
	Capabilities
	ServerInfo
	Instructions
	SupportedVersions
	Meta
	TaskResultType // resultType, of a task's result
	TaskContent
	TaskStructuredContent

	count
)

var spelled = [count]string{
	"jsonrpc", "id", "method", "params", "result", "error", "inputRequests", "input_requests", "dependent_requests", "requestState", "request_state", "state",
	"resultType", "result_type", "inputRequests", "input_requests", "requestState", "request_state", "dependent_requests", "content", "structuredContent", "messages", "contents",
	"task", "taskId", "status", "statusMessage", "pollInterval", "pollIntervalMs", "ttl", "ttlMs", "cacheScope", "result", "error", "tools", "prompts", "resources", "resourceTemplates", "nextCursor",
	"protocolVersion", "capabilities", "serverInfo", "instructions", "supportedVersions", "_meta",
	"resultType", "content", "structuredContent",
}

// String is the member's name.
func (n Name) String() string { return spelled[n] }

// levels are the first Name of each level, from 1 on.
var levels = [...]Name{0, JSONRPC, ResultType, TaskResultType, count}

const maxLevel = 3

// find is the Name that stands for a text in a level, count if there is none.
func find(level int, text []byte) Name {
	for n := levels[level]; n < levels[level+1]; n++ {
		if name := spelled[n]; len(name) == len(text) && name == string(text) {
			return n
		}
	}
	return count
}

// parent is the member that a member is in, count if it is in the message itself.
func (n Name) parent() Name {
	switch {
	case n < ResultType:
		return count
	case n < TaskResultType:
		return Result
	}
	return TaskResult
}
