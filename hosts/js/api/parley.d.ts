// Recorded by npm run api: what the package offers. Nothing is taken away once it was published.
// @parley-mcp/parley (node):
//   Action
//   Answer
//   Ask
//   AskContext
//   Asker
//   Askers
//   Begin
//   CacheStore
//   CallAction
//   CallOptions
//   CallSettings
//   CallToolResult
//   Can
//   Carried
//   Carrier
//   Changed
//   Code
//   Completion
//   ConnectOptions
//   ContentBlock
//   Engine
//   Entries
//   Entry
//   Event
//   Expect
//   Failed
//   Failure
//   FetchOptions
//   Field
//   FormField
//   GetPromptResult
//   Holder
//   HostSide
//   Info
//   InstanceError
//   Json
//   Lease
//   Leg
//   NotFoundError
//   Note
//   Options
//   Outbound
//   Outcome
//   PARK
//   Parked
//   ParkingStore
//   ParleyError
//   Pause
//   Problem
//   ProblemCode
//   Prompt
//   PromptGet
//   Question
//   QuestionForm
//   ReadResourceResult
//   Receive
//   Request
//   Resource
//   ResourceContents
//   ResourceRead
//   ResourceTemplate
//   Resumption
//   Send
//   SendContext
//   Sentence
//   Server
//   Session
//   SessionAction
//   SessionCore
//   SessionEvent
//   SessionOptions
//   SessionWatchers
//   SharedCache
//   StatusError
//   StoreOptions
//   Subscribed
//   SubscriptionFilter
//   TakenError
//   Tool
//   ToolCall
//   Transport
//   Unchecked
//   Watchers
//   connect
//   fetchTransport
//   formHints
//   indexedDBStore
//   load
//   memoryCache
//   memoryStore
//   newId
//   promptResult
//   requests
//   resourceResult
//   shareCall
//   toolResult
//   translate
//   unsent
//   watchCall
// @parley-mcp/parley (default): as @parley-mcp/parley (node)
// @parley-mcp/parley/node: as @parley-mcp/parley (node)
// @parley-mcp/parley/browser: as @parley-mcp/parley (node)
// @parley-mcp/parley/worker: as @parley-mcp/parley (node)
// @parley-mcp/parley/inline: as @parley-mcp/parley (node)
// @parley-mcp/parley/core:
//   Action
//   Answer
//   Ask
//   AskContext
//   Asker
//   Askers
//   Begin
//   CacheStore
//   CallAction
//   CallOptions
//   CallSettings
//   CallToolResult
//   Can
//   Carried
//   Carrier
//   Changed
//   Code
//   Completion
//   ConnectOptions
//   ContentBlock
//   Engine
//   Entries
//   Entry
//   Event
//   Expect
//   Failed
//   Failure
//   FetchOptions
//   Field
//   FormField
//   GetPromptResult
//   Holder
//   HostSide
//   Info
//   InstanceError
//   Json
//   Lease
//   Leg
//   NotFoundError
//   Note
//   Options
//   Outbound
//   Outcome
//   PARK
//   Parked
//   ParkingStore
//   ParleyError
//   Pause
//   Problem
//   ProblemCode
//   Prompt
//   PromptGet
//   Question
//   QuestionForm
//   ReadResourceResult
//   Receive
//   Request
//   Resource
//   ResourceContents
//   ResourceRead
//   ResourceTemplate
//   Resumption
//   Send
//   SendContext
//   Sentence
//   Server
//   Session
//   SessionAction
//   SessionCore
//   SessionEvent
//   SessionOptions
//   SessionWatchers
//   SharedCache
//   StatusError
//   StoreOptions
//   Subscribed
//   SubscriptionFilter
//   TakenError
//   Tool
//   ToolCall
//   Transport
//   Unchecked
//   Watchers
//   connect
//   fetchTransport
//   formHints
//   indexedDBStore
//   memoryCache
//   memoryStore
//   newId
//   promptResult
//   requests
//   resourceResult
//   shareCall
//   toolResult
//   translate
//   unsent
//   watchCall
// @parley-mcp/parley/stdio:
//   StdioOptions
//   stdioTransport
// @parley-mcp/parley/terminal:
//   Input
//   shown
//   terminal
// @parley-mcp/parley/sessions:
//   ServerAsker
//   ServerAskers
//   ServerContext
//   ServerTool
//   ServerTools
//   Sessions
//   SessionsOptions
// @parley-mcp/parley/dialogs:
//   dialogs
// @parley-mcp/parley/react:
//   Call
//   CallSide
//   Calls
//   CallsProvider
//   Entry
//   FieldOption
//   FieldView
//   FormView
//   OnUnmount
//   OpenQuestion
//   QuestionForm
//   StartOptions
//   useCalls
//   useQuestionForm
//   useQuestions
// @parley-mcp/parley/over:
//   OverClient
//   capabilities
//   over
// @parley-mcp/parley/remote:
//   Code
//   Failure
//   PARK
//   ParleyError
//   RemoteHost
//   RemoteOptions
//   RemoteSession
//   RemoteSettings
//   Socket
//   Visitor
//   connectRemote
//   promptResult
//   resourceResult
//   toolResult
// @parley-mcp/parley/ai-sdk:
//   AiSdkMessage
//   AiSdkModel
//   AiSdkOptions
//   AiSdkTool
//   Answers
//   Pending
//   Waiting
//   sampler
//   toolLoop
//   tools
// @parley-mcp/parley/langchain:
//   Answers
//   LangChainMessage
//   LangChainModel
//   LangChainOptions
//   MakeTool
//   Pending
//   Waiting
//   sampler
//   toolLoop
//   tools
// @parley-mcp/parley/openai-agents:
//   AgentsContent
//   AgentsItem
//   AgentsOptions
//   Answers
//   Pending
//   Waiting
//   mcpServer
// @parley-mcp/parley/oauth (node):
//   Account
//   AccountStore
//   AssertionWanted
//   AuthProvider
//   Callback
//   CallbackWanted
//   ChallengeContext
//   Change
//   Credentials
//   MachineOptions
//   OAuthClientProvider
//   Prompt
//   ProviderOptions
//   Reason
//   SignIn
//   SignInError
//   SignInOptions
//   SignInPage
//   SignedOut
//   bearer
//   clientCredentials
//   enterprise
//   identityAssertion
//   indexedDBAccounts
//   memoryAccounts
//   provider
//   signIn
//   signInCallback
// @parley-mcp/parley/oauth (default): as @parley-mcp/parley/oauth (node)
// @parley-mcp/parley/codec (node):
//   Box
//   Codec
//   CodecError
//   CodecOptions
//   Context
//   Guard
//   GuardOptions
//   MemoryReplayStore
//   OwnCodec
//   Reason
//   compileCodec
//   createBox
//   createCodec
//   createGuard
//   newKey
//   principal
//   readKeyFile
// @parley-mcp/parley/codec (default):
//   Box
//   Codec
//   CodecError
//   CodecOptions
//   Context
//   Guard
//   GuardOptions
//   MemoryReplayStore
//   OwnCodec
//   Reason
//   compileCodec
//   createBox
//   createCodec
//   createGuard
//   newKey
//   principal
// @parley-mcp/parley/codec-test:
//   Tested
//   codecDefects
//   testCodec
// @parley-mcp/parley/server:
//   Abilities
//   Ask
//   AskError
//   AskingOptions
//   Cancelled
//   Declined
//   GuardServerOptions
//   Handler
//   LowLevelServer
//   Question
//   Request
//   Task
//   TaskError
//   TaskRecord
//   TaskStore
//   Tasks
//   TasksOptions
//   Work
//   abilities
//   asking
//   elicit
//   form
//   guardServer
//   roots
//   sampling
//   taskMemory
//   tasksExtension
//   tokenPrincipal
//   url
//   verdict
// @parley-mcp/parley/store:
//   About
//   Change
//   EntriesStore
//   ExistsError
//   LayoutError
//   Lease
//   NoBoxError
//   NotFoundError
//   Parked
//   Query
//   RedisAddress
//   RedisClient
//   RedisConnection
//   RedisOptions
//   RedisReplayStore
//   RedisStore
//   Sealing
//   SealingBox
//   Store
//   SupersededError
//   TakenError
//   UnsealedError
//   UnsureError
//   Waits
//   checkId
//   deleteOf
//   indexedDBStore
//   maxAbout
//   memoryStore
//   newId
//   redisAddress
//   redisReplayStore
//   redisStore
// @parley-mcp/parley/store-test:
//   Part
//   Place
//   Suite
//   testStore
// @parley-mcp/parley/parley.wasm
// @parley-mcp/parley/parley-fast.wasm
// @parley-mcp/parley/parley-codec.wasm
// @parley-mcp/parley/package.json

// browser.d.ts
export declare function load({ source }?: {
    source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>;
}): Promise<Engine>;

// calls/askers.d.ts
export declare const PARK: unique symbol;
export type Question = Ask;
export type AskContext = {
    signal: AbortSignal;
};
export type Answer = Json | symbol;
export type Asker = (question: Question, context: AskContext) => Answer | Promise<Answer>;
export type Askers = {
    elicit?: Asker;
    elicitURL?: Asker;
    sample?: Asker;
    sampleTools?: boolean;
    listRoots?: Asker;
    authorize?: Asker;
    tasks?: boolean;
    anyForm?: boolean;
    fill?: boolean;
};

// calls/driver.d.ts
export type Outcome = {
    status: "done";
    result: string;
    noStore?: boolean;
    cached?: boolean;
    next?: string;
    lacks?: string;
    sentence?: Sentence;
} | {
    status: "parked";
    snapshot: string;
} | Failed;
export type Failed = {
    status: "failed";
    code: number;
    detail: string;
    sentence?: Sentence;
    resumable: boolean;
    inDoubt?: boolean;
    snapshot?: string;
    response?: string;
    cause?: unknown;
};

// calls/request.d.ts
export type HostSide = {
    askers?: Askers;
    watchers?: Watchers;
    save?: (snapshot: string) => unknown;
    park?: AbortSignal;
    signal?: AbortSignal;
};
export type CallOptions = Omit<Options, "can">;
export type Request = {
    method: string;
    params?: Json;
    options?: CallOptions;
} & HostSide;
export type Resumption = {
    snapshot: string;
    expect?: Omit<Expect, "can">;
} & Pick<Begin, "resend" | "again" | "moreRounds"> & HostSide;

// calls/session.d.ts
export type ConnectOptions = Omit<SessionOptions, "transport" | "can" | "cache" | "cachedAs"> & {
    askers?: Askers;
    watchers?: SessionWatchers;
    cache?: SharedCache | false;
};
export declare function connect(engine: Engine, transport: Transport, options?: ConnectOptions): Session;
export declare class Session extends TypedCalls {
    #private;
    constructor(engine: Engine, transport: Transport, options: ConnectOptions);
    call(request: Request): Promise<Outcome>;
    resume(resumption: Resumption): Promise<Outcome>;
    subscribe(filter: SubscriptionFilter): void;
    close(): Promise<void>;
    protected warn(sentence: Sentence): void;
}

// calls/tabs.d.ts
export declare function shareCall<T extends Askers>(id: string, askers: T, { channel: name }?: {
    channel?: string;
}): {
    askers: T;
    close: () => void;
};
export declare function watchCall(id: string, { onQuestions, onOver, channel: name, patience }: {
    onQuestions: (questions: Question[]) => void;
    onOver?: () => void;
    channel?: string;
    patience?: number;
}): {
    answer(ask: number, answer: Answer): Promise<boolean>;
    close(): void;
};

// calls/typed.d.ts
export declare class TypedCalls {
    #private;
    call(request: Request): Promise<Outcome>;
    protected warn(sentence: Sentence): void;
    callTool(call: ToolCall): Promise<CallToolResult>;
    getPrompt(get: PromptGet): Promise<GetPromptResult>;
    readResource(resource: ResourceRead): Promise<ReadResourceResult>;
    complete(completion: Completion): Promise<{
        values: string[];
        hasMore: boolean;
    }>;
    tools(settings?: CallSettings): AsyncGenerator<Tool, void, void>;
    prompts(settings?: CallSettings): AsyncGenerator<Prompt, void, void>;
    resources(settings?: CallSettings): AsyncGenerator<Resource, void, void>;
    resourceTemplates(settings?: CallSettings): AsyncGenerator<ResourceTemplate, void, void>;
}

// calls/watchers.d.ts
export type OnNotification = (method: string, params: string | undefined) => void;
export type Watchers = {
    onNote?: (note: Note) => void;
    onProgress?: (leg: number, params: string) => void;
    onTask?: (status: string, message: string | undefined) => void;
    onQuestion?: (question: Ask) => void;
    onLeg?: (leg: Leg) => void;
    onPause?: (pause: Pause) => void;
    onNotification?: OnNotification;
};
export type SessionWatchers = {
    onReady?: (server: Server) => void;
    onNotification?: OnNotification;
    onSubscribed?: (subscribed: Subscribed) => void;
    onChanged?: (changed: Changed) => void;
    onWarning?: (text: string, sentence: Sentence) => void;
};

// codec-node.d.ts
export declare function createGuard(options?: Partial<GuardSource> & CodecOptions & GuardOptions): Guard;
export declare function compileCodec({ source }?: {
    source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>;
}): Promise<WebAssembly.Module>;
export declare function readKeyFile(name: string | URL): Promise<Uint8Array<ArrayBuffer>>;

// codec-web.d.ts
export declare function compileCodec({ source }?: {
    source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>;
}): Promise<WebAssembly.Module>;

// codec/context.d.ts
export declare const Context: Readonly<{
    guard: "parley-guard/1";
    sdk: "parley-sdk/1";
    snapshot: "parley-snapshot/1";
}>;

// codec/entropy.d.ts
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void;

// codec/errors.d.ts
export type ErrorResponse = {
    code: number;
    message: string;
    data?: {
        reason: string;
    };
};
export declare const Reason: Readonly<{
    instance: 0;
    malformed: 1;
    tooLarge: 2;
    unknownKey: 3;
    forged: 4;
    clock: 5;
    notYetValid: 6;
    expired: 7;
    flowAge: 8;
    target: 9;
    arguments: 10;
    principal: 11;
    rounds: 12;
    replayed: 13;
    replayStore: 14;
    key: 15;
    options: 16;
    random: 17;
    result: 18;
}>;
export declare class CodecError extends Error {
    code: number;
    reason: string;
    response: ErrorResponse;
    constructor(code: number, reason: string, response: ErrorResponse, options?: ErrorOptions);
}

// codec/guard.d.ts
export type GuardSource = {
    module: KeyOptions["module"];
    keys?: KeyOptions["keys"];
    codec?: OwnCodec;
};
export type GuardOptions = {
    audience?: string;
    processLocal?: boolean;
    ttl?: number;
    maxFlowAge?: number;
    maxRounds?: number;
    requireState?: boolean;
    singleUse?: string[];
    replay?: ReplayStore;
    now?: () => number;
};
export type Exchange = Uint8Array;
export type Verdict = "missing" | "same" | "changed" | "unpinned" | "unproven";
export declare function createGuard(options: GuardSource & CodecOptions & GuardOptions): Guard;
export declare class Guard {
    #private;
    constructor({ random, now, replay, ...options }: GuardSource & CodecOptions & GuardOptions);
    inbound({ method, params, principal }: {
        method: string;
        params: string;
        principal: string | null;
    }): Promise<{
        params: string;
        exchange: Exchange | null;
    }>;
    outbound(exchange: Exchange | null, result: string): Promise<string>;
    verdict(exchange: Exchange, key: string, method: string, params?: string): Verdict;
    questionDigest(key: string, method: string, params?: string): Uint8Array<ArrayBuffer>;
    canonical(json: string): string | undefined;
    rekey(keys: string | Uint8Array): void;
    close(): void;
}

// codec/index.d.ts
export type GuardOptions = import("./guard.js").GuardOptions;
export type OwnCodec = import("./own.js").OwnCodec;
export type CodecOptions = {
    maxToken?: number;
    random?: Random;
};
export declare function createCodec(options: KeyOptions & CodecOptions): Codec;
export declare class Codec {
    #private;
    constructor({ maxToken, random, ...options }: KeyOptions & CodecOptions);
    seal(plaintext: Uint8Array, context: string | Uint8Array): string;
    open(token: string, context: string | Uint8Array): Uint8Array<ArrayBuffer>;
    rekey(keys: string | Uint8Array): void;
    close(): void;
}
export declare function createBox(options: KeyOptions): Box;
export declare class Box {
    #private;
    constructor(options: KeyOptions);
    seal(plaintext: Uint8Array, context: string | Uint8Array): Uint8Array<ArrayBuffer>;
    tags(plaintext: Uint8Array, context: string | Uint8Array): Uint8Array<ArrayBuffer>[];
    open(sealed: Uint8Array, context: string | Uint8Array): Uint8Array<ArrayBuffer>;
    rekey(keys: string | Uint8Array): void;
    close(): void;
}

// codec/key.d.ts
export declare function newKey({ suite, random }?: {
    suite?: "11" | "21" | "22";
    random?: Random;
}): Uint8Array<ArrayBuffer>;

// codec/keyed.d.ts
export type KeyOptions = {
    module: WebAssembly.Module | BufferSource;
    keys: string | Uint8Array;
};

// codec/kit/index.d.ts
export type Tested = {
    codec: OwnCodec;
    other: OwnCodec;
    maxToken?: number;
};
export declare function testCodec(test: (name: string, run: () => Promise<void>) => void, newCodec: () => Tested | Promise<Tested>): void;
export declare function codecDefects(tested: Tested): Promise<string[]>;

// codec/own.d.ts
export type OwnCodec = {
    seal: (plaintext: Uint8Array, context: Uint8Array) => string | Promise<string>;
    open: (token: string, context: Uint8Array) => Uint8Array | Promise<Uint8Array>;
};

// codec/principal.d.ts
export declare function principal(client: string | null, issuer: string | null, subject: string | null): string;

// codec/replay.d.ts
export type ReplayStore = {
    consume: (id: string, expires: number) => boolean | Promise<boolean>;
};
export declare class MemoryReplayStore implements ReplayStore {
    #private;
    constructor({ most, now }?: {
        most?: number;
        now?: () => number;
    });
    consume(id: string, expires: number): boolean;
    get size(): number;
}

// engine/call.d.ts
export type Json = string | object;
export type Can = import("./wire.js").Can;
export type Options = import("./wire.js").Options;
export type Expect = import("./wire.js").Expect;
export type Info = import("./wire.js").Info;
export type Event = import("./wire.js").Typed<import("./wire.js").Events>;
export type Begin = {
    type: "begin";
} & import("./wire.js").Events["begin"];
export type Action = Exclude<import("./wire.js").Typed<import("./wire.js").Actions>, {
    type: "done";
}> | Done;
export type Ask = import("./wire.js").Actions["ask"];
export type Leg = import("./wire.js").Actions["leg"];
export type Pause = import("./wire.js").Actions["pause"];
export type Note = import("./wire.js").Actions["note"];
export type Done = {
    type: "done";
    result: string;
} & Omit<import("./wire.js").Actions["done"], "result" | "from" | "to">;

// engine/compile.d.ts
export type Source = WebAssembly.Module | BufferSource | Response | URL | string;

// engine/errors.d.ts
export declare const Code: Readonly<{
    options: 1;
    order: 2;
    answer: 3;
    malformed: 4;
    resultType: 5;
    limit: 6;
    rounds: 7;
    waits: 8;
    rpc: 9;
    state: 10;
    lost: 11;
    legTimeout: 12;
    refused: 13;
    canceled: 14;
    capability: 15;
    inDoubt: 16;
    askTimeout: 17;
    budget: 18;
    deadline: 19;
    snapshot: 20;
    peer: 21;
    notParkable: 22;
    task: 23;
    save: 24;
    unauthorized: 25;
    form: 26;
    instance: 27;
}>;
export declare class ParleyError extends Error {
    code: number;
    detail: string;
    sentence: Sentence;
    constructor(code: number, said: string | Sentence);
}
export declare class InstanceError extends Error {
    code: 27;
    sentence: Sentence;
    constructor(said: string | Sentence, cause?: unknown);
}

// engine/frame.d.ts
export type Bytes = string | Uint8Array;

// engine/index.d.ts
export declare class Engine {
    #private;
    constructor(module: WebAssembly.Module);
    get instance(): Instance;
    snapshotInfo(snapshot: string): Info;
    newSession(options?: SessionOptions): SessionCore;
    get live(): number;
    questionForm(question: Pick<Ask, "params" | "earlier">): QuestionForm;
    form(schema: string): Form;
    formCheck(check: FieldCheck): Checked;
}

// engine/instance.d.ts
export type Takes = "parley_session_new" | "parley_session_call" | "parley_session_restore" | "parley_session_step" | "parley_form_check";
export type Reads = "parley_form" | "parley_snapshot_info";
export type Tells = "parley_session_snapshot" | "parley_session_info";
export type Frees = "parley_session_free" | "parley_session_drop";
export declare class Instance {
    #private;
    trap: unknown;
    constructor(module: WebAssembly.Module);
    get live(): number;
    get memory(): number;
    free(name: Frees, ...handles: number[]): void;
    give(name: Takes, request: object, ...before: number[]): any;
    read(name: Reads, text: string | Uint8Array): any;
    ask(name: Tells, ...handles: number[]): any;
}

// engine/session.d.ts
export type SessionOptions = import("./wire.js").SessionOptions;
export type SubscriptionFilter = import("./wire.js").SubscriptionFilter;
export type ReceivedMessage = import("./wire.js").SessionEvents["message"] & {
    exchange: number;
};
export type EndedExchange = import("./wire.js").SessionEvents["ended"];
export type Received = ({
    type: "opened";
} & import("./wire.js").SessionEvents["opened"]) | ({
    type: "message";
} & ReceivedMessage) | ({
    type: "ended";
} & EndedExchange) | ({
    type: "down";
} & import("./wire.js").SessionEvents["down"]);
export type MessagePart = {
    type: "part";
    exchange: number;
} & import("./wire.js").SessionEvents["part"];
export type SessionEvent = Received | MessagePart | (Exclude<Event, {
    type: "part" | "response" | "lost" | "progress";
}> & {
    call: number;
}) | {
    type: "tick";
} | {
    type: "close";
} | ({
    type: "subscribe";
} & import("./wire.js").SessionEvents["subscribe"]);
export type Subscribed = import("./wire.js").SessionActions["subscribed"];
export type Changed = import("./wire.js").SessionActions["changed"];
export type Server = import("./wire.js").SessionActions["ready"];
export type Post = {
    type: "post";
} & import("./wire.js").SessionActions["post"];
export type RequestAction = {
    type: "request";
} & import("./wire.js").SessionActions["request"];
export type Carries = Post | RequestAction;
export type Listen = {
    type: "listen";
} & import("./wire.js").SessionActions["listen"];
export type Recall = {
    type: "recall";
} & import("./wire.js").SessionActions["recall"];
export type Keep = {
    type: "keep";
} & import("./wire.js").SessionActions["keep"];
export type Forget = {
    type: "forget";
} & import("./wire.js").SessionActions["forget"];
export type Delete = {
    type: "delete";
} & import("./wire.js").SessionActions["delete"];
export type Abort = {
    type: "abort";
} & import("./wire.js").SessionActions["abort"];
export type CallAction = {
    call: number;
} & (Action | (Carries & {
    leg: number;
}) | Recall | ({
    type: "progress";
} & import("./wire.js").SessionActions["progress"]) | ({
    type: "notification";
} & import("./wire.js").SessionActions["notification"]));
export type OwnAction = {
    call?: undefined;
} & (Carries | Keep | Forget | Listen | Delete | Abort | ({
    type: "notification";
} & import("./wire.js").SessionActions["notification"]) | ({
    type: "subscribed";
} & Subscribed) | ({
    type: "changed";
} & Changed) | ({
    type: "ready";
} & Server) | ({
    type: "warning";
} & import("./wire.js").SessionActions["warning"]) | {
    type: "wait";
    until: number;
});
export type SessionAction = CallAction | OwnAction;
export declare class SessionCore {
    #private;
    constructor(instance: Instance, options: SessionOptions, release?: () => void);
    call(method: string, params?: Json, options?: Options): number;
    restore(snapshot: string, expect?: Expect): number;
    step(now: number, event: SessionEvent): SessionAction[];
    snapshot(call: number): string;
    info(call: number): Info;
    drop(call: number): void;
    free(): void;
    get trap(): unknown;
}

// engine/wire.d.ts
export interface Limits {
  response?: number
  result?: number
  state?: number
  asks?: number
  key?: number
  snapshot?: number
  params?: number
}
export interface Options {
  can?: Can
  capabilities?: Json
  id?: string
  peer?: string
  principal?: string
  audit?: boolean
  resendTools?: boolean
  fresh?: boolean
  askConcurrency?: number
  maxRounds?: number
  maxWaits?: number
  maxTries?: number
  limits?: Limits
  legTimeout?: number
  legMax?: number
  askTimeout?: number
  budget?: number
  maxPace?: number
  deadline?: number
}
export interface Expect {
  peer?: string
  principal?: string
  can?: Can
  deadline?: number
  budget?: number
  maxRounds?: number
  maxWaits?: number
  size?: number
}
export interface SessionOptions {
  transport?: "http" | "stdio" | "requests"
  clientInfo?: Json
  can?: Can
  capabilities?: Json
  versions?: string[]
  known?: string
  discover?: boolean
  probeTimeout?: number
  firstId?: number
  stringIds?: boolean
  dialect?: "" | "SEP-2322" | "SEP-2322-draft" | "SEP-2322-draft-camel" | "SEP-1685"
  logLevel?: string
  cache?: boolean
  cachedAs?: string
}
export interface Info {
  method: string
  params: string
  capabilities: string
  id?: string
  peer?: string
  principal?: string
  form?: boolean
  url?: boolean
  sampling?: boolean
  samplingTools?: boolean
  roots?: boolean
  round: number
  leg: number
  questions: number
  inDoubt?: boolean
  over?: boolean
  task?: string
}
export interface SubscriptionFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  resourceSubscriptions?: string[]
}
export interface Events {
  answer: {
    ask: number
    raw: Bytes
    fill?: boolean
  }
  begin: {
    resend?: boolean
    again?: boolean
    moreRounds?: number
    save?: boolean
    watch?: boolean
  }
  tick: {}
  refuse: {
    ask: number
    reason?: string | Sentence
  }
  park: {
    ask?: number
  }
  saved: {}
  saveFailed: {
    reason?: string | Sentence
  }
  cancel: {}
}
export interface Actions {
  wait: {
    until: number
  }
  ask: {
    ask: number
    key: string
    kind: "elicitation/create" | "sampling/createMessage" | "roots/list" | "authorize"
    mode?: "form" | "url"
    params?: string
    round: number
    host?: string
    loopback?: boolean
    punycode?: boolean
    repeat?: boolean
    problem?: string
    sentence?: Sentence
    earlier?: string
  }
  done: {
    result?: string
    from?: number
    to?: number
    noStore?: boolean
    cached?: boolean
    next?: string
    lacks?: string
    sentence?: Sentence
  }
  save: {}
  leg: {
    leg: number
    method?: string
    size: number
    answer?: string
    state?: number
    asks?: number
  }
  pause: {
    until: number
    waits?: number
  }
  withdraw: {
    ask: number
  }
  task: {
    status: string
    message?: string
  }
  note: {
    kind: string
    flow?: string
    leg: number
    round: number
    time: number
    ask?: number
    action?: string
    fingerprint?: string
    code?: number
  }
  parked: {}
  failed: {
    code: number
    detail: string
    sentence?: Sentence
    resumable: boolean
    error?: string
  }
}
export interface SessionEvents {
  message: {
    exchange?: number
    body: Bytes
    status?: number
    sessionId?: string
    challenge?: string
    location?: string
    eventId?: string
    retry?: number
    authorization?: number
    last?: boolean
  }
  part: {
    exchange?: number
    body: Bytes
  }
  opened: {
    exchange: number
  }
  ended: {
    exchange: number
    status?: number
    sessionId?: string
    challenge?: string
    location?: string
    eventId?: string
    retry?: number
    authorization?: number
    reason?: string | Sentence
    unsent?: boolean
  }
  down: {
    reason?: string | Sentence
  }
  close: {}
  subscribe: {
    toolsListChanged?: boolean
    promptsListChanged?: boolean
    resourcesListChanged?: boolean
    resourceSubscriptions?: string[]
    missed?: boolean
  }
}
export interface SessionActions {
  post: {
    exchange: number
    call?: number
    leg?: number
    cancels?: number
    jar?: number
    headers?: [string, string][]
    body: string
  }
  request: {
    exchange: number
    call?: number
    leg?: number
    method: string
    params: string
    capabilities: string
  }
  listen: {
    exchange: number
    jar?: number
    headers: [string, string][]
    at?: number
  }
  delete: {
    exchange: number
    jar?: number
    headers: [string, string][]
  }
  recall: {
    exchange: number
    call: number
    leg: number
    key: string
    private?: boolean
  }
  keep: {
    key: string
    entry: string
    until: number
    private?: boolean
  }
  forget: {
    prefix: string
  }
  abort: {
    exchange: number
  }
  progress: {
    call: number
    leg: number
    params: string
  }
  notification: {
    call?: number
    method: string
    params?: string
  }
  subscribed: {
    toolsListChanged?: boolean
    promptsListChanged?: boolean
    resourcesListChanged?: boolean
    resourceSubscriptions?: string[]
    reason?: string
    sentence?: Sentence
    over?: boolean
  }
  changed: {
    toolsListChanged?: boolean
    promptsListChanged?: boolean
    resourcesListChanged?: boolean
    resourceSubscriptions?: string[]
    missed?: boolean
  }
  ready: {
    version: string
    serverInfo?: string
    capabilities?: string
    instructions?: string
  }
  warning: {
    text: string
    sentence?: Sentence
  }
}

// forms/check.d.ts
export type Field = {
    name: string;
    kind: "string" | "number" | "integer" | "boolean" | "choice" | "choices" | "list" | "union";
    title?: string;
    description?: string;
    required?: boolean;
    nullable?: boolean;
    readOnly?: boolean;
    deprecated?: boolean;
    examples?: string[];
    format?: "email" | "uri" | "date" | "date-time";
    minLength?: number;
    maxLength?: number;
    minimum?: string;
    maximum?: string;
    exclusiveMinimum?: string;
    exclusiveMaximum?: string;
    multipleOf?: string;
    minItems?: number;
    maxItems?: number;
    uniqueItems?: boolean;
    options?: {
        value: string;
        title: string;
    }[];
    items?: Field;
    alternatives?: Field[];
    default?: string;
    unchecked?: Unchecked[];
};
export type Unchecked = {
    keyword: string;
    value?: string;
};
export type Problem = {
    property: string;
    code: number;
    message: string;
    sentence?: Sentence;
};
export type Form = {
    fields: Field[];
    defaults: string;
    unchecked?: Unchecked[];
    problem?: undefined;
} | {
    fields?: undefined;
    unchecked?: undefined;
    problem: Problem;
};
export type FieldCheck = {
    schema: string;
    field: string;
    typed: string;
    alternative?: number;
} | {
    schema: string;
    field: string;
    value: string;
};
export type Checked = {
    value: string;
    problem?: undefined;
} | {
    value?: undefined;
    problem: Problem;
};

// forms/dialogs/index.d.ts
export declare function dialogs(engine: Engine, { server }?: {
    server?: string;
}): Required<Pick<Askers, "elicit" | "elicitURL">>;

// forms/hints.d.ts
export declare function formHints({ deprecated, examples, options, format, unchecked }: Pick<Field, "deprecated" | "examples" | "options" | "format" | "unchecked">): Sentence[];

// forms/input.d.ts
export type Entry = string | string[];

// forms/problem.d.ts
export declare const ProblemCode: Readonly<{
    partial: -1;
    malformed: 1;
    unsupported: 2;
    missing: 3;
    unknown: 4;
    repeated: 5;
    wrongKind: 6;
    notText: 7;
    tooShort: 8;
    tooLong: 9;
    tooSmall: 10;
    tooLarge: 11;
    badExponent: 12;
    badFormat: 13;
    noChoice: 14;
    chosenTwice: 15;
    tooFew: 16;
    tooMany: 17;
    secret: 18;
    notAbove: 19;
    notBelow: 20;
    notMultiple: 21;
    badValue: 22;
    repetition: 23;
    ambiguous: 24;
}>;

// forms/question.d.ts
export type FormField = Omit<Field, "alternatives"> & Start;
export type Start = {
    initial?: string;
    alternative?: number;
    alternatives?: FormField[];
};
export declare class QuestionForm {
    #private;
    message: string;
    fields: FormField[];
    unchecked: import("./check.js").Unchecked[] | undefined;
    unreadable: Problem | undefined;
    constructor(engine: Engine, { params, earlier }: Pick<Ask, "params" | "earlier">);
    enter(field: FormField, typed: string, alternative?: number): string | undefined;
    choose(field: FormField, value: string): string | undefined;
    problemOf({ name }: FormField): Problem | undefined;
    isLeftToDefault({ name, default: initial, readOnly }: FormField): boolean;
    accept(): string;
}

// forms/terminal-node.d.ts
export type Input = NodeJS.ReadableStream & {
    ref?(): unknown;
    unref?(): unknown;
};
export declare function terminal(engine: Engine, { input, output }?: {
    input?: Input;
    output?: {
        write(text: string): unknown;
    };
}): Required<Pick<Askers, "elicit" | "elicitURL">>;

// index.d.ts
export type Action = import("./engine/call.js").Action;
export type Ask = import("./engine/call.js").Ask;
export type Begin = import("./engine/call.js").Begin;
export type Can = import("./engine/call.js").Can;
export type Event = import("./engine/call.js").Event;
export type Expect = import("./engine/call.js").Expect;
export type Field = import("./forms/check.js").Field;
export type Info = import("./engine/call.js").Info;
export type Json = import("./engine/call.js").Json;
export type Leg = import("./engine/call.js").Leg;
export type Note = import("./engine/call.js").Note;
export type Options = import("./engine/call.js").Options;
export type Pause = import("./engine/call.js").Pause;
export type Problem = import("./forms/check.js").Problem;
export type Unchecked = import("./forms/check.js").Unchecked;
export type CacheStore = import("./results/cache-store.js").CacheStore;
export type SharedCache = import("./results/cache-store.js").SharedCache;
export type Answer = import("./calls/askers.js").Answer;
export type Asker = import("./calls/askers.js").Asker;
export type Askers = import("./calls/askers.js").Askers;
export type AskContext = import("./calls/askers.js").AskContext;
export type Question = import("./calls/askers.js").Question;
export type Failed = import("./calls/driver.js").Failed;
export type Outcome = import("./calls/driver.js").Outcome;
export type FetchOptions = import("./transport/fetch.js").FetchOptions;
export type Outbound = import("./transport/requests.js").Outbound;
export type Send = import("./transport/requests.js").Send;
export type SendContext = import("./transport/requests.js").SendContext;
export type FormField = import("./forms/question.js").FormField;
export type QuestionForm = import("./forms/question.js").QuestionForm;
export type CallOptions = import("./calls/request.js").CallOptions;
export type Request = import("./calls/request.js").Request;
export type Resumption = import("./calls/request.js").Resumption;
export type HostSide = import("./calls/request.js").HostSide;
export type CallToolResult = import("./results/schema.js").CallToolResult;
export type ContentBlock = import("./results/schema.js").ContentBlock;
export type GetPromptResult = import("./results/schema.js").GetPromptResult;
export type Prompt = import("./results/schema.js").Prompt;
export type ReadResourceResult = import("./results/schema.js").ReadResourceResult;
export type Resource = import("./results/schema.js").Resource;
export type ResourceContents = import("./results/schema.js").ResourceContents;
export type ResourceTemplate = import("./results/schema.js").ResourceTemplate;
export type Tool = import("./results/schema.js").Tool;
export type Sentence = import("./texts/sentence.js").Sentence;
export type ConnectOptions = import("./calls/session.js").ConnectOptions;
export type CallAction = import("./engine/session.js").CallAction;
export type Changed = import("./engine/session.js").Changed;
export type Server = import("./engine/session.js").Server;
export type SessionAction = import("./engine/session.js").SessionAction;
export type SessionEvent = import("./engine/session.js").SessionEvent;
export type SessionOptions = import("./engine/session.js").SessionOptions;
export type Subscribed = import("./engine/session.js").Subscribed;
export type SubscriptionFilter = import("./engine/session.js").SubscriptionFilter;
export type Carried = import("./transport/contract.js").Carried;
export type Carrier = import("./transport/contract.js").Carrier;
export type Receive = import("./transport/contract.js").Receive;
export type Transport = import("./transport/contract.js").Transport;
export type CallSettings = import("./results/typed.js").CallSettings;
export type PromptGet = import("./results/typed.js").PromptGet;
export type ResourceRead = import("./results/typed.js").ResourceRead;
export type Completion = import("./results/completion.js").Completion;
export type ToolCall = import("./results/typed.js").ToolCall;
export type SessionWatchers = import("./calls/watchers.js").SessionWatchers;
export type Watchers = import("./calls/watchers.js").Watchers;
export type Entries = import("./store/parking.js").Entries;
export type Entry = import("./store/parking.js").Entry;
export type Holder = import("./store/parking.js").Holder;
export type Parked = import("./store/parking.js").Parked;
export type StoreOptions = import("./store/parking.js").StoreOptions;

// inline.d.ts
export declare function load(): Promise<Engine>;

// node.d.ts
export declare function load({ source }?: {
    source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>;
}): Promise<Engine>;

// oauth/accounts-indexeddb.d.ts
export declare function indexedDBAccounts({ name }?: {
    name?: string;
}): AccountStore;

// oauth/accounts.d.ts
export type Account = {
    label: string;
    issuer: string;
    resource: string;
    clientId: string;
    scopes: string[];
    subject?: string;
    replaces?: string[];
};
export type AccountStore = {
    get: (key: string) => string | undefined | Promise<string | undefined>;
    set: (key: string, text: string) => unknown;
    lock?: <T>(key: string, run: () => Promise<T>) => Promise<T>;
};
export declare function memoryAccounts(): AccountStore;

// oauth/bearer.d.ts
export declare function bearer(token: string | ((options: {
    signal?: AbortSignal;
}) => string | undefined | Promise<string | undefined>), { url }?: {
    url?: string | URL;
}): Credentials;

// oauth/contract.d.ts
export type Credentials = {
    authorization: (signal?: AbortSignal) => Promise<string | undefined>;
    authorize: (question: Question, context: AskContext) => Promise<Answer>;
};
export type AccountHolder = {
    account: () => Promise<Account | undefined>;
    signOut: (options?: {
        signal?: AbortSignal;
    }) => Promise<SignedOut>;
    leave: () => Promise<boolean>;
    returned: (options?: {
        signal?: AbortSignal;
    }) => Promise<Account | undefined>;
};
export type SignIn = Credentials & AccountHolder;
export type SignedOut = {
    revoked: boolean;
    why?: string;
};
export type Prompt = {
    url: string;
    host: string;
    status: 401 | 403;
    scopes: string[];
    error?: string;
    over?: SignInError;
    open: () => boolean;
};
export type Change = {
    host: string;
    account: Account;
    issuer: string;
};
export type SignInPage = {
    url: string;
    host: string;
    issuer: string;
    resource: string;
    scopes: string[];
    follow: () => boolean;
};
export type Callback = {
    redirectUri: string;
    response: Promise<string | URL | symbol>;
    close?: (signedIn: boolean) => void;
};
export type ApplicationType = "native" | "web";
export type CallbackWanted = {
    state: string;
    last?: string;
    signal: AbortSignal;
};
export type SignInOptions = {
    url: string | URL;
    store?: AccountStore;
    clientId?: string;
    clientSecret?: string;
    issuer?: string;
    clientMetadataUrl?: string;
    clientName?: string;
    ask?: (prompt: Prompt, context: AskContext) => unknown;
    change?: (change: Change, context: AskContext) => unknown;
    choose?: (issuers: string[], context: AskContext) => string | Promise<string>;
    open?: (page: SignInPage, context: AskContext) => unknown;
    callback?: (wanted: CallbackWanted) => Callback | Promise<Callback>;
    applicationType?: ApplicationType;
    redirectUri?: string;
    redirect?: boolean;
    callbackPort?: number;
    version?: string;
    fetch?: typeof fetch;
    timeout?: number;
};

// oauth/error.d.ts
export declare class SignInError extends Error {
    code: Reason;
    refused: string | undefined;
    constructor(code: Reason, detail: string, refused?: string);
}
export type Reason = "address" | "unreachable" | "metadata" | "issuer" | "client" | "denied" | "callback" | "token" | "scope" | "window" | "nobody";

// oauth/machine.d.ts
export type MachineOptions = {
    url: string | URL;
    clientId: string;
    clientSecret?: string;
    clientKey?: CryptoKey;
    issuer?: string;
    scopes?: string[];
    store?: AccountStore;
    version?: string;
    fetch?: typeof fetch;
    timeout?: number;
};
export declare function clientCredentials(options: MachineOptions): SignIn;
export type AssertionWanted = {
    issuer: string;
    resource: string;
    scopes: string[];
    signal?: AbortSignal;
};
export declare function enterprise(options: MachineOptions & {
    assertion: (wanted: AssertionWanted) => Promise<string>;
}): SignIn;
export type IdentityProvider = {
    tokenEndpoint: string;
    clientId: string;
    clientSecret?: string;
    idToken: string;
    fetch?: typeof fetch;
    timeout?: number;
};
export declare function identityAssertion({ tokenEndpoint, clientId: id, clientSecret: secret, idToken, ...options }: IdentityProvider, { issuer, resource, scopes, signal }: AssertionWanted): Promise<string>;

// oauth/node.d.ts
export declare function clientCredentials(options: MachineOptions): Holds;
export declare function enterprise(options: MachineOptions & {
    assertion: (wanted: AssertionWanted) => Promise<string>;
}): Holds;
export declare function signIn(options: Options): Holds;

// oauth/page.d.ts
export declare function signIn(options: SignInOptions): SignIn;
export declare function signInCallback(): Promise<boolean>;

// oauth/provider.d.ts
export type ChallengeContext = {
    response: Response;
    serverUrl: URL;
    fetchFn: typeof fetch;
    scope?: string;
    resourceMetadataUrl?: URL;
};
export type AuthProvider = {
    token: () => Promise<string | undefined>;
    onUnauthorized?: (context: any) => Promise<void>;
    onInsufficientScope?: (context: ChallengeContext) => Promise<void>;
};
export type OAuthClientProvider = {
    tokens: () => {
        access_token: string;
    } | undefined | Promise<{
        access_token: string;
    } | undefined>;
    redirectToAuthorization: (url: URL) => void | Promise<void>;
};
export type ProviderOptions = {
    url: string | URL;
    auth?: (provider: any, options: any) => Promise<"AUTHORIZED" | "REDIRECT">;
    answer?: (context: {
        signal: AbortSignal;
    }) => Promise<string | URL | URLSearchParams>;
    fetch?: typeof fetch;
};
export declare function provider(provider: AuthProvider | OAuthClientProvider, { url, auth, answer, fetch: given }: ProviderOptions): Credentials;

// oauth/web.d.ts
export type Account = import("./accounts.js").Account;
export type AccountStore = import("./accounts.js").AccountStore;
export type AssertionWanted = import("./machine.js").AssertionWanted;
export type AuthProvider = import("./provider.js").AuthProvider;
export type Callback = import("./contract.js").Callback;
export type CallbackWanted = import("./contract.js").CallbackWanted;
export type Change = import("./contract.js").Change;
export type ChallengeContext = import("./provider.js").ChallengeContext;
export type Credentials = import("./contract.js").Credentials;
export type MachineOptions = import("./machine.js").MachineOptions;
export type OAuthClientProvider = import("./provider.js").OAuthClientProvider;
export type Prompt = import("./contract.js").Prompt;
export type ProviderOptions = import("./provider.js").ProviderOptions;
export type Reason = import("./error.js").Reason;
export type SignedOut = import("./contract.js").SignedOut;
export type SignIn = import("./contract.js").SignIn;
export type SignInOptions = import("./contract.js").SignInOptions;
export type SignInPage = import("./contract.js").SignInPage;

// react/calls.d.ts
export type CallSide = {
    signal: AbortSignal;
    park: AbortSignal;
    watchers: {
        onQuestion: (question: Question) => void;
        onProgress: (leg: number, params: string) => void;
        onTask: (status: string, message: string | undefined) => void;
    };
};
export type StartOptions = {
    id?: string;
    about?: unknown;
};
export type PersonAsker = (question: Question, context: AskContext & {
    server?: string;
}) => Promise<Answer>;
export declare class Call {
    id: string;
    about: any;
    status: "running" | "done" | "parked" | "failed";
    result: any;
    error: Error | Failure | undefined;
    progress: {
        progress: number;
        total?: number;
        message?: string;
    } | undefined;
    task: {
        status: string;
        message?: string;
    } | undefined;
    park: () => void;
    cancel: (reason?: unknown) => void;
    constructor(now: Change, before?: Call);
    get snapshot(): string | undefined;
}
export type Change = Partial<Omit<Call, "snapshot">>;
export type Standing = {
    calls: readonly Call[];
    questions: readonly OpenQuestion[];
};
export declare class Calls {
    #private;
    now: () => Standing;
    subscribe: (listener: () => void) => () => undefined;
    askers(engine: Engine): {
        elicit: PersonAsker;
        elicitURL: PersonAsker;
    } & Askers;
    start: <T>(make: (side: CallSide) => T | Promise<T>, { id, about }?: StartOptions) => Promise<T>;
    discard: (id: string) => void;
}

// react/fields.d.ts
export type Control = {
    value: string;
    selectedOptions?: ArrayLike<{
        value: string;
    }>;
    validity?: {
        badInput: boolean;
    };
};
export type InputProps = Aria & InputOnly;
export type Aria = {
    "aria-invalid": boolean | undefined;
    "aria-describedby": string;
};
export type InputOnly = {
    id: string;
    type?: string;
    inputMode?: "numeric" | "decimal";
    placeholder?: string;
    multiple?: boolean;
    autoComplete: "off";
    required: boolean | undefined;
    value: string | string[];
    onChange: (event: {
        target: Control;
    }) => void;
    onBlur: (event: {
        target: Control;
    }) => void;
};
export type OptionProps = {
    id: string;
    type: "radio" | "checkbox";
    name: string;
    value: string;
    checked: boolean;
    onChange: (event: {
        target: {
            checked: boolean;
        };
    }) => void;
    onBlur: () => void;
} & Aria;
export type FieldOption = {
    value: string;
    label: string;
    inputProps: OptionProps;
};
export type FieldItem = {
    inputProps: InputProps & {
        "aria-label": string;
    };
    removeProps: {
        type: "button";
        "aria-label": string;
        onClick: () => void;
    };
};
export type FieldView = {
    id: string;
    name: string;
    kind: FormField["kind"];
    field: FormField;
    label: string;
    description?: string;
    required: boolean;
    hint?: string;
    notice?: string;
    readOnly?: string;
    options?: FieldOption[];
    items?: FieldItem[];
    addProps?: {
        type: "button";
        disabled: boolean;
        onClick: () => void;
    };
    picked?: FieldView;
    value: Entry;
    problem?: string;
    code?: number;
    sentence?: Sentence;
    setValue: (value: Entry) => void;
    check: () => void;
    inputProps: InputProps;
    labelProps: {
        id: string;
        htmlFor: string | undefined;
        dir: "auto";
    };
    descriptionProps: {
        id: string;
        dir: "auto";
    };
    hintProps: {
        id: string;
    };
    problemProps: {
        id: string;
        role: "alert";
    };
    groupProps: {
        id: string;
        role: "group" | "radiogroup";
        "aria-labelledby": string;
        "aria-describedby": string;
        "aria-required": boolean | undefined;
    };
};

// react/filling.d.ts
export type Filled = {
    entry: Entry;
    picked: number | undefined;
    problem: string | undefined;
    code: number | undefined;
    sentence: Sentence | undefined;
    changed: boolean;
    left: boolean;
};
export declare class Filling {
    #private;
    form: QuestionForm;
    constructor(form: QuestionForm);
    filled: () => readonly Filled[];
    subscribe: (listener: () => void) => () => undefined;
    change(index: number, entry: Entry): void;
    pick(index: number, picked?: number): void;
    leave(index: number, partial?: boolean): void;
    check(partial: (index: number) => boolean): number;
}

// react/hooks.d.ts
export type OnUnmount = "continue" | "park" | "cancel";
export type CallsInUse = {
    calls: readonly Call[];
    start: Calls["start"];
    discard: Calls["discard"];
};
export type Preventable = {
    preventDefault: () => void;
    currentTarget?: any;
};
export type FormView = {
    question: OpenQuestion;
    message: string;
    problem?: string;
    fields: FieldView[];
    hint?: string;
    send: (event?: Preventable) => void;
    decline: () => void;
    dismiss: () => void;
    park: () => void;
    formProps: {
        noValidate: true;
        onSubmit: (event: Preventable) => void;
        "aria-describedby": string;
    };
    messageProps: {
        id: string;
        dir: "auto";
    };
};
export declare function CallsProvider({ calls, children }: {
    calls: Calls;
    children?: ReactNode;
}): ReactElement;
export declare function useCalls({ onUnmount }?: {
    onUnmount?: OnUnmount;
}): CallsInUse;
export declare function useQuestions(): readonly OpenQuestion[];
export declare function useQuestionForm(question: OpenQuestion): FormView;
export declare function QuestionForm({ question, children, ...attributes }: Omit<ComponentProps<"form">, "children" | "onSubmit"> & {
    question: OpenQuestion;
    children: (form: FormView) => ReactNode;
}): ReactElement;

// react/index.d.ts
export type Entry = import("../forms/input.js").Entry;
export type CallSide = import("./calls.js").CallSide;
export type StartOptions = import("./calls.js").StartOptions;
export type FieldOption = import("./fields.js").FieldOption;
export type FieldView = import("./fields.js").FieldView;
export type FormView = import("./hooks.js").FormView;
export type OnUnmount = import("./hooks.js").OnUnmount;

// react/question.d.ts
export type LinkProps = {
    href: string;
    target: "_blank";
    rel: string;
    onClick: () => void;
};
export declare class OpenQuestion {
    #private;
    id: string;
    question: {
        ask: number;
        key: string;
        kind: "elicitation/create" | "sampling/createMessage" | "roots/list" | "authorize";
        mode?: "form" | "url";
        params?: string;
        round: number;
        host?: string;
        loopback?: boolean;
        punycode?: boolean;
        repeat?: boolean;
        problem?: string;
        sentence?: import("../texts/sentence.js").Sentence;
        earlier?: string;
    };
    call: string | undefined;
    server: string | undefined;
    message: string;
    _meta: Record<string, unknown> | undefined;
    requestedSchema: Record<string, unknown> | undefined;
    url: string | undefined;
    constructor(id: string, engine: Engine, question: Question, { call, server }: {
        call?: string;
        server?: string;
    }, page: boolean, settle: (answer: Answer) => void);
    get unreadable(): boolean;
    get filling(): Filling;
    get linkProps(): LinkProps | undefined;
    answer: (answer: Answer) => void;
    accept: () => void;
    decline: () => void;
    dismiss: () => void;
    park: () => void;
}

// remote/host.d.ts
export type Settings = {
    store: Holdings;
    maxMessage: number;
    maxBacklog: number;
    linger: number;
    remember: number;
};
export declare class RemoteHost {
    #private;
    constructor(settings?: Partial<Settings>);
    serve(socket: Socket, visitor: Visitor): void;
    close(): Promise<void>;
}

// remote/index.d.ts
export type RemoteSettings = import("./host.js").Settings;
export type RemoteOptions = import("./session.js").RemoteOptions;
export type Visitor = import("./visit.js").Visitor;
export type Socket = import("./messages.js").Socket;

// remote/messages.d.ts
export type Socket = {
    send: (text: string) => void;
    close: (code?: number, reason?: string) => void;
    addEventListener: (type: any, listener: (event: any) => void) => void;
    bufferedAmount?: number;
};

// remote/session.d.ts
export type RemoteOptions = {
    askers?: Askers;
    watchers?: SessionWatchers;
    retries?: number[];
    maxMessage?: number;
};
export declare function connectRemote(open: string | URL | (() => Socket), options?: RemoteOptions): RemoteSession;
export declare class RemoteSession extends TypedCalls {
    #private;
    constructor(open: string | URL | (() => Socket), { askers, watchers, retries, maxMessage, ...stray }: RemoteOptions);
    call(request: Request): Promise<Outcome>;
    resume(resumption: Resumption): Promise<Outcome>;
    subscribe(filter: SubscriptionFilter): void;
    close(): Promise<void>;
    protected warn(sentence: Sentence): void;
}

// remote/visit.d.ts
export type Visitor = {
    owner: string;
    server: string;
    session: Session | ((page: {
        askers: Askers;
        watchers: SessionWatchers;
    }) => Session | Promise<Session>);
    allow?: (request: {
        method: string;
        params: string;
    }) => boolean | Promise<boolean>;
    askers?: (page: Askers) => Askers;
    options?: CallOptions;
};

// results/cache-store.d.ts
export type CacheStore = {
    get: (key: string, context: {
        signal: AbortSignal;
    }) => string | undefined | Promise<string | undefined>;
    set: (key: string, entry: string, until: number) => unknown;
    forget: (prefix: string) => unknown;
};
export type SharedCache = {
    store: CacheStore;
    server: string;
};
export declare function memoryCache({ maxEntries, maxLength }?: {
    maxEntries?: number;
    maxLength?: number;
}): CacheStore;

// results/completion.d.ts
export type Completion = {
    prompt?: string;
    template?: string;
    argument: string;
    value: string;
    context?: Record<string, string>;
} & CallSettings;

// results/failure.d.ts
export declare class Failure extends Error {
    #private;
    status: "failed" | "parked";
    code: number | undefined;
    detail: string;
    sentence: Sentence;
    resumable: boolean;
    inDoubt: boolean;
    response: string | undefined;
    constructor({ status, code, detail, sentence, resumable, inDoubt, snapshot, response, cause }: Omit<Failed, "status" | "code"> & {
        status: "failed" | "parked";
        code?: number;
    }, raw?: string);
    get snapshot(): string | undefined;
    get raw(): string | undefined;
}

// results/schema.d.ts
export type Raw = {
    raw: string;
};
export type Meta = Record<string, unknown>;
export type Annotations = {
    audience?: ("user" | "assistant")[];
    priority?: number;
    lastModified?: string;
};
export type Icon = {
    src: string;
    mimeType?: string;
    sizes?: string[];
    theme?: "light" | "dark";
};
export type ResourceContents = {
    uri: string;
    mimeType?: string;
    _meta?: Meta;
} & ({
    text: string;
    blob?: undefined;
} | {
    blob: string;
    text?: undefined;
}) & Raw;
export type ContentBlock = {
    annotations?: Annotations;
    _meta?: Meta;
} & ({
    type: "text";
    text: string;
} | {
    type: "image" | "audio";
    data: string;
    mimeType: string;
    text?: undefined;
} | {
    type: "resource";
    resource: ResourceContents;
    text?: undefined;
} | ({
    type: "resource_link";
    text?: undefined;
} & ResourceFields)) & Raw;
export type CallToolResult = {
    content: ContentBlock[];
    structuredContent?: unknown;
    isError?: boolean;
    _meta?: Meta;
} & Raw;
export type GetPromptResult = {
    description?: string;
    messages: {
        role: "user" | "assistant";
        content: ContentBlock;
    }[];
    _meta?: Meta;
} & Raw;
export type ReadResourceResult = {
    contents: ResourceContents[];
    ttlMs?: number;
    cacheScope?: string;
    _meta?: Meta;
} & Raw;
export type Listed = {
    name: string;
    title?: string;
    description?: string;
    icons?: Icon[];
    _meta?: Meta;
};
export type ToolAnnotations = {
    title?: string;
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
};
export type ToolExecution = {
    taskSupport: "required" | "optional" | "forbidden";
};
export type InputSchema = {
    type: "object";
    properties?: Record<string, any>;
    required?: string[];
    [member: string]: unknown;
};
export type Tool = Listed & {
    inputSchema: InputSchema;
    outputSchema?: Record<string, unknown>;
    annotations?: ToolAnnotations;
    execution?: ToolExecution;
} & Raw;
export type Prompt = Listed & {
    arguments?: {
        name: string;
        title?: string;
        description?: string;
        required?: boolean;
    }[];
} & Raw;
export type ResourceFields = Listed & {
    uri: string;
    mimeType?: string;
    size?: number;
    annotations?: Annotations;
};
export type Resource = ResourceFields & Raw;
export type ResourceTemplate = Listed & {
    uriTemplate: string;
    mimeType?: string;
    annotations?: Annotations;
} & Raw;

// results/typed.d.ts
export type CallSettings = Omit<Request, "method" | "params">;
export type ToolCall = {
    name: string;
    arguments?: Json;
    task?: {
        ttl?: number;
    };
} & CallSettings;
export type PromptGet = {
    name: string;
    arguments?: Json;
} & CallSettings;
export type ResourceRead = {
    uri: string;
} & CallSettings;
export declare const toolResult: (outcome: Outcome) => import("./schema.js").CallToolResult;
export declare const promptResult: (outcome: Outcome) => import("./schema.js").GetPromptResult;
export declare const resourceResult: (outcome: Outcome) => import("./schema.js").ReadResourceResult;

// server/abilities.d.ts
export declare const tasksExtension = "io.modelcontextprotocol/tasks";
export type Abilities = {
    way: "rounds" | "requests" | null;
    form: boolean;
    url: boolean;
    sampling: boolean;
    samplingTools: boolean;
    roots: boolean;
    tasks: boolean;
};
export declare function abilities({ mcpReq }: Pick<ServerContext, "mcpReq">, server?: {
    getClientCapabilities: () => any;
}): Abilities;

// server/ask.d.ts
export declare class Ask {
    #private;
    signal: AbortSignal;
    constructor(replay: Replay, signal: AbortSignal);
    form<T extends Record<string, any> = Record<string, any>>(message: string, schema: Parameters<typeof form>[1], options?: {
        key?: string;
    }): Promise<T>;
    elicit(...question: Parameters<typeof elicit>): Promise<ReturnType<ReturnType<typeof elicit>["read"]>>;
    url(...question: Parameters<typeof url>): Promise<void>;
    sampling<P extends Parameters<typeof sampling>[0]>(messages: P, options?: Parameters<typeof sampling>[1]): Promise<ReturnType<ReturnType<typeof sampling<P>>["read"]>>;
    roots(...question: Parameters<typeof roots>): Promise<ReturnType<ReturnType<typeof roots>["read"]>>;
    all<Q extends Question<any>[]>(...questions: Q): Promise<{ [I in keyof Q]: Q[I] extends Question<infer T> ? T : never; }>;
    once<T>(key: string, work: () => T | Promise<T>): Promise<T>;
}

// server/asking.d.ts
export type AskingOptions = {
    strict?: boolean;
    maxRecord?: number;
};
export declare function asking<A, R>(guard: Guard, handler: (args: A, ask: Ask, context: ServerContext) => R | Promise<R>, { strict, maxRecord }?: AskingOptions): (...called: [args: A, context: ServerContext] | [context: ServerContext]) => Promise<R | InputRequiredResult>;

// server/exchange.d.ts
export type Opened = {
    guard: Guard;
    exchange: Exchange;
};
export declare function verdict(context: ServerContext, key: string, { method, params }: {
    method: string;
    params?: object;
}): Verdict;

// server/index.d.ts
export type Abilities = import("./abilities.js").Abilities;
export type AskingOptions = import("./asking.js").AskingOptions;
export type Question<T> = import("./questions.js").Question<T>;
export type TaskRecord = import("./tasks/store.js").TaskRecord;
export type TaskStore = import("./tasks/store.js").TaskStore;
export type TasksOptions = import("./tasks/index.js").TasksOptions;
export type Work = import("./tasks/index.js").Work;
export type LowLevelServer = {
    setRequestHandler: (...registration: any) => void;
    assertCanSetRequestHandler: (method: any) => void;
    onerror?: (error: Error) => void;
};
export type GuardServerOptions = {
    principal?: (context: ServerContext) => string | null | Promise<string | null>;
};
export declare function guardServer<S extends LowLevelServer | {
    server: LowLevelServer;
}>(server: S, guard: Guard, options?: GuardServerOptions): S;
export type Request = {
    params: any;
};
export type Handler = (request: Request, context: ServerContext) => any;

// server/principal.d.ts
export declare function tokenPrincipal({ http }: ServerContext): string | null;

// server/questions.d.ts
export declare class Declined extends Error {
    constructor();
}
export declare class Cancelled extends Error {
    constructor();
}
export type Question<T> = {
    key?: string;
    kind: string;
    method: string;
    params: any;
    accept: (answer: any) => string | undefined;
    read: (recorded: any) => T;
};
export type Keyed = {
    key?: string;
};
export type FormSchema = ElicitRequestFormParams["requestedSchema"] | {
    readonly "~standard": object;
};
export declare function form<T extends Record<string, any> = Record<string, any>>(message: string, schema: FormSchema, { key }?: Keyed): Question<T>;
export declare function elicit(params: {
    message: string;
    requestedSchema: FormSchema;
} | {
    message: string;
    url: string;
}, { key }?: Keyed): Question<ElicitResult>;
export declare function url(message: string, address: string, { key }?: Keyed): Question<void>;
export declare function sampling<P extends string | CreateMessageRequestParams["messages"]>(messages: P, { key, maxTokens, ...options }?: Keyed & Partial<Omit<CreateMessageRequestParams, "messages">>): Question<P extends string ? string : CreateMessageResultWithTools>;
export declare function roots({ key }?: Keyed): Question<Root[]>;

// server/replay.d.ts
export declare class AskError extends Error {
    constructor(why: string);
}
export declare class Replay {
    #private;
    ended: Promise<void>;
    constructor({ mcpReq }: ServerContext, opened: Opened, { strict, maxRecord }: {
        strict: boolean;
        maxRecord: number;
    });
    get outcome(): (() => InputRequiredResult) | undefined;
    close(): void;
    one(question: Question<any>): Promise<any>;
    all(questions: Question<any>[]): Promise<any[]>;
    once(key: string, work: () => any): Promise<any>;
}

// server/tasks/error.d.ts
export declare class TaskError extends Error {
    code: number;
    data: unknown;
    constructor(code: number, message: string, data?: unknown);
}

// server/tasks/index.d.ts
export type TasksOptions = {
    store?: TaskStore;
    principal?: (context: ServerContext) => string | null | Promise<string | null>;
    ttl?: number;
    patience?: number;
    poll?: number;
    page?: boolean;
    now?: () => number;
    onerror?: (error: Error) => void;
};
export type Work = (task: Task) => Promise<object>;
export declare class Tasks {
    #private;
    constructor(options?: TasksOptions);
    add<S extends LowLevelServer | {
        server: LowLevelServer;
    }>(server: S): S;
    require(context: ServerContext): void;
    start(context: ServerContext, work: Work): Promise<{
        content: [];
    }>;
    run(context: ServerContext, work: Work): Promise<object>;
}

// server/tasks/store.d.ts
export type TaskRecord = {
    id: string;
    owner: string;
    version: number;
    created: number;
    updated: number;
    expires: number;
    left: number;
    page?: boolean;
    status: "working" | "completed" | "failed" | "cancelled";
    message: string;
    cancel: boolean;
    asked: Record<string, {
        method: string;
        params?: object;
    }>;
    answers: Record<string, any>;
    result?: object;
    error?: object;
};
export type TaskStore = {
    create: (record: TaskRecord) => Promise<boolean>;
    load: (id: string) => Promise<TaskRecord | null>;
    change: (id: string, edit: (record: TaskRecord) => void) => Promise<void>;
    wait: (id: string, version: number, signal: AbortSignal) => Promise<TaskRecord>;
};
export declare function taskMemory(most?: number): TaskStore;

// server/tasks/work.d.ts
export type Questions = Record<string, {
    method: string;
    params?: any;
}>;
export type Place = {
    say: (message: string) => Promise<void>;
    ask: (questions: Questions) => Promise<Record<string, any>>;
};
export declare class Task {
    #private;
    signal: AbortSignal;
    constructor(place: Place, can: Abilities, signal: AbortSignal);
    say(message: string): Promise<void>;
    ask(questions: Record<string, {
        method: string;
        params?: object;
    }>): Promise<Record<string, any>>;
}

// store/about.d.ts
export type About = {
    principal?: string;
    peer?: string;
    label?: string;
    method?: string;
    name?: string;
    title?: string;
    questions?: number;
    titles?: string[];
    task?: string;
    inDoubt?: boolean;
    over?: boolean;
};
export declare const maxAbout: number;

// store/contract.d.ts
export type Waits = {
    signal?: AbortSignal;
};
export type Store = {
    create: (id: string, waits?: Waits) => Promise<Lease>;
    take: (id: string, waits?: Waits) => Promise<{
        lease: Lease;
        snapshot: string;
    }>;
    list: (query?: Query) => AsyncIterable<Parked>;
    watch: (query?: Query) => AsyncIterable<Change>;
    delete: (id: string, waits?: Waits) => Promise<void>;
};
export type Holding = {
    save: (snapshot: string) => Promise<void>;
    renew: () => Promise<void>;
    keep: (signal?: AbortSignal) => Promise<void>;
    done: () => Promise<void>;
    release: () => Promise<void>;
    settle: (outcome: Outcome) => Promise<void>;
};
export type Holdings = {
    create: (id: string) => Promise<Holding>;
    take: (id: string) => Promise<{
        lease: Holding;
        snapshot: string;
    }>;
};
export type Lease = Omit<Holding, "save" | "renew" | "done" | "release"> & {
    save: (snapshot: string, about?: About, waits?: Waits) => Promise<void>;
    renew: (waits?: Waits) => Promise<void>;
    done: (waits?: Waits) => Promise<void>;
    release: (waits?: Waits) => Promise<void>;
    readonly term: number;
};
export declare function checkId(id: string): void;
export declare function deleteOf(store: Pick<Store, "list" | "delete">, principal: string, waits?: Waits): Promise<void>;

// store/entries.d.ts
export type EntriesOptions = {
    lease?: number;
    keep?: number;
    look?: number;
    open?: (id: string, sealed: any) => string | Promise<string>;
    locks?: LockManager;
};
export declare class EntriesStore implements Store {
    #private;
    constructor(entries: Entries, { lease, keep, look, open, locks, ...sealing }: EntriesOptions & SealingOptions);
    create(id: string, waits?: Waits): Promise<Lease>;
    take(id: string, waits?: Waits): Promise<{
        lease: Lease;
        snapshot: string;
    }>;
    delete(id: string, waits?: Waits): Promise<void>;
    list(query?: Query): AsyncGenerator<Parked, void, undefined>;
    watch(query?: Query): AsyncGenerator<Change, void, undefined>;
}

// store/errors.d.ts
export declare class TakenError extends Error {
    left: number;
    constructor(left?: number);
}
export declare class NotFoundError extends Error {
    constructor();
}
export declare class ExistsError extends Error {
    constructor();
}

// store/faults.d.ts
export declare class UnsealedError extends Error {
    constructor();
}
export declare class NoBoxError extends Error {
    constructor();
}
export declare class LayoutError extends Error {
    constructor();
}
export declare class UnsureError extends Error {
    constructor(why: string, options?: ErrorOptions);
}
export declare class SupersededError extends Error {
    constructor();
}

// store/index.d.ts
export type About = import("./about.js").About;
export type Lease = import("./contract.js").Lease;
export type Store = import("./contract.js").Store;
export type Waits = import("./contract.js").Waits;
export type Change = import("./query.js").Change;
export type Parked = import("./query.js").Parked;
export type Query = import("./query.js").Query;
export type RedisClient = import("./redis/client.js").RedisClient;
export type RedisConnection = import("./redis/client.js").RedisConnection;
export type RedisAddress = import("./redis/url.js").RedisAddress;
export type RedisOptions = import("./redis/index.js").RedisOptions;
export type SealingBox = import("./sealing.js").SealingBox;
export declare function memoryStore(options?: EntriesOptions & SealingOptions): EntriesStore;
export declare function indexedDBStore({ name, ...options }: EntriesOptions & SealingOptions & {
    name?: string;
}): EntriesStore;

// store/indexeddb.d.ts
export declare function indexedDBStore({ name, ...options }?: StoreOptions & {
    name?: string;
}): ParkingStore;

// store/kit/index.d.ts
export type Place = {
    open: (options: {
        lease: number;
        keep?: number;
    } & SealingOptions) => Store | Promise<Store>;
    box?: () => SealingBox | Promise<SealingBox>;
    rotate?: (box: SealingBox) => unknown;
    damage?: (id: string) => unknown;
    relayout?: (id: string) => unknown;
};
export type Part = (suite: Suite) => Promise<void>;
export declare function testStore(test: (name: string, run: () => Promise<void>) => void, newPlace: () => Place | Promise<Place>, { sealed: seals }?: {
    sealed?: boolean;
}): void;
export declare class Suite {
    place: Place;
    box: SealingBox | undefined;
    store: Store;
    constructor(place: Place, box?: SealingBox);
    open(options?: {
        lease?: number;
        keep?: number;
    } & SealingOptions): Promise<Store>;
    put(id: string, snapshot: string, about?: About): Promise<void>;
    take(store: Store, id: string, want: string): Promise<Lease>;
    takeOver(id: string, want: string): Promise<Lease>;
    takenNoMore<T>(work: () => Promise<T>): Promise<T>;
    list(store: Store, query?: Query): Promise<Parked[]>;
    ids(what: string, query: Query, want: string[]): Promise<void>;
    ended(what: string, lease: Lease): Promise<void>;
    missing(what: string, id: string): Promise<void>;
}

// store/lease.d.ts
export declare class Lease {
    #private;
    constructor(entries: Entries, id: string, token: string, term: number, seal: NonNullable<StoreOptions["seal"]>, unlock: () => void);
    save(snapshot: string): Promise<void>;
    renew(): Promise<void>;
    keep(signal?: AbortSignal): Promise<void>;
    done(): Promise<void>;
    release(): Promise<void>;
    settle(outcome: Outcome): Promise<void>;
}

// store/memory.d.ts
export declare function memoryStore(options?: StoreOptions): ParkingStore;

// store/parking.d.ts
export type Entry = {
    id: string;
    snapshot?: unknown;
    time?: number;
    holder?: Holder;
};
export type Holder = {
    token: string;
    renewed: number;
    lease: number;
    locked: boolean;
};
export type Entries = {
    all: () => Promise<Entry[]>;
    change: <T>(id: string, change: (entry: Entry | undefined) => {
        entry: Entry | undefined;
        result: T;
    }) => Promise<T>;
};
export type StoreOptions = {
    lease?: number;
    seal?: (id: string, snapshot: string) => unknown;
    open?: (id: string, sealed: any) => string | Promise<string>;
    locks?: LockManager;
};
export type Parked = {
    id: string;
    time: number;
    taken: boolean;
};
export declare class ParkingStore {
    #private;
    constructor(entries: Entries, options?: StoreOptions);
    list(): Promise<Parked[]>;
    put(id: string, snapshot: string): Promise<void>;
    create(id: string): Promise<Lease>;
    take(id: string): Promise<{
        lease: Lease;
        snapshot: string;
    }>;
    delete(id: string): Promise<void>;
}
export declare function newId(): string;

// store/query.d.ts
export type Query = {
    principal?: string;
    prefix?: string;
    newest?: boolean;
    after?: string;
    limit?: number;
    signal?: AbortSignal;
};
export type Parked = {
    id: string;
    time: number;
    taken: boolean;
    about: About;
    problem?: unknown;
    cursor: string;
};
export type Change = (Parked & {
    gone?: undefined;
    lost?: undefined;
}) | {
    id: string;
    gone: true;
    lost?: undefined;
} | {
    lost: true;
    id?: undefined;
    gone?: undefined;
};

// store/redis/client.d.ts
export type RedisConnection = {
    send: (args: (string | Uint8Array)[], key?: string) => Promise<unknown>;
    everywhere: (args: string[]) => Promise<unknown[]>;
    connections: () => number;
    subscribe: (channel: string, heard: (text: string) => void, lost: () => void) => Promise<() => void>;
};
export type RedisClient = RedisConnection | NodeRedis | IORedis;
export type On = (event: any, listener: (...args: any[]) => void) => unknown;
export type NodeRedis = {
    sendCommand: (...args: any[]) => Promise<any>;
    on: On;
    duplicate: (...args: any[]) => any;
    options?: any;
    masters?: any[];
    nodeClient?: (node: any) => any;
};
export type IORedis = {
    callBuffer: (name: string, ...args: any[]) => Promise<any>;
    on: On;
    duplicate: (...args: any[]) => any;
    nodes?: (role?: any) => any[];
};

// store/redis/index.d.ts
export type RedisTimes = {
    lease?: number;
    keep?: number;
    timeout?: number;
};
export type RedisOptions = RedisTimes & RedisServerOptions & SealingOptions;
export declare function redisStore(client: RedisClient, options: RedisOptions): Promise<RedisStore>;
export declare class RedisStore implements Store {
    #private;
    constructor(client: RedisClient, { box, unsealed, lease, keep, ...server }: RedisOptions);
    ready(signal?: AbortSignal): Promise<void>;
    create(id: string, { signal }?: Waits): Promise<Lease>;
    take(id: string, { signal }?: Waits): Promise<{
        lease: Lease;
        snapshot: string;
    }>;
    delete(id: string, { signal }?: Waits): Promise<void>;
    list(query?: Query): AsyncGenerator<Parked, void, undefined>;
    watch(query?: Query): AsyncGenerator<Change, void, undefined>;
}

// store/redis/replay.d.ts
export declare function redisReplayStore(client: RedisClient, options?: RedisServerOptions): Promise<RedisReplayStore>;
export declare class RedisReplayStore implements ReplayStore {
    #private;
    constructor(client: RedisClient, options?: RedisServerOptions);
    ready(signal?: AbortSignal): Promise<void>;
    consume(id: string, expires: number): Promise<boolean>;
}

// store/redis/server.d.ts
export type RedisServerOptions = {
    prefix?: string;
    wait?: number;
    evictionChecked?: boolean;
    timeout?: number;
};

// store/redis/url.d.ts
export type RedisAddress = {
    url: string;
    prefix: string;
    wait: number;
    evictionChecked: boolean;
};
export declare function redisAddress(text: string): RedisAddress;

// store/sealing.d.ts
export type SealingBox = {
    seal: (plaintext: Uint8Array, context: string) => Uint8Array | Promise<Uint8Array>;
    open: (sealed: Uint8Array, context: string) => Uint8Array | Promise<Uint8Array>;
    tags?: (plaintext: Uint8Array, context: string) => Uint8Array[] | Promise<Uint8Array[]>;
};
export type SealingOptions = {
    box?: SealingBox;
    unsealed?: boolean;
};
export type Sealed = {
    snapshot: Uint8Array;
    about?: Uint8Array;
    tag: string;
};
export declare class Sealing {
    #private;
    unsealed: boolean;
    constructor({ box, unsealed }: SealingOptions);
    check(): void;
    seal(id: string, snapshot: string, about?: About): Promise<Sealed>;
    tags(principal: string): Promise<string[]>;
    openSnapshot(id: string, data: Uint8Array): Promise<string>;
    openAbout(id: string, data?: Uint8Array): Promise<About>;
}

// texts/plain.d.ts
export declare function shown(text: string): string;

// texts/sentence.d.ts
export type Sentence = {
    template: string;
    params: (string | Sentence)[];
};
export declare function translate({ template, params }: Sentence, texts?: Readonly<Record<string, string>>): string;

// tools/ai-sdk.d.ts
export type Answers = import("./loop.js").Answers;
export type Pending = import("./loop.js").Pending;
export type Waiting = import("./loop.js").Waiting;
export type AiSdkOptions = ToolLoopOptions & {
    needsApproval?: (tool: Tool, server: string) => boolean;
};
export type AiSdkTool = {
    type: "dynamic";
    description?: string;
    title?: string;
    metadata: any;
    inputSchema: any;
    needsApproval?: boolean;
    execute: (input: unknown, options: {
        abortSignal?: AbortSignal;
    }) => Promise<CallToolResult | Pending>;
    toModelOutput: (options: {
        output: any;
    }) => any;
};
export type AiSdkMessage = {
    role: string;
    content?: any;
    parts?: any[];
};
export type AiSdkModel = {
    specificationVersion: string;
    modelId: string;
    doGenerate: (options: any) => PromiseLike<{
        content: {
            type: string;
            text?: string;
        }[];
        finishReason: any;
    }>;
};
export declare function tools(sessions: SomeSessions, options?: AiSdkOptions): Promise<Record<string, AiSdkTool>>;
export declare function toolLoop(sessions: SomeSessions, options?: AiSdkOptions): {
    tools(): Promise<Record<string, AiSdkTool>>;
    parked: ({ steps }: {
        steps: {
            toolResults: {
                output?: unknown;
            }[];
        }[];
    }) => boolean;
    waiting(messages: readonly AiSdkMessage[]): Promise<Waiting[]>;
    answer<M extends AiSdkMessage>(messages: readonly M[], answers: Answers, { abortSignal }?: {
        abortSignal?: AbortSignal;
    }): Promise<M[]>;
};
export declare function sampler(model: AiSdkModel, consent?: Consent): Asker;

// tools/langchain.d.ts
export type Answers = import("./loop.js").Answers;
export type Pending = import("./loop.js").Pending;
export type Waiting = import("./loop.js").Waiting;
export type MakeTool<T> = (run: (input: any, config: any) => Promise<[content: any, artifact: unknown]>, fields: any) => T;
export type LangChainOptions<T> = ToolLoopOptions & {
    tool: MakeTool<T>;
    interrupt?: (value: any) => any;
};
export type LangChainMessage = {
    content: any;
    artifact?: any;
    getType: () => string;
};
export type LangChainModel = {
    invoke: (messages: any, options?: any) => Promise<{
        text: string;
        response_metadata?: any;
    }>;
    getName?: () => string;
};
export declare function tools<T>(sessions: SomeSessions, options: LangChainOptions<T>): Promise<T[]>;
export declare function toolLoop<T>(sessions: SomeSessions, { tool, interrupt, ...options }: LangChainOptions<T>): {
    tools(): Promise<T[]>;
    waiting(messages: readonly LangChainMessage[]): Promise<Waiting[]>;
    answer<M extends LangChainMessage>(messages: readonly M[], answers: Answers, { signal }?: {
        signal?: AbortSignal;
    }): Promise<M[]>;
};
export declare function sampler(model: LangChainModel, consent?: Consent): Asker;

// tools/loop.d.ts
export type ChatStore = Holdings & {
    list: () => Promise<Iterable<{
        id: string;
        time: number;
    }>> | AsyncIterable<{
        id: string;
        time: number;
    }>;
    delete: (id: string) => Promise<void>;
};
export type ToolServer = Pick<Session, "call" | "resume" | "tools">;
export type SomeSessions = ToolServer | Record<string, ToolServer> | Sessions;
export type ToolLoopOptions = {
    askers?: Askers;
    store?: ChatStore;
    principal?: string;
    onUnlisted?: (server: string, error: unknown) => void;
};
export type Waiting = {
    id: string;
    kind: "question" | "again" | "approval";
    tool: string;
    server?: string;
    question?: Question;
    problem?: string;
    inDoubt?: boolean;
    startOver?: boolean;
    input?: unknown;
};
export type Pending = {
    status: "pending";
    about: string;
    call: string;
    server: string;
    tool: string;
    questions: Waiting[];
};
export type Answers = Record<string, Json>;

// tools/openai-agents.d.ts
export type Answers = import("./loop.js").Answers;
export type Pending = import("./loop.js").Pending;
export type Waiting = import("./loop.js").Waiting;
export type AgentsOptions = ToolLoopOptions & {
    name?: string;
    cacheToolsList?: boolean;
};
export type AgentsItem = {
    type?: string;
    [member: string]: any;
};
export type AgentsContent = any[] & {
    structuredContent?: any;
    isError?: boolean;
};
export declare function mcpServer(sessions: SomeSessions, { name, cacheToolsList, ...options }?: AgentsOptions): {
    name: string;
    cacheToolsList: boolean;
    connect(): Promise<void>;
    close(): Promise<void>;
    invalidateToolsCache(): Promise<void>;
    listTools(): Promise<{
        name: string;
        title: string | undefined;
        description: string | undefined;
        annotations: import("../results/schema.js").ToolAnnotations | undefined;
        inputSchema: any;
    }[]>;
    callTool(toolName: string, args: Record<string, unknown> | null, meta?: Record<string, unknown> | null, settings?: {
        signal?: AbortSignal;
    }): Promise<AgentsContent>;
    callToolResult(toolName: string, args: Record<string, unknown> | null, meta?: Record<string, unknown> | null, settings?: {
        signal?: AbortSignal;
    }): Promise<{
        content: AgentsContent;
        structuredContent?: any;
        isError?: boolean;
    }>;
    parked(_: unknown, results: {
        type: string;
        output?: unknown;
    }[]): any;
    waiting(history: readonly AgentsItem[]): Promise<Waiting[]>;
    answer<I extends AgentsItem>(history: readonly I[], answers: Answers, { signal }?: {
        signal?: AbortSignal;
    }): Promise<I[]>;
};

// tools/question-queue.d.ts
export type Standing<Q> = {
    server: string;
    question: Q;
};

// tools/sampling.d.ts
export type Consent = Asker;

// tools/sessions.d.ts
export type ServerContext = AskContext & {
    server: string;
};
export type ServerAsker = (question: Question, context: ServerContext) => ReturnType<Asker>;
export type ServerAskers = {
    [K in keyof Askers]: NonNullable<Askers[K]> extends Asker ? ServerAsker : Askers[K];
};
export type SessionsOptions = {
    askers?: ServerAskers;
    atOnce?: number;
    atOncePerServer?: number;
    inLine?: (keyof Askers)[];
    onQuestions?: (questions: {
        open: Standing<Question>[];
        waiting: Standing<Question>[];
    }) => void;
    listTime?: number;
};
export type ServerTool = {
    name: string;
    server: string;
    tool: Tool;
};
export type ServerTools = {
    tools: ServerTool[];
    failed: {
        server: string;
        error: unknown;
    }[];
};
export declare class Sessions {
    #private;
    constructor(options?: SessionsOptions);
    get servers(): string[];
    get questions(): {
        open: Standing<{
            ask: number;
            key: string;
            kind: "elicitation/create" | "sampling/createMessage" | "roots/list" | "authorize";
            mode?: "form" | "url";
            params?: string;
            round: number;
            host?: string;
            loopback?: boolean;
            punycode?: boolean;
            repeat?: boolean;
            problem?: string;
            sentence?: import("../texts/sentence.js").Sentence;
            earlier?: string;
        }>[];
        waiting: Standing<{
            ask: number;
            key: string;
            kind: "elicitation/create" | "sampling/createMessage" | "roots/list" | "authorize";
            mode?: "form" | "url";
            params?: string;
            round: number;
            host?: string;
            loopback?: boolean;
            punycode?: boolean;
            repeat?: boolean;
            problem?: string;
            sentence?: import("../texts/sentence.js").Sentence;
            earlier?: string;
        }>[];
    };
    add(server: string, open: (askers: Askers) => Session): Session;
    remove(server: string): Promise<boolean>;
    session(server: string): Session;
    tools({ signal }?: {
        signal?: AbortSignal;
    }): Promise<ServerTools>;
    call(server: string, request: Request): Promise<Outcome>;
    resume(server: string, resumption: Resumption): Promise<Outcome>;
    callTool(server: string, call: ToolCall): Promise<CallToolResult>;
    cancel({ server, reason }?: {
        server?: string;
        reason?: unknown;
    }): void;
    park({ server }?: {
        server?: string;
    }): void;
    close(): Promise<void>;
}

// transport/contract.d.ts
export type Transport = {
    kind: "http" | "stdio" | "requests";
    open: (receive: Receive) => Carrier;
};
export type Carried = Post | Listen | Delete | Abort;
export type Receive = (event: Received, cause?: unknown) => Promise<void> | void;
export type Carrier = {
    perform(action: Carried | RequestAction): void;
    reset: () => void;
    close: () => Promise<void>;
    authorized?: (signal: AbortSignal) => Promise<number>;
};

// transport/fetch.d.ts
export type FetchOptions = {
    fetch?: (url: string, init: RequestInit & {
        headers: Record<string, string>;
    }) => Promise<Response>;
    authorization?: (signal: AbortSignal) => string | undefined | Promise<string | undefined>;
    maxResponse?: number;
};
export declare function fetchTransport(url: string | URL, options?: FetchOptions): Transport;

// transport/requests.d.ts
export type Outbound = {
    leg: number;
    method: string;
    params: string;
    capabilities: string;
};
export type SendContext = {
    signal: AbortSignal;
    progress: (params: string) => void;
};
export type Send = (request: Outbound, context: SendContext) => Bytes | Promise<Bytes>;
export declare function requests(send: Send): Transport;

// transport/sdk-client.d.ts
export type OverClient = {
    transport?: unknown;
    request: (request: {
        method: string;
        params: Record<string, unknown>;
    }, resultSchema: any, options: any) => Promise<unknown>;
    setRequestHandler: (...handler: [any, any, any]) => void;
    setNotificationHandler: (...handler: [any, any, any]) => void;
    removeRequestHandler: (method: any) => void;
    getServerCapabilities: () => object | undefined;
    getServerVersion: () => object | undefined;
    getInstructions: () => string | undefined;
    getNegotiatedProtocolVersion?: () => string | undefined;
    getProtocolEra?: () => string | undefined;
    getDiscoverResult?: () => object | undefined;
};
export declare function over(client: OverClient): Transport;
export declare function capabilities(engine: Engine, askers: Askers): Record<string, any>;

// transport/status-error.d.ts
export declare class StatusError extends Error {
    status: number;
    constructor(status: number);
}

// transport/stdio-node.d.ts
export type StdioOptions = {
    command: string;
    args?: string[];
    env?: Record<string, string | undefined>;
    cwd?: string;
    stderr?: "inherit" | ((text: string) => void);
    maxMessage?: number;
};
export declare function stdioTransport(options: StdioOptions): Transport;

// transport/unsent.d.ts
export declare function unsent(message: string | Sentence, cause?: unknown): Error & {
    unsent: boolean;
    sentence: Sentence;
};
