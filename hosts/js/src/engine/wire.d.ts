// Written by go test ./internal/wire -update, from the functions that read and write these.
import type { Bytes } from "./frame.js"
import type { Json } from "./call.js"
import type { Sentence } from "../texts/sentence.js"

/** An object of one of these types, which its member type names. */
export type Typed<Types> = { [Name in keyof Types]: { type: Name } & Types[Name] }[keyof Types]

/** What the host can answer: questions of other kinds fail the call. */
export interface Can {
  form?: boolean
  url?: boolean
  sampling?: boolean
  /** sampling with tools */
  samplingTools?: boolean
  roots?: boolean
  /** a tool call may become a task */
  tasks?: boolean
  /** sign in: a session asks, and it is declared to no server */
  authorize?: boolean
  /** draw forms that Parley cannot read: their answer only has to be an object. It is declared to no server */
  anyForm?: boolean
}

/** What a server may send. */
export interface Limits {
  /** a response that the engine reads, and one answer, in bytes; 1048576 if absent */
  response?: number
  /** a response with a complete result, in bytes; 67108864 if absent */
  result?: number
  /** a requestState as it stands in the text, in bytes; 262144 if absent */
  state?: number
  /** questions in one round, at most 512; 64 if absent */
  asks?: number
  /** a key of inputRequests, in bytes; 256 if absent */
  key?: number
  /** a snapshot, in bytes; 8388608 if absent */
  snapshot?: number
  /** params of the call, in bytes; 1048576 if absent */
  params?: number
}

/** The options of a call. Times are in milliseconds. */
export interface Options {
  /** What the host can answer: questions of other kinds fail the call. */
  can?: Can
  /** the clientCapabilities to declare beside `can`, such as extensions; {} if absent */
  capabilities?: Json
  /** a label for notes and snapshots */
  id?: string
  /** the host's own label for the server */
  peer?: string
  /** the host's own label for the person or account that calls */
  principal?: string
  /** `note` actions */
  audit?: boolean
  /** send a lost `tools/call` again by itself */
  resendTools?: boolean
  /** ask the server, even if an earlier result may be used again */
  fresh?: boolean
  /** questions open at once; below 0 is all; 1 if absent */
  askConcurrency?: number
  /** rounds that ask; 10 if absent */
  maxRounds?: number
  /** rounds in a row that ask nothing; 120 if absent */
  maxWaits?: number
  /** unusable answers to one question; after that it counts as refused; 20 if absent */
  maxTries?: number
  limits?: Limits
  /** a leg in flight; below 0 is without bound; 60000 if absent */
  legTimeout?: number
  /** a leg in flight while there is progress; 600000 if absent */
  legMax?: number
  /** a question open; 0 is without bound */
  askTimeout?: number
  /** the whole call, without the time a person took; 0 is without bound */
  budget?: number
  /** the longest pause after a round that asks nothing or only repeats urls, 1 to 3,600,000; 5000 if absent */
  maxPace?: number
  /** of the whole call, Unix ms; keeps running while it is parked */
  deadline?: number
}

/** What a snapshot must match, and which of its bounds to replace. */
export interface Expect {
  /** must be what the call was made with */
  peer?: string
  /** must be what the call was made with */
  principal?: string
  /** what the host can answer: a call that declared more is refused, and so is one with an open form that only `anyForm` can draw; if absent, nothing is checked */
  can?: Can
  /** replaces the call's own, as do the next three */
  deadline?: number
  budget?: number
  maxRounds?: number
  maxWaits?: number
  /** the longest snapshot accepted, in bytes; 8 MiB if absent */
  size?: number
}

/** The options of a session. */
export interface SessionOptions {
  /** `http`, `stdio` for anything that carries messages in order, or `requests` for a connection that is another's; `http` if absent */
  transport?: "http" | "stdio" | "requests"
  /** the client's Implementation object */
  clientInfo?: Json
  /** What the host can answer: questions of other kinds fail the call. */
  can?: Can
  /** the clientCapabilities to declare beside `can`, such as extensions, in calls that have none of their own */
  capabilities?: Json
  /** the versions that may be spoken, the preferred one first; one alone pins it */
  versions?: string[]
  /** the version that `ready` reported earlier for this server */
  known?: string
  /** ask `server/discover` first, over HTTP too */
  discover?: boolean
  /** how long a server over stdio may take to say which era it is of; 5000 if absent */
  probeTimeout?: number
  /** the id of the first request, from 1 to 2^20; later ones are larger. A host draws it at random; 1 if absent */
  firstId?: number
  /** make request ids strings */
  stringIds?: boolean
  /** how the server asks, if it follows a proposal from before 2026-07-28: `SEP-2322`, `SEP-2322-draft`, `SEP-2322-draft-camel` or `SEP-1685` */
  dialect?: "" | "SEP-2322" | "SEP-2322-draft" | "SEP-2322-draft-camel" | "SEP-1685"
  /** asks for the server's log messages at this level and above */
  logLevel?: string
  /** the host performs `recall`, `keep` and `forget`; ignored over `requests` */
  cache?: boolean
  /** what the host calls the server, if what it keeps outlives the session or is shared; at most 2 KiB */
  cachedAs?: string
}

/** What a call is, for a list of parked calls. */
export interface Info {
  method: string
  params: string
  /** sent with every leg */
  capabilities: string
  id?: string
  peer?: string
  principal?: string
  /** this and the next four: what it declares, which the host must be able to answer */
  form?: boolean
  url?: boolean
  sampling?: boolean
  samplingTools?: boolean
  roots?: boolean
  round: number
  leg: number
  /** not answered */
  questions: number
  /** only `begin` with `resend` continues it */
  inDoubt?: boolean
  /** nothing can continue */
  over?: boolean
  /** the status of the task that the call has become */
  task?: string
}

/** What of a server may change. */
export interface SubscriptionFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  /** uris, at most 1,000 of at most 8 KiB */
  resourceSubscriptions?: string[]
}

/** The events of a call. */
export interface Events {
  /** The answer to a question. */
  answer: {
    ask: number
    /** the ElicitResult, CreateMessageResult or ListRootsResult */
    raw: Bytes
    /** put schema defaults in: for hosts without a person */
    fill?: boolean
  }
  /** Starts a call. It also continues a call that was parked or restored, or that failed and can be resumed. */
  begin: {
    /** sends a leg that is in doubt again */
    resend?: boolean
    /** starts the call over */
    again?: boolean
    /** allows this many rounds more than `maxRounds` */
    moreRounds?: number
    /** asks for `save`, for as long as this host drives the call */
    save?: boolean
    /** asks for `leg` and `pause`, for as long as this host drives the call */
    watch?: boolean
  }
  /** The time of a `wait` has come. */
  tick: {}
  /** The host cannot or will not answer a question. */
  refuse: {
    ask: number
    /** for the person who reads the error, without secrets */
    reason?: string | Sentence
  }
  /** Stops the call and keeps everything. */
  park: {
    /** the question to park, which is put again if that is impossible */
    ask?: number
  }
  /** What `save` asked for is done. The step that is told so has the actions that waited, up to the next `save`. */
  saved: {}
  /** The snapshot could not be kept: the call fails, and a leg that waited was not sent. */
  saveFailed: {
    /** for the person who reads the error, without secrets */
    reason?: string | Sentence
  }
  /** The caller gives up. */
  cancel: {}
}

/** The actions of a call. */
export interface Actions {
  /** Step with `tick` then. It comes last and replaces every earlier one. */
  wait: {
    /** Unix ms */
    until: number
  }
  /** Put a question, in place of the one with the same `ask`. */
  ask: {
    /** never used again in the call; negative if it is to authorize */
    ask: number
    /** the server's own name for it */
    key: string
    /** `elicitation/create`, `sampling/createMessage`, `roots/list` or `authorize` */
    kind: "elicitation/create" | "sampling/createMessage" | "roots/list" | "authorize"
    /** of an elicitation: `form` or `url` */
    mode?: "form" | "url"
    /** absent if the server sent none */
    params?: string
    round: number
    /** of a url: where it leads */
    host?: string
    /** of a url: the host is this machine */
    loopback?: boolean
    /** of a url: what a browser shows may look like another name */
    punycode?: boolean
    /** of a url: the person has agreed to this very url before */
    repeat?: boolean
    /** why the last answer to this question cannot be used, or why it cannot be parked */
    problem?: string
    /** The same, to be translated. */
    sentence?: Sentence
    /** what this very form was filled in with before the call was started over: for the person to look at, never sent by itself */
    earlier?: string
  }
  /** The call is over. A result with `lacks` counts, too: nothing is sent again. */
  done: {
    result?: string
    /** in place of `result`, if the response came in slices: where it begins in the whole of them, in bytes */
    from?: number
    /** where it ends */
    to?: number
    /** it must not be cached */
    noStore?: boolean
    /** a session took it from what the host has kept, and sent nothing */
    cached?: boolean
    /** of a page of a list: a cursor as JSON text, to be sent as it is in `{"cursor":…}`; absent for the last page */
    next?: string
    /** what the result does not have that its method must bring, such as content */
    lacks?: string
    /** The same, to be translated. */
    sentence?: Sentence
  }
  /** Take a snapshot before the next step, keep it, and give `saved` or `saveFailed`. Until then no question, leg or note of this call comes; its end may. */
  save: {}
  /** Show what goes out, or what came back. */
  leg: {
    leg: number
    /** of what goes out */
    method?: string
    /** bytes of params, or of the response */
    size: number
    /** of what came back: `complete`, `input_required`, `incomplete`, `task`, `error`, `lost`, `unknown`, or `cached`, if nothing went out */
    answer?: string
    /** bytes of a requestState */
    state?: number
    /** how many questions */
    asks?: number
  }
  /** Show that nothing happens until then. */
  pause: {
    /** Unix ms */
    until: number
    /** rounds in a row that asked nothing; absent if the wait has another cause */
    waits?: number
  }
  /** Close the question. */
  withdraw: {
    ask: number
  }
  /** Show the status of the task that the call has become. */
  task: {
    status: string
    /** the server's text */
    message?: string
  }
  /** Keep an audit record. It never has state or content. */
  note: {
    kind: string
    /** `id` of the options */
    flow?: string
    leg: number
    round: number
    /** Unix ms */
    time: number
    ask?: number
    action?: string
    fingerprint?: string
    code?: number
  }
  /** The call is over, and its snapshot can be continued: take it. */
  parked: {}
  /** The call is over. If it is resumable, its snapshot can be continued. */
  failed: {
    code: number
    /** what is wrong and where; never a state or an answer */
    detail: string
    /** The same, to be translated. */
    sentence?: Sentence
    resumable: boolean
    /** the server's JSON-RPC error object, if it sent one */
    error?: string
  }
}

/** The events of a session, beside those of its calls and `tick`. */
export interface SessionEvents {
  /** What came at once, as it came: a line, the body of a response or the data of an event. It is a message of the server, or several; what else stands there is skipped, and a `warning` says so if a person would see it. Over `"requests"` it is the response to that exchange (its id is ignored), or progress of it. To a `recall` it is what was kept. */
  message: {
    /** absent over stdio */
    exchange?: number
    body: Bytes
    /** of HTTP, 200 if absent */
    status?: number
    /** the header field Mcp-Session-Id */
    sessionId?: string
    /** of 401 and 403: the values of WWW-Authenticate, with a comma between; longer than 8 KiB counts as none */
    challenge?: string
    /** of 3xx: the address in Location, without what follows its path */
    location?: string
    /** of a server-sent event */
    eventId?: string
    /** the stream's reconnection time, in ms */
    retry?: number
    /** how often the authorization that requests carry has changed, by the transport's count */
    authorization?: number
    /** no `ended` follows */
    last?: boolean
  }
  /** A slice of a message, cut anywhere; the `message` of that exchange then has the last slice. For what is longer than 256 KiB, so that no step takes long; other events may come between. An exchange that ends or is aborted ends its slices. A member longer than 1 MiB, and than `limits.response` of every call, is checked and not kept. */
  part: {
    /** absent over stdio */
    exchange?: number
    body: Bytes
  }
  /** The response to a `listen` has come, with status 200 and as a stream, before its first `message`: from then on the server can ask. If a host never says it, a first call waits longer where `roots` are declared. */
  opened: {
    exchange: number
  }
  /** No message follows. */
  ended: {
    exchange: number
    /** absent if no response came */
    status?: number
    /** this and the next five as in `message` */
    sessionId?: string
    challenge?: string
    location?: string
    eventId?: string
    retry?: number
    authorization?: number
    /** for the person who reads the error, without secrets */
    reason?: string | Sentence
    /** the request certainly never reached the server */
    unsent?: boolean
  }
  /** The process over stdio is gone. The next `post` starts it again. */
  down: {
    /** for the person who reads the error, without secrets */
    reason?: string | Sentence
  }
  /** Ends the session. */
  close: {}
  /** What the host wants to be told of from now on, in place of what it said before; with none of it the subscription ends. An error over `"requests"`. */
  subscribe: {
    toolsListChanged?: boolean
    promptsListChanged?: boolean
    resourcesListChanged?: boolean
    /** uris, at most 1,000 of at most 8 KiB */
    resourceSubscriptions?: string[]
    /** another session had the subscription and is gone: a `changed` with `missed` follows what the server agrees to */
    missed?: boolean
  }
}

/** The actions of a session, beside those of its calls and `wait`. */
export interface SessionActions {
  /** Send `body`: over HTTP as a POST with exactly these header fields and the host's own (authorization and cookies), over stdio as a line. */
  post: {
    exchange: number
    /** absent if it is the session's own */
    call?: number
    /** of the call */
    leg?: number
    /** the exchange that it cancels: if that has not begun, send neither, and give `ended` with `unsent` for it before the next action */
    cancels?: number
    /** see Cookies in wasm/ABI.md */
    jar?: number
    /** absent over stdio */
    headers?: [string, string][]
    body: string
  }
  /** Over `"requests"`, in place of `post`: send it over that connection. */
  request: {
    exchange: number
    call?: number
    /** absent if its answer is of no use */
    leg?: number
    method: string
    params: string
    /** clientCapabilities, to be declared with it */
    capabilities: string
  }
  /** Open a stream by GET. */
  listen: {
    exchange: number
    jar?: number
    headers: [string, string][]
    /** Unix ms; absent: at once */
    at?: number
  }
  /** Send a DELETE. */
  delete: {
    exchange: number
    jar?: number
    headers: [string, string][]
  }
  /** Look up what was kept under the key, and end the exchange with a `message` or, if there is nothing, `ended`; either with the `authorization` that a request would have now. */
  recall: {
    exchange: number
    call: number
    leg: number
    key: string
    private?: boolean
  }
  /** Keep the entry under the key, as long as you like until then; a private one where no other session sees it. */
  keep: {
    key: string
    entry: string
    /** Unix ms */
    until: number
    private?: boolean
  }
  /** Drop all whose key begins so, but for what is private. Only with `cachedAs`. */
  forget: {
    prefix: string
  }
  /** Abort it and report nothing more of it. If it has not begun, drop it and give `ended` with `unsent` before the next action. */
  abort: {
    exchange: number
  }
  /** Show it. */
  progress: {
    call: number
    leg: number
    params: string
  }
  /** Pass it on. */
  notification: {
    /** where it is known */
    call?: number
    method: string
    params?: string
  }
  /** What of the last `subscribe` the server will tell of. */
  subscribed: {
    toolsListChanged?: boolean
    promptsListChanged?: boolean
    resourcesListChanged?: boolean
    /** uris, at most 1,000 of at most 8 KiB */
    resourceSubscriptions?: string[]
    /** why the server reports nothing; the session keeps trying unless `over` */
    reason?: string
    /** The same, to be translated. */
    sentence?: Sentence
    /** the session has stopped trying until the next `subscribe` */
    over?: boolean
  }
  /** What has changed: get it again when it is needed. */
  changed: {
    toolsListChanged?: boolean
    promptsListChanged?: boolean
    resourcesListChanged?: boolean
    /** uris, at most 1,000 of at most 8 KiB */
    resourceSubscriptions?: string[]
    /** it is all that may have changed, since nothing was heard for a while */
    missed?: boolean
  }
  /** The protocol version that is spoken, which may be kept for `known`, and what the server says of itself. */
  ready: {
    version: string
    serverInfo?: string
    capabilities?: string
    instructions?: string
  }
  /** Log it. */
  warning: {
    text: string
    /** The same, to be translated. */
    sentence?: Sentence
  }
}
