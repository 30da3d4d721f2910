//! The plug-in in Rust, for tests that are written in another language: they ask for calls, one at a time, and answer the
//! callbacks, a line of JSON each way.
//!
//!   <- {"export":"call","input":BASE64}
//!   -> {"callback":"post","text":BASE64}
//!   <- {"answer":BASE64}
//!   -> {"output":BASE64} or {"error":TEXT}
//!
//! Usage: plugin MODULE CONFIG    with the plug-in's config as JSON

use std::io::{self, Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use extism::{Error, Function, Manifest, PTR, Plugin, UserData, Wasm};
use serde_json::{Value, json};

fn heard() -> Value {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap_or(0) == 0 {
        std::process::exit(0);
    }
    serde_json::from_str(&line).expect("a line of JSON")
}

fn say(message: &Value) {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}").and_then(|()| out.flush()).expect("somebody who listens");
}

fn decoded(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().unwrap_or("")).expect("base64")
}

fn callback(name: &'static str) -> Function {
    Function::new(name, [PTR], [PTR], UserData::new(()), move |plugin, inputs, outputs, _| {
        let text: Vec<u8> = plugin.memory_get_val(&inputs[0])?;
        say(&json!({"callback": name, "text": BASE64_STANDARD.encode(text)}));
        plugin.memory_set_val(&mut outputs[0], decoded(&heard()["answer"]))
    })
}

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().collect();
    let config: Vec<(String, String)> = serde_json::from_str::<serde_json::Map<String, Value>>(&args[2])?
        .into_iter()
        .map(|(name, value)| (name, value.as_str().unwrap_or("").to_owned()))
        .collect();
    let manifest = Manifest::new([Wasm::data(std::fs::read(&args[1])?)]).with_config(config.into_iter());
    let callbacks = ["post", "receive", "elicit", "sample", "list_roots"].map(callback);
    let mut plugin = Plugin::new(manifest, callbacks, false)?;
    loop {
        let request = heard();
        let export = request["export"].as_str().unwrap_or("");
        match plugin.call::<_, Vec<u8>>(export, decoded(&request["input"])) {
            Ok(output) => say(&json!({"output": BASE64_STANDARD.encode(output)})),
            Err(error) => say(&json!({"error": error.to_string()})),
        }
    }
}
