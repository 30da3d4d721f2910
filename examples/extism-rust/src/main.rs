//! Calls a tool of an MCP server through the Extism plug-in and asks here what the server wants to know. See README.md.

mod form;
mod network;

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use extism::{Error, Function, Manifest, PTR, Plugin, UserData, Wasm};
use serde_json::{Value, json};

use network::Network;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Text of the server, with what a terminal would obey made visible.
fn shown(text: &str) -> String {
    let obeyed = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|c| if obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// A form, a line for each field. The input's end parks the call.
fn elicit(url: &str, ask: &Value) -> Value {
    if ask["mode"] != "form" {
        return json!({"type": "refuse", "reason": "this program shows forms only"});
    }
    let text = ask["params"].as_str().unwrap_or("{}");
    let params: Value = serde_json::from_str(text).unwrap_or_default();
    let form = read("form", text);
    say(url, &format!("asks: {}", shown(params["message"].as_str().unwrap_or(""))), ask);
    let tell = |text: &str| println!("  {}", shown(text));
    form::notes(&form["unchecked"], false).iter().for_each(|note| tell(note));
    let entered = |prompt: &str| line(&shown(prompt));
    let filled = form::fill(&form, |typed| read("form_check", &typed.to_string()), entered, tell);
    let agreed = filled.and_then(|content| {
        // Without fields, only consent is asked for.
        if form["fields"].as_array().is_some_and(Vec::is_empty) {
            line("Enter agrees").map(|_| content)
        } else {
            Ok(content)
        }
    });
    match agreed {
        Ok(content) => json!({"type": "answer", "raw": format!(r#"{{"action":"accept","content":{content}}}"#)}),
        Err(end) => end,
    }
}

/// Calls an export of another instance, because the one that asks is busy until it has the answer.
fn read(export: &str, text: &str) -> Value {
    static ANOTHER: Mutex<Option<Plugin>> = Mutex::new(None);
    let mut another = ANOTHER.lock().expect("no call of it panics");
    let plugin = another.get_or_insert_with(|| {
        let unused = ["post", "receive", "elicit", "sample", "list_roots"].map(|name| callback(name, Value::clone));
        load(unused).expect("it loaded once")
    });
    let answer: String = plugin.call(export, text).expect("it answers every text");
    serde_json::from_str(&answer).expect("it answers JSON")
}

fn load(callbacks: [Function; 5]) -> Result<Plugin, Error> {
    let wasm = Wasm::data(include_bytes!("../../../wasm/parley-extism.wasm").to_vec());
    Plugin::new(Manifest::new([wasm]), callbacks, false)
}

/// The input's end has parked a call; where that was impossible, the next end gives it up.
static PARKED: AtomicBool = AtomicBool::new(false);

/// Asks for one line; an error is how the question ends.
fn line(prompt: &str) -> Result<String, Value> {
    print!("  {prompt}: ");
    io::stdout().flush().ok();
    let mut typed = String::new();
    if !matches!(io::stdin().lock().read_line(&mut typed), Ok(1..)) {
        typed = if PARKED.swap(true, Ordering::Relaxed) { "/stop" } else { "/park" }.to_owned();
    }
    match typed.trim() {
        "/park" => Err(json!({"type": "park"})),
        "/stop" => Err(json!({"type": "cancel"})),
        "/decline" => Err(json!({"type": "answer", "raw": r#"{"action":"decline"}"#})),
        text => Ok(text.to_owned()),
    }
}

/// Whoever sits here says what a model would.
fn sample(url: &str, ask: &Value) -> Value {
    let params: Value = serde_json::from_str(ask["params"].as_str().unwrap_or("")).unwrap_or_default();
    say(url, "asks what a model would say to:", ask);
    for message in params["messages"].as_array().into_iter().flatten() {
        let content = &message["content"];
        let blocks = content.as_array().cloned().unwrap_or_else(|| vec![content.clone()]);
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        println!("  {}: {}", shown(message["role"].as_str().unwrap_or("")), shown(&texts.join(" ")));
    }
    match line("Answer") {
        Err(end) => refused(end),
        Ok(text) => {
            let reply = json!({"role": "assistant", "model": "a person", "content": {"type": "text", "text": text}});
            json!({"type": "answer", "raw": reply.to_string()})
        }
    }
}

/// The folder this program runs in, if that is wanted.
fn list_roots(url: &str, ask: &Value) -> Value {
    let folder = std::env::current_dir().unwrap_or_default();
    say(url, "asks which folders it may know of.", ask);
    match line(&format!("Enter tells it of {}", folder.display())) {
        Err(end) => refused(end),
        Ok(_) => json!({"type": "answer", "raw": json!({"roots": [{"uri": file_url(&folder)}]}).to_string()}),
    }
}

fn file_url(folder: &Path) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"/-._~".contains(b);
    let bytes = folder.as_os_str().as_bytes().iter();
    bytes.fold("file://".to_owned(), |url, b| {
        if plain(b) { url + &char::from(*b).to_string() } else { format!("{url}%{b:02X}") }
    })
}

/// How a question that is no form ends: it has no answer that says no.
fn refused(end: Value) -> Value {
    if end["type"] == "answer" { json!({"type": "refuse", "reason": "declined"}) } else { end }
}

fn say(url: &str, what: &str, ask: &Value) {
    println!("\n{url} {what}");
    if let Some(problem) = ask["problem"].as_str() {
        println!("That could not be sent: {}", shown(problem));
    }
}

/// A callback of the plug-in: JSON in, JSON out, and the time with every answer.
fn callback(name: &str, answer: impl Fn(&Value) -> Value + Send + Sync + 'static) -> Function {
    Function::new(name, [PTR], [PTR], UserData::new(()), move |plugin, inputs, outputs, _| {
        let request: String = plugin.memory_get_val(&inputs[0])?;
        let mut event = answer(&serde_json::from_str(&request)?);
        event["now"] = json!(now());
        plugin.memory_set_val(&mut outputs[0], event.to_string())
    })
}

/// Calls an export.
fn ask(plugin: &mut Plugin, export: &str, request: &Value) -> Result<Value, Error> {
    let outcome: Value = serde_json::from_str(plugin.call::<_, &str>(export, request.to_string())?)?;
    match outcome["error"]["detail"].as_str() {
        Some(detail) if outcome["type"].is_null() => Err(Error::msg(detail.to_owned())),
        _ => Ok(outcome),
    }
}

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().collect();
    let [_, url, tool, rest @ ..] = &args[..] else {
        return Err(Error::msg("usage: extism-rust URL TOOL [ARGUMENTS], or extism-rust URL --resume FILE"));
    };
    let extra = rest.first().map_or("{}", |text| text);
    let (network, server) = (Network::new(url), url.clone());
    let (posts, receives) = (network.clone(), network);
    let asks = |answer: fn(&str, &Value) -> Value| {
        let server = server.clone();
        move |ask: &Value| answer(&server, ask)
    };
    let callbacks = [
        callback("post", move |message| posts.post(message)),
        callback("receive", move |message| receives.receive(message)),
        callback("elicit", asks(elicit)),
        callback("sample", asks(sample)),
        callback("list_roots", asks(list_roots)),
    ];
    let mut plugin = load(callbacks)?;
    // What this program can answer; nothing else will be asked. The session could make any number of calls.
    let opened = json!({
        "clientInfo": r#"{"name":"parley-extism-rust","version":"1.0.0"}"#,
        "can": {"form": true, "sampling": true, "roots": true},
    });
    ask(&mut plugin, "session", &opened)?;
    let outcome = if tool == "--resume" {
        let request = json!({"now": now(), "snapshot": std::fs::read_to_string(extra)?, "peer": url});
        ask(&mut plugin, "resume", &request)?
    } else {
        let params = format!(r#"{{"name":{},"arguments":{extra}}}"#, json!(tool));
        let request = json!({"now": now(), "method": "tools/call", "params": params, "options": {"peer": url}});
        ask(&mut plugin, "call", &request)?
    };
    ask(&mut plugin, "close", &json!({"now": now()}))?;
    let result: Value = serde_json::from_str(outcome["result"].as_str().unwrap_or("{}"))?;
    for block in result["content"].as_array().into_iter().flatten() {
        println!("\n{}", shown(block["text"].as_str().unwrap_or("")));
    }
    if let Some(snapshot) = outcome["snapshot"].as_str() {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open("parked.json")?;
        file.write_all(snapshot.as_bytes())?; // it holds a secret
        println!("\nKept in parked.json. To go on: extism-rust {url} --resume parked.json");
    }
    if outcome["type"] != "done" {
        eprintln!("{}", shown(outcome["detail"].as_str().unwrap_or("parked")));
        std::process::exit(1);
    }
    Ok(())
}
