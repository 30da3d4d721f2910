package main

// help is the text for a command, or for parley itself.
func help(command string) string {
	switch command {
	case "call", "prompt", "read":
		return usages[command] + serverHelp + newHelp + flagsHelp + outputHelp + askingHelp + meansHelp + savingHelp + exitHelp
	case "resume":
		return usages[command] + flagsHelp + outputHelp + askingHelp + meansHelp + exitHelp
	case "discover", "tools":
		return usages[command] + serverHelp + newHelp + flagsHelp + stateHelp + askingHelp + meansHelp + lookExitHelp
	case "login", "logout":
		return usages[command] + meansHelp + lookExitHelp
	case "parked", "discard", "export", "import", "accounts", "store":
		return usages[command]
	case "token":
		return usages[command] + tokenExitHelp
	case "script":
		return scriptHelp
	case "version":
		return "Usage: parley version\n\nPrints the version of parley and of the engine inside it.\n"
	}
	return mainHelp + exitHelp
}

func seeHelp(command string) string {
	if _, ok := usages[command]; ok {
		return "See  parley help " + command
	}
	return "See  parley help"
}

const mainHelp = `parley calls a tool of an MCP server and asks you the questions that come back,
until there is a result. The server is behind a URL (Streamable HTTP) or is a
command (stdio), of any protocol version from 2025-03-26 to 2026-07-28, and of
2024-11-05 if it is a command.

Usage:
  parley call   URL TOOL [ARGUMENTS]   call a tool
  parley prompt URL NAME [ARGUMENTS]   get a prompt
  parley read   URL RESOURCE_URI       read a resource
  parley discover URL                  what the server is
  parley tools  URL                    list its tools
  parley login  URL                    sign in to a server beforehand
  parley logout URL                    sign out of it
  parley accounts                      list where you are signed in
  parley resume ID                     resume a parked call
  parley parked                        list the parked calls
  parley discard ID                    delete a parked call
  parley export ID [FILE]              write a parked call to a file
  parley import FILE                   take a parked call from a file
  parley store move FROM TO            move all parked calls to another store
  parley token  inspect|open|seal|new-key|rotate
                                       for operators of servers: requestState
  parley version                       print the version
  parley help [COMMAND | script]       show more; script: about --script files

A server that is a command comes last, after --, instead of the URL:
  parley call TOOL [ARGUMENTS] -- COMMAND [ITS ARGUMENTS]

Examples:
  parley call http://127.0.0.1:8080/mcp update_work_item id:=4711 state=Resolved
  parley tools -- ./my-server --verbose

The result goes to standard output, everything else to standard error. You can
answer a question, decline it (the server is told no) or dismiss it (it is
closed without choosing). You can also park the call (everything is kept for
later) or stop it. You see an answer in full before it is sent. A server of a
protocol version before 2026-07-28 waits for most answers itself; while it does,
its call cannot be parked, and parley says so. What a server says is shown as
text only: control characters and others that cannot be seen are spelled out,
as ␛ or <U+202E>. A pipe or a file gets what the server sent.

A tool that takes long may continue as a task, which parley asks about until it
ends. Ctrl-C then offers to park, which leaves the task running, or to stop,
which cancels it.

A server behind a URL may want you to sign in. Parley asks you, shows which host
will ask for your password, opens the browser there, and goes on with the call;
parley help login says more.

Calls are saved while they run, encrypted, in files that only you may read;
parley help call says more.
`

const exitHelp = `
Exit codes:
  0    there is a result
  1    there is a result, and the tool says it is an error
  2    wrong usage; nothing was sent
  3    the call failed: no connection, an error of the server, a question that
       nobody answers; or the result could not be written whole
  4    you stopped the call
  5    the call is parked: by you, or by Ctrl-C or a signal
  6    the call is in doubt: the tool was called, no answer came, and it may or
       may not have run. The call is parked, unless --no-save is given
  130  interrupted by Ctrl-C or a signal before anything was asked, or with
       --no-save, and nothing is in doubt
`

const lookExitHelp = `
Exit codes:
  0    done
  2    wrong usage; nothing was sent
  3    it failed: no connection, an error of the server, a question that nobody
       answers; or the result could not be written whole
  4    you stopped it when you were asked something
  130  interrupted by Ctrl-C or a signal
`

const serverHelp = `
The server is behind a URL or, last of all and after --, a command:
  URL              http or https: Streamable HTTP. Redirects are not followed
  -- COMMAND [ITS ARGUMENTS]
                   reached over standard input and output, without a shell. It
                   gets parley's environment, runs in this directory (also when
                   the call is resumed) and is shut down in order
`

var usages = map[string]string{
	"call": `Usage: parley call URL TOOL [ARGUMENTS] [FLAGS]
       parley call TOOL [ARGUMENTS] [FLAGS] -- COMMAND

Calls a tool.
` + argumentsHelp + `
  --task           have the tool run as a task, at a server of 2025-11-25 whose
                   "parley tools" says that it may: the call can then be parked
                   while the tool works. A tool that runs only as a task does so
                   anyway. A server of 2026-07-28 decides that alone

Examples, with URL=http://127.0.0.1:8080/mcp
  parley call $URL get_weather location=Oslo
  parley call $URL update_work_item '{"id": 4711, "state": "Resolved"}'
  parley call $URL summarise - --sample-cmd ./my-model < arguments.json
  parley call $URL list_files --root . --root ~/notes
  parley call greet --label Desk -- ./my-server --verbose
`,
	"prompt": `Usage: parley prompt URL NAME [ARGUMENTS] [FLAGS]
       parley prompt NAME [ARGUMENTS] [FLAGS] -- COMMAND

Gets a prompt and prints its messages. At a terminal, and without ARGUMENTS, you
are asked for those that the prompt has; Tab shows what the server suggests.
` + argumentsHelp + `
Example:
  parley prompt http://127.0.0.1:8080/mcp code_review
  parley prompt http://127.0.0.1:8080/mcp code_review code='x := 1'
`,
	"read": `Usage: parley read URL RESOURCE_URI [FLAGS]
       parley read RESOURCE_URI [FLAGS] -- COMMAND

Reads a resource and prints its contents. RESOURCE_URI may be a template of the
server's, such as logs://{day}: at a terminal you are asked for what stands in
braces; Tab shows what the server suggests.

Example:
  parley read http://127.0.0.1:8080/mcp parley://report/quarterly
`,
	"discover": `Usage: parley discover URL [FLAGS]
       parley discover [FLAGS] -- COMMAND

Says which protocol version the server speaks, and what it says about itself:
name, capabilities, instructions. Those are its own words: rely on none of them.

Examples:
  parley discover http://127.0.0.1:8080/mcp --json
  parley discover -- ./my-server --verbose
`,
	"tools": `Usage: parley tools URL [FLAGS]
       parley tools [FLAGS] -- COMMAND

Lists the server's tools with their titles, descriptions and arguments. Tools
that cannot be called are left out, with a warning that says why. --timeout is
for all of the list.

Some servers list a tool only if they may ask for what it needs: give the flags
of your calls here, too. Questions that come meanwhile are put as in a call.

Examples:
  parley tools http://127.0.0.1:8080/mcp
  parley tools --json -- ./my-server
  parley tools --root . --sample-cmd ./my-model -- ./my-server
`,
	"login": `Usage: parley login URL [--scope 'SCOPES'] [FLAGS]

Signs in to a server, so that no call has to ask. A call asks by itself when the
server wants it, also in the middle and for more than before, and goes on
afterwards: use this for scripts and jobs where nobody is there, or to be asked
once. The server may ask you something meanwhile, as in a call; parley help
tools has the flags for that.

You sign in at the authorization server that the server names, in your browser;
parley shows its host first. The account is kept beside the parked calls, in the
directory accounts, encrypted. The key is in the system's keyring or, where
there is none, in a file beside the accounts; which one it is stays so. Tokens
are renewed when they expire, go to this server only, and are never shown.

  --scope 'SCOPES' what the account is to allow, if the server does not say so
                   before it is called: scopes, with spaces between them
  --label NAME     what to call the server (default: its host and port)
  --browser 'CMD ARGS'
                   opens the page; the address is added as the last argument. No
                   shell (default: what BROWSER names, or the system's way).
                   Without a terminal and without either, the address is printed
  --timeout TIME   how long the server may take; your own time does not count
                   (default 1m, 0 for no bound)
  --state-dir DIR  where calls and accounts are kept

Example:
  parley login https://mcp.example.com/mcp --scope 'items items:write'
`,
	"logout": `Usage: parley logout URL [--state-dir DIR] [FLAGS]

Signs out of a server: its authorization server is told to revoke the tokens, if
it offers that, and the account is deleted here in any case. A parked call of
the account cannot be resumed as another one.
`,
	"accounts": `Usage: parley accounts [--json] [--state-dir DIR]

Lists where you are signed in: the server, its authorization server, who you are
there if that is known, what the account allows, and since when. Tokens are not
shown, with --json neither.
`,
	"resume": `Usage: parley resume ID [--resend] [--again] [FLAGS]

Resumes a parked call, at the same server and with the label, folders and model
it had unless a flag says otherwise. What was answered is not asked again. A
server that is a command is started again, in the directory it had.

  --resend         for a call in doubt: the tool was called and no answer came,
                   so it may or may not have run. This sends the call again with
                   the same answers, and the tool may run twice
  --again          start the call over, if the server does not continue from
                   where it was. Forms that it asks again are filled in with
                   what you answered; you look at them and send them. A call in
                   doubt needs --resend as well
  --state-dir DIR  where calls and accounts are kept
  --store URL      where calls are kept instead; parley call --help has more
`,
	"parked": `Usage: parley parked [--state-dir DIR] [--store URL]

Lists the parked calls: ID, age, server, what is called, how many questions are
open. "taken": somebody else has it. "in doubt": see parley help resume. "a
task at work": it is running at the server.
`,
	"discard": `Usage: parley discard ID [--state-dir DIR] [--store URL]

Deletes a parked call. The server is not told.
`,
	"export": `Usage: parley export ID [FILE] [--keep] [--state-dir DIR] [--store URL]

Takes a parked call out of the store and writes it to FILE (default: ID.parley),
so that another host of Parley's can resume it: a page in a browser, an editor,
an Extism program, parley elsewhere. FILE must not exist yet, and only you may
read it (0600). It holds a secret, not encrypted: your answers and the server's
requestState.

FILE may be - for standard output. The call is then gone from here even if
nobody reads it: --keep keeps it, until parley discard.

  --keep           leave the call here, too. Resume it in one place only:
                   otherwise you are asked, and answer, twice
  --state-dir DIR  where the call is kept
  --store URL      the same; parley call --help has more
`,
	"import": `Usage: parley import FILE [--label NAME] [--state-dir DIR] [--store URL]
                          [--dialect NAME] [--protocol-version VERSION]
       parley import FILE [FLAGS] -- COMMAND

Takes over a parked call that another host, or parley elsewhere, has exported.
FILE may be - for standard input. The call goes into the store, encrypted, and
its new ID to standard output; parley resume ID resumes it. FILE stays: delete
it.

The file names the URL of the call's server, so take no file from somebody you
do not trust. If the server is a command that parley ran, give that command
again, in the same directory.

  --label NAME     what to call the server (default: its host and port, or the
                   name of its command)
  --dialect NAME, --protocol-version VERSION
                   only for a call in a version that client and server agreed
                   on, which the file does not have: SEP-2322 and that version.
                   Any other call goes on as it began
  --state-dir DIR  where to keep the call
  --store URL      the same; parley call --help has more
`,
	"store": `Usage: parley store move FROM TO [--state-dir DIR]

Moves all parked calls from one store to another. FROM and TO are URLs as of
--store, or env:NAME for one in the variable NAME, where a URL with a password
belongs. The key file, PARLEY_SNAPSHOT_KEY_FILE or snapshot.key in the directory
of state, has to open the calls; they are sealed anew at the other store, and
kept there for 30 days from now on. A call that somebody has stays, and is
named. Stopped or killed in the middle, the command is given again.

Example:
  PARLEY_STORE=postgres://parley:PASSWORD@db.example.com/parley \
    parley store move file:$HOME/.local/state/parley env:PARLEY_STORE

Exit codes:
  0    all are moved
  2    wrong usage
  3    a call stays, or a store cannot be used
`,
	"token": `Usage: parley token inspect [FILE] [--state] [--json] [--context CONTEXT]
       parley token open    [FILE] [--context CONTEXT]
       parley token seal    [FILE] --context CONTEXT
       parley token new-key FILE [--suite SUITE]
       parley token rotate  [accept | activate | drop] [KEY]
       parley token rotate  --snapshots [--state-dir DIR] [--store URL]

For operators of servers that seal their requestState with Parley's codec. Keys
come from the file that --key-file FILE or PARLEY_KEY_FILE names, which only its
owner may use (chmod 600); tokens come from FILE or standard input. Neither is
ever an argument: others can see those, and the shell remembers them.

inspect  what a token says: its key, when it was minted and expires, the rounds
         so far, how many questions were asked. Without a key file, only what it
         claims. Whether the server accepts it depends on the request, too.
           --state    and the state that the server's handler set, a secret
           --json     as JSON
open     what was sealed, byte for byte; of a Guard's token that is its claims
         and the state after them: inspect reads those
seal     makes a token of what is read
           --context  what it is for: it opens under the same context only.
                      parley-guard/1 is a Guard's, parley-sdk/1 an SDK's own
new-key  makes a key file with one new key; FILE may be - for standard output
           --suite    11 (default), or 21 or 22 for age tokens
rotate   lists the keys, or changes the key file, a step at a time. After each
         step give the file to all instances of the server before the next:
           accept     adds a new key, which opens (--suite: as in new-key)
           activate   makes it the one that mints
           drop       removes the other one, when the last state it minted has
                      expired
         KEY is the key's id, if there is a choice.
           --snapshots
                      seals all parked calls of this user with a new key, in one
                      go. The previous key is kept until the next time, for a
                      parley that is just saving: run it twice to get rid of it

Examples:
  parley token new-key server.key
  export PARLEY_KEY_FILE=server.key
  parley token inspect < token.txt
  printf hello | parley token seal --context parley-sdk/1 | parley token open
  parley token rotate accept
`,
}

const tokenExitHelp = `
Exit codes:
  0    done
  2    wrong usage
  3    it failed: the token does not open, a file cannot be used
`

// newHelp is about flags that a call cannot change when it is resumed.
const newHelp = `
  --timeout TIME   how long the server may take for one leg; your own time does
                   not count (default 1m, 0 for no bound)
  --protocol-version VERSION
                   one that may be spoken, the preferred one first: give it once
                   for each (default: all that parley knows)
  --dialect NAME   a proposal from before 2026-07-28 that the server follows:
                   SEP-2322, SEP-2322-draft, SEP-2322-draft-camel or SEP-1685.
                   With SEP-2322, versions may be the server's own
`

// meansHelp is about signing in and what else authorizes requests.
const meansHelp = `
Signing in, and secrets, for servers behind a URL. Each flag but --header may be
in the environment instead, for all servers, as PARLEY_ and its name:
PARLEY_BEARER_FILE, say. Files that others may read are refused.
  --bearer-file FILE
                   a token that you have from elsewhere, in the first line. The
                   file is read for every request; nobody is asked to sign in
  --header-file FILE
                   header fields for every request, each a line  Name: value.
                   With Authorization among them nobody is asked to sign in
  --header 'NAME: VALUE'
                   one more header field; may be repeated. Authorization, Cookie
                   and Proxy-Authorization are refused here: others can see a
                   command line
  --client-id ID   the client that the authorization server knows parley as
                   (default: parley registers itself)
  --client-secret-file FILE
                   that client's secret, in the first line
  --issuer URL     the authorization server that the client is of: no other that
                   a server may name gets to see the client or its secret
  --client-metadata-url URL
                   an https address whose document says who the client is
  --callback-port PORT
                   where the browser comes back to on this machine, if the
                   authorization server allows one port only (default: any)
`

const stateHelp = `  --state-dir DIR  where accounts are kept (default: $XDG_STATE_HOME/parley or
                   ~/.local/state/parley)
`

const savingHelp = `
Saving (a call that is killed can be resumed):
  --state-dir DIR  where calls and accounts are kept (default:
                   $XDG_STATE_HOME/parley or ~/.local/state/parley). The files
                   of calls hold your answers and the server's requestState.
                   They are encrypted, with the key in snapshot.key beside them;
                   PARLEY_SNAPSHOT_KEY_FILE names another file, elsewhere. Only
                   you may read either (0600). A call is kept for 30 days after
                   it was last saved
  --store URL      keep calls there instead: file:DIR, or for several machines
                   redis://HOST:PORT (rediss:// with TLS) or
                   postgres://USER@HOST:PORT/DATABASE. PARLEY_STORE says the
                   same, and is the place for a URL with a password. Every
                   machine needs the same key file: parley token new-key FILE
                   makes one, for PARLEY_SNAPSHOT_KEY_FILE
  --no-save        keep nothing of the call; Ctrl-C then loses what you answered
`

const argumentsHelp = `
ARGUMENTS is one of
  '{"id": 1.0}'        a JSON object, which goes to the server as you write it
  -                    the same from standard input: up to 64 MiB, of which up
                       to 7 MiB can be saved and parked
  name=text name:=1.0  words, each a string or, after :=, JSON
`

const flagsHelp = `
Flags, anywhere after the command:
  --label NAME     what to call the server (default: its host and port, or the
                   name of its command)
  --json           print the result as the JSON that came
  --trace          show each leg, a request and its answer, on standard error:
                   sizes, time, kind of answer, how long parley waits
                   (not of tools)
  --engine wasm    run the engine as WebAssembly in a sandbox (default)
  --engine native  run it as Go code
  --server-log FILE
                   append what a command logs (its standard error) to a file,
                   as it is (default: show it, line by line)
  --known FILE     keep the protocol version that each server speaks in a file,
                   so that parley need not find out again (default: nowhere)
`

const outputHelp = `
The result goes to standard output. A terminal shows it: what cannot be seen is
spelled out, a tab is four spaces, and what is too long is cut, which is said. A
pipe or a file gets what the server sent:
  a single text    byte for byte, with nothing before or after it
  several texts    in their order, with one line break between two. Before each
                   message stands a line with its role and a colon, before each
                   resource one with its address
  what is no text  such as pictures, sounds, blobs and links: its JSON, as it
                   came, on lines of its own
  structuredContent
                   is written the same way, but not if one of the texts is the
                   same JSON value, in whatever order and spelling: 1.0 is 1
  --output FILE    write pictures, sounds and blobs to FILE, decoded, and the
                   texts beside them to standard output; without any of them,
                   write the texts to FILE; with --json, the JSON. FILE is
                   overwritten. Several go to numbered files, chart-1.png and
                   so on. With - one goes to standard output, as it is, and the
                   texts beside it are shown on standard error. What a tool
                   calls an error goes to standard output
`

const askingHelp = `
What the server may log and ask. Every command tells it the same beforehand:
  --log-level LEVEL
                   what the server is asked to log to you: debug, info, notice,
                   warning, error, ... (default: nothing, but servers of earlier
                   versions may log all the same)
  --browser 'CMD ARGS'
                   opens the pages that you agree to open; the address is added
                   as the last argument. No shell (default: what BROWSER names,
                   or the system's way)

Answering without a person:
  --script FILE    take the answers from a JSON file; see parley help script

A model of yours (without it the server cannot ask for one):
  --sample-cmd 'CMD ARGS'
                   the command gets the request's JSON params on standard input
                   and prints the answer. Quotes and backslashes work as in a
                   shell, but there is no shell
  --sample-model NAME
                   what to call the model (default: the command's base name)
  --sample-yes     do not ask before the prompt goes to the model, nor before
                   its answer goes to the server
  --sample-timeout TIME
                   how long the model may take (default 5m, 0 for no bound)

Folders (without any the server cannot ask for them):
  --root DIR       tell the server about a directory if it asks; may be repeated
`

const scriptHelp = `A --script file answers a call's questions when nobody is there. It is JSON:

{
  "answers": [
    {"key": "resolution", "action": "accept",
     "content": {"resolution": "Duplicate"}},
    {"key": "duplicate", "action": "decline"}
  ],
  "sample": [
    {"key": "summary", "text": "It is short.", "model": "a-model"}
  ],
  "roots": [
    {"uri": "file:///home/me/project", "name": "project"}
  ],
  "signIn": [
    {"action": "accept", "at": "login.example.com"}
  ]
}

answers  for forms and pages. The key is the server's name for the question:
         --trace shows it. Servers of versions before 2026-07-28 name none, or
         draw its name at random: the key is "" then. The action is accept,
         decline, cancel (which dismisses the question) or stop (which ends the
         call). To accept a form, give its content, which is sent as written
         here (null, numbers, lists and all); where there is nothing to fill in,
         it may be left out. To accept a page, give none: it is opened only if
         --browser is given. A question takes the first unused answer with its
         key, or else the first one with the key "".
sample   for a model, taken in the same way. The model's name may be left out.
         Questions without an entry go to --sample-cmd, if there is one.
roots    for every question about folders, after those of --root.
signIn   for a server that wants you to sign in, each time in its turn. The
         action is accept, decline or stop. "at" is the host, and port if it
         names one, where you sign in, and no other will do; it may be left
         out, except if the server has people sign in elsewhere than before: it
         says that you agree. The page is opened as --browser or BROWSER say, or
         its address is printed. Without an entry the call ends: sign in with
         parley login.

Each part may be left out. A question without an answer ends the call, and
parley says what is missing; answers that nothing asked for are reported at the
end. A question may come again if its answer cannot be used: give it a second
one.
`
