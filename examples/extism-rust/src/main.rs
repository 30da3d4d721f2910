//! Calls a tool of an MCP server through the Extism plug-in and asks here what the server wants to know. See README.md.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use extism::{Error, Function, Manifest, PTR, Plugin, UserData, Wasm};
use serde_json::{Value, json};

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

/// One leg: what goes on the wire, as the plug-in made it.
fn send(url: &str, leg: &Value) -> Value {
    std::thread::sleep(Duration::from_millis(leg["at"].as_u64().unwrap_or(0).saturating_sub(now())));
    let patience = leg["until"].as_u64().map(|until| Duration::from_millis(until.saturating_sub(now()).max(1)));
    let mut post =
        ureq::post(url).config().timeout_global(patience).http_status_as_error(false).max_redirects(0).build();
    for field in leg["headers"].as_array().into_iter().flatten() {
        post = post.header(field[0].as_str().unwrap_or(""), field[1].as_str().unwrap_or(""));
    }
    post = post.header("Content-Type", "application/json").header("Accept", "application/json, text/event-stream");
    let mut text = String::new();
    let read = post
        .send(leg["body"].as_str().unwrap_or(""))
        .and_then(|response| Ok(response.into_body().into_reader().read_to_string(&mut text)?));
    if let Err(error) = read {
        let unsent = matches!(&error, ureq::Error::Io(io) if io.kind() == io::ErrorKind::ConnectionRefused);
        return json!({"type": "lost", "reason": error.to_string(), "unsent": unsent});
    }
    // The text is one message, or an event stream with one in each event's data.
    let events = text.split('\n').map(|line| line.trim().trim_start_matches("data:"));
    let ours = |message: &&str| serde_json::from_str::<Value>(message).is_ok_and(|m| m["id"] == leg["id"]);
    match std::iter::once(text.as_str()).chain(events).find(ours) {
        Some(message) => json!({"type": "response", "body": message}),
        None => json!({"type": "lost", "reason": "the server's answer is no response to the request"}),
    }
}

/// What was typed as a value; the engine checks it.
fn value_of(schema: &Value, text: &str) -> Value {
    match schema["type"].as_str() {
        Some("boolean") => json!(["y", "yes", "true"].contains(&text)),
        Some("array") => text.split(',').map(|part| json!(part.trim())).collect(),
        Some("string") => json!(text),
        _ => serde_json::from_str(text).unwrap_or(json!(text)),
    }
}

fn choices_of(schema: &Value) -> String {
    let lists = [&schema["enum"], &schema["oneOf"], &schema["items"]["enum"], &schema["items"]["anyOf"]];
    let all = lists
        .iter()
        .filter_map(|list| list.as_array())
        .flatten()
        .filter_map(|one| one.as_str().or(one["const"].as_str()));
    all.map(shown).collect::<Vec<_>>().join(", ")
}

/// A form, a line for each field. The input's end parks the call.
fn elicit(url: &str, ask: &Value) -> Value {
    if ask["mode"] != "form" {
        return json!({"type": "refuse", "reason": "this program shows forms only"});
    }
    let params: Value = serde_json::from_str(ask["params"].as_str().unwrap_or("")).unwrap_or_default();
    println!("\n{url} asks: {}", shown(params["message"].as_str().unwrap_or("")));
    if let Some(problem) = ask["problem"].as_str() {
        println!("That could not be sent: {}", shown(problem));
    }
    let mut content = json!({});
    let fields = params["requestedSchema"]["properties"].as_object().cloned().unwrap_or_default();
    for (name, schema) in &fields {
        match line(&format!("{} ({})", shown(name), choices_of(schema))) {
            Err(end) => return end,
            Ok(text) if text.is_empty() => {}
            Ok(text) => content[name] = value_of(schema, &text),
        }
    }
    // Without fields, only consent is asked for.
    if fields.is_empty()
        && let Err(end) = line("Enter agrees")
    {
        return end;
    }
    json!({"type": "answer", "raw": json!({"action": "accept", "content": content}).to_string(), "fill": true})
}

/// Asks for one line; an error is how the question ends.
fn line(prompt: &str) -> Result<String, Value> {
    print!("  {prompt}: ");
    io::stdout().flush().ok();
    let mut typed = String::new();
    let ended = !matches!(io::stdin().lock().read_line(&mut typed), Ok(1..));
    match typed.trim() {
        "/park" => Err(json!({"type": "park"})),
        _ if ended => Err(json!({"type": "park"})),
        "/decline" => Err(json!({"type": "answer", "raw": r#"{"action":"decline"}"#})),
        text => Ok(text.to_owned()),
    }
}

/// A callback of the plug-in: JSON in, JSON out, and the time with every answer.
fn callback(name: &str, url: &str, answer: fn(&str, &Value) -> Value) -> Function {
    let url = url.to_owned();
    Function::new(name, [PTR], [PTR], UserData::new(()), move |plugin, inputs, outputs, _| {
        let request: String = plugin.memory_get_val(&inputs[0])?;
        let mut event = answer(&url, &serde_json::from_str(&request)?);
        event["now"] = json!(now());
        plugin.memory_set_val(&mut outputs[0], event.to_string())
    })
}

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().collect();
    let [_, url, tool, rest @ ..] = &args[..] else {
        return Err(Error::msg("usage: extism-rust URL TOOL [ARGUMENTS], or extism-rust URL --resume FILE"));
    };
    let extra = rest.first().map_or("{}", |text| text);
    // What is not declared below is never asked.
    let refuse = |_: &str, _: &Value| json!({"type": "refuse", "reason": "this program cannot"});
    let callbacks = [
        callback("send", url, send),
        callback("elicit", url, elicit),
        callback("sample", url, refuse),
        callback("list_roots", url, refuse),
    ];
    let wasm = Wasm::data(include_bytes!("../../../wasm/parley-extism.wasm").to_vec());
    let mut plugin = Plugin::new(Manifest::new([wasm]), callbacks, false)?;
    let mut request = json!({"now": now(), "clientInfo": r#"{"name":"parley-extism-rust","version":"1.0.0"}"#});
    let export = if tool == "--resume" { "resume" } else { "call" };
    if export == "resume" {
        request["snapshot"] = json!(std::fs::read_to_string(extra)?);
        request["peer"] = json!(url);
    } else {
        request["method"] = json!("tools/call");
        request["params"] = json!(format!(r#"{{"name":{},"arguments":{extra}}}"#, json!(tool)));
        request["options"] = json!({"capabilities": r#"{"elicitation":{"form":{}}}"#, "peer": url});
    }
    let outcome: Value = serde_json::from_str(plugin.call::<_, &str>(export, request.to_string())?)?;
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
        eprintln!("{}", shown(outcome["detail"].as_str().or(outcome["error"]["detail"].as_str()).unwrap_or("parked")));
        std::process::exit(1);
    }
    Ok(())
}
