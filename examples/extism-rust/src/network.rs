//! The way to one server over HTTP, of whichever era: what the plug-in's callbacks post and receive do. Each exchange has a
//! thread; what comes of it waits for receive.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::{Request, Response, request};
use ureq::{Agent, Body};

use crate::now;

pub struct Network {
    url: String,
    agent: Agent,
    sink: Sender<Value>,
    events: Mutex<Receiver<Value>>, // what has come
}

impl Network {
    pub fn new(url: &str) -> Arc<Self> {
        // What goes out is for this server alone: redirects are not followed.
        let agent = Agent::config_builder().http_status_as_error(false).max_redirects(0).build().new_agent();
        let (sink, events) = channel();
        Arc::new(Network { url: url.to_owned(), agent, sink, events: Mutex::new(events) })
    }

    /// Hands out what the plug-in made: a POST, a stream to listen to, the end of a session, or of an exchange. The last
    /// this HTTP client cannot do; what comes of it is of no interest to the plug-in any more.
    pub fn post(self: &Arc<Self>, message: &Value) -> Value {
        if message["type"] != "abort" {
            let (network, message) = (self.clone(), message.clone());
            let listens = message["type"] == "listen";
            let (answered, open) = channel();
            std::thread::spawn(move || network.perform(&message, &answered));
            if listens {
                // What comes on a stream is lost before it is open.
                open.recv_timeout(Duration::from_millis(500)).ok();
            }
        }
        json!({"type": "tick"})
    }

    /// Waits for what comes next, until the time it is told.
    pub fn receive(&self, message: &Value) -> Value {
        let events = self.events.lock().unwrap();
        let event = match message["until"].as_u64() {
            Some(until) => events.recv_timeout(Duration::from_millis(until.saturating_sub(now()))),
            None => events.recv().map_err(|_| RecvTimeoutError::Timeout),
        };
        event.unwrap_or_else(|_| json!({"type": "tick"}))
    }

    /// Makes a request and reports each message of the response, and its end.
    fn perform(&self, message: &Value, answered: &Sender<()>) {
        let mut about = json!({"exchange": message["exchange"]});
        let response = self.request(message);
        answered.send(()).ok();
        let end = match response {
            Ok(response) => {
                about["status"] = json!(response.status().as_u16());
                if let Some(session) = header(&response, "mcp-session-id") {
                    about["sessionId"] = json!(session);
                }
                let streams =
                    header(&response, "content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
                if streams && message["type"] == "listen" {
                    self.say("opened", json!({"exchange": message["exchange"]}));
                }
                let mut body = response.into_body().into_reader();
                if streams { self.stream(body, &mut about) } else { self.whole(&mut body, &about) }
            }
            Err(error) => {
                use ureq::Error::{ConnectionFailed, HostNotFound, Io};
                let refused = matches!(&error, Io(io) if io.kind() == io::ErrorKind::ConnectionRefused);
                about["unsent"] = json!(refused || matches!(&error, HostNotFound | ConnectionFailed));
                Err(io::Error::other(error))
            }
        };
        match end {
            Ok(true) => return, // the message was the last
            Ok(false) => {}
            Err(error) => about["reason"] = json!(error.to_string()),
        }
        self.say("ended", about);
    }

    fn request(&self, message: &Value) -> Result<Response<Body>, ureq::Error> {
        let mut builder = request::Builder::new().uri(&self.url);
        for field in message["headers"].as_array().into_iter().flatten() {
            builder = builder.header(field[0].as_str().unwrap_or(""), field[1].as_str().unwrap_or(""));
        }
        let request: Request<()> = match message["type"].as_str() {
            Some("listen") => builder.method("GET").body(())?,
            Some("delete") => builder.method("DELETE").body(())?,
            _ => return self.agent.run(builder.method("POST").body(message["body"].as_str().unwrap_or(""))?),
        };
        self.agent.run(request)
    }

    /// One message, or none.
    fn whole(&self, body: &mut impl Read, about: &Value) -> io::Result<bool> {
        let mut text = String::new();
        body.read_to_string(&mut text)?;
        if text.is_empty() {
            return Ok(false);
        }
        let mut message = about.clone();
        (message["body"], message["last"]) = (json!(text), json!(true));
        self.say("message", message);
        Ok(true)
    }

    /// Server-sent events, each of which is a message. What the last said of itself stays: its id, and how long to wait
    /// before coming back.
    fn stream(&self, body: impl Read, about: &mut Value) -> io::Result<bool> {
        let mut data: Vec<String> = Vec::new();
        for line in BufReader::new(body).lines() {
            let line = line?;
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "data" => data.push(value.to_owned()),
                "id" => about["eventId"] = json!(value),
                "retry" => {
                    if let Ok(millis) = value.parse::<u32>() {
                        about["retry"] = json!(millis);
                    }
                }
                _ if line.is_empty() => {
                    let text = data.join("\n");
                    data.clear();
                    if !text.is_empty() {
                        let mut message = about.clone();
                        message["body"] = json!(text);
                        self.say("message", message);
                    }
                }
                _ => {}
            }
        }
        Ok(false)
    }

    fn say(&self, kind: &str, mut event: Value) {
        event["type"] = json!(kind);
        self.sink.send(event).ok();
    }
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
