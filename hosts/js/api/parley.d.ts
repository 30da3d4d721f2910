// Recorded by npm run api: what the package offers. Nothing is taken away once it was published.
// @parley-mcp/parley (node):
//   Action
//   Answer
//   Ask
//   AskContext
//   Asker
//   Askers
//   Begin
//   CallAction
//   CallOptions
//   CallSettings
//   CallToolResult
//   Can
//   Carried
//   Carrier
//   Code
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
//   Flow
//   FormField
//   GetPromptResult
//   Holder
//   HostSide
//   Info
//   InstanceError
//   Json
//   Lease
//   Leg
//   Message
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
//   Server
//   Session
//   SessionAction
//   SessionCore
//   SessionEvent
//   SessionOptions
//   SessionWatchers
//   StatusError
//   StoreOptions
//   TakenError
//   Tool
//   ToolCall
//   Transport
//   Watchers
//   connect
//   fetchTransport
//   indexedDBStore
//   load
//   memoryStore
//   newId
//   promptResult
//   requests
//   resourceResult
//   shareCall
//   toolResult
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
//   CallAction
//   CallOptions
//   CallSettings
//   CallToolResult
//   Can
//   Carried
//   Carrier
//   Code
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
//   Flow
//   FormField
//   GetPromptResult
//   Holder
//   HostSide
//   Info
//   InstanceError
//   Json
//   Lease
//   Leg
//   Message
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
//   Server
//   Session
//   SessionAction
//   SessionCore
//   SessionEvent
//   SessionOptions
//   SessionWatchers
//   StatusError
//   StoreOptions
//   TakenError
//   Tool
//   ToolCall
//   Transport
//   Watchers
//   connect
//   fetchTransport
//   indexedDBStore
//   memoryStore
//   newId
//   promptResult
//   requests
//   resourceResult
//   shareCall
//   toolResult
//   unsent
//   watchCall
// @parley-mcp/parley/stdio:
//   StdioOptions
//   stdioTransport
// @parley-mcp/parley/terminal:
//   Input
//   shown
//   terminal
// @parley-mcp/parley/dialogs:
//   dialogs
// @parley-mcp/parley/sdk-client:
//   SdkClient
//   SdkClientOptions
//   sdkClient
// @parley-mcp/parley/codec (node):
//   Box
//   Codec
//   CodecError
//   CodecOptions
//   Context
//   Guard
//   MemoryReplayStore
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
//   MemoryReplayStore
//   Reason
//   compileCodec
//   createBox
//   createCodec
//   createGuard
//   newKey
//   principal
// @parley-mcp/parley/server:
//   GuardServerOptions
//   Guarded
//   Handler
//   LowLevelServer
//   Request
//   guardServer
//   verdict
// @parley-mcp/parley/parley.wasm
// @parley-mcp/parley/parley-session.wasm
// @parley-mcp/parley/parley-codec.wasm
// @parley-mcp/parley/package.json

// askers.d.ts
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
    tasks?: boolean;
    fill?: boolean;
};

// browser.d.ts
export declare function load({ source }?: {
    source?: import("./compile.js").Source | Promise<import("./compile.js").Source>;
}): Promise<Engine>;

// codec-entropy.d.ts
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void;

// codec-errors.d.ts
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

// codec-guard.d.ts
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
export declare function createGuard(options: KeyOptions & CodecOptions & GuardOptions): Guard;
export declare class Guard {
    #private;
    constructor({ module, keys, random, now, replay, ...options }: KeyOptions & CodecOptions & GuardOptions);
    inbound({ method, params, principal }: {
        method: string;
        params: string;
        principal: string | null;
    }): Promise<{
        params: string;
        exchange: Exchange | null;
    }>;
    outbound(exchange: Exchange | null, result: string): string;
    verdict(exchange: Exchange, key: string, method: string, params?: string): Verdict;
    questionDigest(key: string, method: string, params?: string): Uint8Array<ArrayBuffer>;
    canonical(json: string): string | undefined;
    rekey(keys: string | Uint8Array): void;
    close(): void;
}
export declare function principal(client: string | null, issuer: string | null, subject: string | null): string;

// codec-key.d.ts
export declare function newKey({ suite, random }?: {
    suite?: "11" | "21" | "22";
    random?: Random;
}): Uint8Array<ArrayBuffer>;

// codec-keyed.d.ts
export type KeyOptions = {
    module: WebAssembly.Module | BufferSource;
    keys: string | Uint8Array;
};

// codec-node.d.ts
export declare function compileCodec({ source }?: {
    source?: import("./compile.js").Source | Promise<import("./compile.js").Source>;
}): Promise<WebAssembly.Module>;
export declare function readKeyFile(name: string | URL): Promise<Uint8Array<ArrayBuffer>>;

// codec-replay.d.ts
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

// codec-web.d.ts
export declare function compileCodec({ source }?: {
    source?: import("./compile.js").Source | Promise<import("./compile.js").Source>;
}): Promise<WebAssembly.Module>;

// codec.d.ts
export declare const Context: Readonly<{
    guard: "parley-guard/1";
    sdk: "parley-sdk/1";
    snapshot: "parley-snapshot/1";
}>;
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
    open(sealed: Uint8Array, context: string | Uint8Array): Uint8Array<ArrayBuffer>;
    rekey(keys: string | Uint8Array): void;
    close(): void;
}

// compile.d.ts
export type Source = WebAssembly.Module | BufferSource | Response | URL | string;

// core.d.ts
export type Message = {
    id?: string;
    method?: string;
    params?: string;
    failed: boolean;
};
export declare class Engine {
    #private;
    constructor(module: WebAssembly.Module);
    get instance(): Instance;
    newFlow(method: string, params?: Json, options?: Options): Flow;
    restoreFlow(snapshot: string, expect?: Expect): Flow;
    newSession(options?: SessionOptions): SessionCore;
    get live(): number;
    questionForm(question: Pick<Ask, "params" | "earlier">): QuestionForm;
    form(schema: string): Form;
    formCheck(check: FieldCheck): Checked;
    request(leg: {
        id: number;
        method: string;
        params?: string;
        capabilities?: string;
        clientInfo?: string;
        protocolVersion?: string;
        progress?: boolean;
    }): {
        body: string;
        headers: [string, string][];
    };
    message(message: string): Message;
}

// dialogs.d.ts
export declare function dialogs(engine: Engine, { server }?: {
    server?: string;
}): Required<Pick<Askers, "elicit" | "elicitURL">>;

// driver.d.ts
export type Outcome = {
    status: "done";
    result: string;
    noStore?: boolean;
} | {
    status: "parked";
    snapshot: string;
} | Failed;
export type Failed = {
    status: "failed";
    code: number;
    detail: string;
    resumable: boolean;
    inDoubt?: boolean;
    snapshot?: string;
    response?: string;
    cause?: unknown;
};

// errors.d.ts
export declare const Code: Readonly<{
    instance: 0;
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
}>;
export declare class ParleyError extends Error {
    code: number;
    detail: string;
    constructor(code: number, detail: string);
}
export declare class InstanceError extends Error {
    code: 0;
    constructor(detail: string, cause?: unknown);
}

// failure.d.ts
export declare class Failure extends Error {
    #private;
    status: "failed" | "parked";
    code: number | undefined;
    detail: string;
    resumable: boolean;
    inDoubt: boolean;
    response: string | undefined;
    constructor({ status, code, detail, resumable, inDoubt, snapshot, response, cause }: Omit<Failed, "status" | "code"> & {
        status: "failed" | "parked";
        code?: number;
    }, raw?: string);
    get snapshot(): string | undefined;
    get raw(): string | undefined;
}

// fetch.d.ts
export type FetchOptions = {
    fetch?: (url: string, init: RequestInit & {
        headers: Record<string, string>;
    }) => Promise<Response>;
    maxResponse?: number;
};
export declare function fetchTransport(url: string | URL, options?: FetchOptions): Transport;

// flow.d.ts
export type Json = string | object;
export type Can = {
    form?: boolean;
    url?: boolean;
    sampling?: boolean;
    samplingTools?: boolean;
    roots?: boolean;
    tasks?: boolean;
};
export type Options = {
    can?: Can;
    capabilities?: Json;
    askConcurrency?: number;
    legTimeout?: number;
    legMax?: number;
    askTimeout?: number;
    budget?: number;
    deadline?: number;
    maxRounds?: number;
    maxWaits?: number;
    maxTries?: number;
    resendTools?: boolean;
    limits?: {
        response?: number;
        result?: number;
        state?: number;
        asks?: number;
        key?: number;
        snapshot?: number;
    };
    audit?: boolean;
    id?: string;
    peer?: string;
    principal?: string;
};
export type Expect = {
    can?: Can;
    peer?: string;
    principal?: string;
    deadline?: number;
    budget?: number;
    maxRounds?: number;
    maxWaits?: number;
    size?: number;
};
export type Begin = {
    type: "begin";
    resend?: boolean;
    again?: boolean;
    moreRounds?: number;
    save?: boolean;
    watch?: boolean;
};
export type Event = Begin | {
    type: "response";
    leg: number;
    body: string;
} | {
    type: "lost";
    leg: number;
    reason?: string;
    unsent?: boolean;
} | {
    type: "progress";
    leg: number;
} | {
    type: "answer";
    ask: number;
    raw: string;
    fill?: boolean;
} | {
    type: "refuse";
    ask: number;
    reason?: string;
} | {
    type: "saved";
} | {
    type: "saveFailed";
    reason?: string;
} | {
    type: "park";
    ask?: number;
} | {
    type: "cancel";
} | {
    type: "tick";
};
export type Ask = {
    ask: number;
    key: string;
    kind: "elicitation/create" | "sampling/createMessage" | "roots/list";
    mode?: "form" | "url";
    params?: string;
    round: number;
    host?: string;
    loopback?: boolean;
    punycode?: boolean;
    repeat?: boolean;
    problem?: string;
    earlier?: string;
};
export type Leg = {
    leg: number;
    method?: string;
    size: number;
    answer?: string;
    state?: number;
    asks?: number;
};
export type Pause = {
    until: number;
    waits?: number;
};
export type Note = {
    kind: string;
    flow?: string;
    leg: number;
    round: number;
    time: number;
    ask?: number;
    action?: string;
    fingerprint?: string;
    code?: number;
};
export type Action = {
    type: "send";
    leg: number;
    method: string;
    params: string;
} | {
    type: "abandon";
    leg: number;
    unsent?: boolean;
} | {
    type: "save";
} | ({
    type: "leg";
} & Leg) | ({
    type: "pause";
} & Pause) | ({
    type: "ask";
} & Ask) | {
    type: "withdraw";
    ask: number;
} | {
    type: "task";
    status: string;
    message?: string;
} | {
    type: "tell";
    method: string;
    params: string;
} | {
    type: "wait";
    until: number;
} | ({
    type: "note";
} & Note) | {
    type: "done";
    result: string;
    noStore?: boolean;
} | {
    type: "parked";
} | {
    type: "failed";
    code: number;
    detail: string;
    resumable: boolean;
    error?: string;
};
export type Info = {
    method: string;
    params: string;
    capabilities: string;
    id?: string;
    peer?: string;
    principal?: string;
    round: number;
    leg: number;
    questions: number;
    form?: boolean;
    url?: boolean;
    sampling?: boolean;
    samplingTools?: boolean;
    roots?: boolean;
    inDoubt?: boolean;
    over?: boolean;
    task?: string;
};
export declare class Flow {
    #private;
    constructor(engine: Engine, instance: Instance, handle: number, labels: Expect, saved?: string);
    step(now: number, event: Event): Action[];
    stepText(now: number, event: string): string;
    snapshot(): any;
    get saved(): string | undefined;
    info(): Info;
    free(): void;
}

// form.d.ts
export type Field = {
    name: string;
    kind: "string" | "number" | "integer" | "boolean" | "choice" | "choices";
    title?: string;
    description?: string;
    required?: boolean;
    format?: "email" | "uri" | "date" | "date-time";
    minLength?: number;
    maxLength?: number;
    minimum?: string;
    maximum?: string;
    minItems?: number;
    maxItems?: number;
    options?: {
        value: string;
        title: string;
    }[];
    default?: string;
};
export type Problem = {
    property: string;
    message: string;
};
export type Form = {
    fields: Field[];
    defaults: string;
    problem?: undefined;
} | {
    fields?: undefined;
    problem: Problem;
};
export type FieldCheck = {
    schema: string;
    field: string;
    typed: string;
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

// index.d.ts
export type Action = import("./flow.js").Action;
export type Ask = import("./flow.js").Ask;
export type Begin = import("./flow.js").Begin;
export type Can = import("./flow.js").Can;
export type Event = import("./flow.js").Event;
export type Expect = import("./flow.js").Expect;
export type Field = import("./form.js").Field;
export type Info = import("./flow.js").Info;
export type Json = import("./flow.js").Json;
export type Leg = import("./flow.js").Leg;
export type Message = import("./core.js").Message;
export type Note = import("./flow.js").Note;
export type Options = import("./flow.js").Options;
export type Pause = import("./flow.js").Pause;
export type Problem = import("./form.js").Problem;
export type Answer = import("./askers.js").Answer;
export type Asker = import("./askers.js").Asker;
export type Askers = import("./askers.js").Askers;
export type AskContext = import("./askers.js").AskContext;
export type Question = import("./askers.js").Question;
export type Failed = import("./driver.js").Failed;
export type Outcome = import("./driver.js").Outcome;
export type FetchOptions = import("./fetch.js").FetchOptions;
export type Outbound = import("./requests.js").Outbound;
export type Send = import("./requests.js").Send;
export type SendContext = import("./requests.js").SendContext;
export type FormField = import("./question-form.js").FormField;
export type QuestionForm = import("./question-form.js").QuestionForm;
export type CallOptions = import("./request.js").CallOptions;
export type Request = import("./request.js").Request;
export type Resumption = import("./request.js").Resumption;
export type HostSide = import("./request.js").HostSide;
export type CallToolResult = import("./schema.js").CallToolResult;
export type ContentBlock = import("./schema.js").ContentBlock;
export type GetPromptResult = import("./schema.js").GetPromptResult;
export type Prompt = import("./schema.js").Prompt;
export type ReadResourceResult = import("./schema.js").ReadResourceResult;
export type Resource = import("./schema.js").Resource;
export type ResourceContents = import("./schema.js").ResourceContents;
export type ResourceTemplate = import("./schema.js").ResourceTemplate;
export type Tool = import("./schema.js").Tool;
export type ConnectOptions = import("./session.js").ConnectOptions;
export type CallAction = import("./session-core.js").CallAction;
export type Server = import("./session-core.js").Server;
export type SessionAction = import("./session-core.js").SessionAction;
export type SessionEvent = import("./session-core.js").SessionEvent;
export type SessionOptions = import("./session-core.js").SessionOptions;
export type Carried = import("./transport.js").Carried;
export type Carrier = import("./transport.js").Carrier;
export type Receive = import("./transport.js").Receive;
export type Transport = import("./transport.js").Transport;
export type CallSettings = import("./typed.js").CallSettings;
export type PromptGet = import("./typed.js").PromptGet;
export type ResourceRead = import("./typed.js").ResourceRead;
export type ToolCall = import("./typed.js").ToolCall;
export type SessionWatchers = import("./watchers.js").SessionWatchers;
export type Watchers = import("./watchers.js").Watchers;
export type Entries = import("./store.js").Entries;
export type Entry = import("./store.js").Entry;
export type Holder = import("./store.js").Holder;
export type Parked = import("./store.js").Parked;
export type StoreOptions = import("./store.js").StoreOptions;

// inline.d.ts
export declare function load(): Promise<Engine>;

// instance.d.ts
export type Takes = "parley_flow_new" | "parley_flow_step" | "parley_flow_restore" | "parley_session_new" | "parley_session_call" | "parley_session_restore" | "parley_session_step" | "parley_form" | "parley_form_check" | "parley_request" | "parley_message";
export type Tells = "parley_flow_snapshot" | "parley_flow_info" | "parley_session_snapshot" | "parley_session_info";
export type Frees = "parley_flow_free" | "parley_session_free" | "parley_session_drop";
export declare class Instance {
    #private;
    trap: unknown;
    constructor(module: WebAssembly.Module);
    get hasSessions(): boolean;
    get live(): number;
    free(name: Frees, ...handles: number[]): void;
    give(name: Takes, request: string, ...before: number[]): string;
    ask(name: Tells, ...handles: number[]): string;
}

// lease.d.ts
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

// node.d.ts
export declare function load({ source }?: {
    source?: import("./compile.js").Source | Promise<import("./compile.js").Source>;
}): Promise<Engine>;

// plain-text.d.ts
export declare function shown(text: string): string;

// question-form.d.ts
export type FormField = Field & Start;
export type Start = {
    initial?: string;
};
export declare class QuestionForm {
    #private;
    message: string;
    fields: FormField[];
    constructor(engine: Engine, { params, earlier }: Pick<Ask, "params" | "earlier">);
    enter(field: FormField, typed: string): string | undefined;
    choose(field: FormField, value: string): string | undefined;
    accept(): string;
}

// request.d.ts
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

// requests.d.ts
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
export type Send = (request: Outbound, context: SendContext) => string | Promise<string>;
export declare function requests(send: Send): Transport;

// schema.d.ts
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

// sdk-client.d.ts
export type SdkClient = {
    transport?: unknown;
    request: (request: {
        method: string;
        params: Record<string, unknown>;
    }, resultSchema: any, options: any) => Promise<unknown>;
};
export type SdkClientOptions = {
    headers?: (request: Outbound) => Record<string, string>;
};
export declare function sdkClient(client: SdkClient, options?: SdkClientOptions): Transport;

// server.d.ts
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
export declare function verdict(context: ServerContext, key: string, { method, params }: {
    method: string;
    params?: object;
}): Verdict;
declare const opened: unique symbol;
export type Guarded = ServerContext["mcpReq"] & {
    [opened]?: {
        guard: Guard;
        exchange: Exchange;
    };
};
export type Request = {
    params: any;
};
export type Handler = (request: Request, context: ServerContext) => any;

// session-core.d.ts
export type SessionOptions = {
    transport?: "http" | "stdio" | "requests";
    clientInfo?: Json;
    can?: import("./flow.js").Can;
    capabilities?: Json;
    versions?: string[];
    known?: string;
    discover?: boolean;
    probeTimeout?: number;
    firstId?: number;
    stringIds?: boolean;
    dialect?: "" | "SEP-2322" | "SEP-2322-draft" | "SEP-2322-draft-camel" | "SEP-1685";
    logLevel?: string;
};
export type ReceivedMessage = {
    exchange: number;
    body: string;
    status?: number;
    sessionId?: string;
    eventId?: string;
    retry?: number;
    last?: boolean;
};
export type EndedExchange = {
    exchange: number;
    status?: number;
    sessionId?: string;
    eventId?: string;
    retry?: number;
    reason?: string;
    unsent?: boolean;
};
export type Received = ({
    type: "message";
} & ReceivedMessage) | ({
    type: "ended";
} & EndedExchange) | {
    type: "down";
    reason?: string;
};
export type SessionEvent = Received | (Event & {
    call: number;
}) | {
    type: "tick";
} | {
    type: "close";
};
export type Post = {
    type: "post";
    exchange: number;
    call?: number;
    leg?: number;
    headers?: [string, string][];
    body: string;
};
export type RequestAction = {
    type: "request";
    exchange: number;
    call?: number;
    leg?: number;
    method: string;
    params: string;
    capabilities: string;
};
export type Carries = Post | RequestAction;
export type Listen = {
    type: "listen";
    exchange: number;
    headers: [string, string][];
    at?: number;
};
export type Delete = {
    type: "delete";
    exchange: number;
    headers: [string, string][];
};
export type Abort = {
    type: "abort";
    exchange: number;
};
export type CallAction = {
    call: number;
} & (Exclude<Action, {
    type: "send" | "abandon" | "tell";
}> | (Carries & {
    leg: number;
}) | {
    type: "progress";
    leg: number;
    params: string;
} | {
    type: "notification";
    method: string;
    params?: string;
});
export type Server = {
    version: string;
    serverInfo?: string;
    capabilities?: string;
    instructions?: string;
};
export type OwnAction = {
    call?: undefined;
} & (Carries | Listen | Delete | Abort | {
    type: "notification";
    method: string;
    params?: string;
} | ({
    type: "ready";
} & Server) | {
    type: "warning";
    text: string;
} | {
    type: "wait";
    until: number;
});
export type SessionAction = CallAction | OwnAction;
export declare class SessionCore {
    #private;
    constructor(instance: Instance, options: SessionOptions);
    call(method: string, params?: Json, options?: Options): number;
    restore(snapshot: string, expect?: Expect): number;
    step(now: number, event: SessionEvent): SessionAction[];
    stepText(now: number, event: string): string;
    snapshot(call: number): any;
    saved(call: number): string | undefined;
    info(call: number): Info;
    drop(call: number): void;
    free(): void;
    get trap(): unknown;
}

// session.d.ts
export type ConnectOptions = Omit<SessionOptions, "transport" | "can"> & {
    askers?: Askers;
    watchers?: SessionWatchers;
};
export declare function connect(engine: Engine, transport: Transport, options?: ConnectOptions): Session;
export declare class Session {
    #private;
    constructor(engine: Engine, transport: Transport, options: ConnectOptions);
    call(request: Request): Promise<Outcome>;
    resume(resumption: Resumption): Promise<Outcome>;
    callTool(call: ToolCall): Promise<CallToolResult>;
    getPrompt(get: PromptGet): Promise<GetPromptResult>;
    readResource(resource: ResourceRead): Promise<ReadResourceResult>;
    tools(settings?: CallSettings): AsyncGenerator<Tool, void, void>;
    prompts(settings?: CallSettings): AsyncGenerator<Prompt, void, void>;
    resources(settings?: CallSettings): AsyncGenerator<Resource, void, void>;
    resourceTemplates(settings?: CallSettings): AsyncGenerator<ResourceTemplate, void, void>;
    close(): Promise<void>;
}

// status.d.ts
export declare class StatusError extends Error {
    status: number;
    constructor(status: number);
}

// stdio-node.d.ts
export type StdioOptions = {
    command: string;
    args?: string[];
    env?: Record<string, string | undefined>;
    cwd?: string;
    stderr?: "inherit" | ((text: string) => void);
    maxMessage?: number;
};
export declare function stdioTransport(options: StdioOptions): Transport;

// store-errors.d.ts
export declare class TakenError extends Error {
    left: number;
    constructor(left?: number);
}
export declare class NotFoundError extends Error {
    constructor();
}

// store-indexeddb.d.ts
export declare function indexedDBStore({ name, ...options }?: StoreOptions & {
    name?: string;
}): ParkingStore;

// store-memory.d.ts
export declare function memoryStore(options?: StoreOptions): ParkingStore;

// store.d.ts
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

// tabs.d.ts
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

// terminal-node.d.ts
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

// transport.d.ts
export type Transport = {
    kind: "http" | "stdio" | "requests";
    open: (receive: Receive) => Carrier;
};
export type Carried = Post | Listen | Delete | Abort;
export type Receive = (event: Received, cause?: unknown, call?: number) => void;
export type Carrier = {
    perform(action: Carried | RequestAction): void;
    reset: () => void;
    close: () => Promise<void>;
};

// typed.d.ts
export type CallSettings = Omit<Request, "method" | "params">;
export type ToolCall = {
    name: string;
    arguments?: Json;
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

// unsent.d.ts
export declare function unsent(message: string, cause?: unknown): Error & {
    unsent: boolean;
};

// watchers.d.ts
export type OnNotification = (method: string, params: string | undefined) => void;
export type Watchers = {
    onNote?: (note: Note) => void;
    onProgress?: (leg: number, params: string) => void;
    onTask?: (status: string, message: string | undefined) => void;
    onLeg?: (leg: Leg) => void;
    onPause?: (pause: Pause) => void;
    onNotification?: OnNotification;
};
export type SessionWatchers = {
    onReady?: (server: Server) => void;
    onNotification?: OnNotification;
    onWarning?: (text: string) => void;
};
