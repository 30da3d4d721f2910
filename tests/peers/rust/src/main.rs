//! The client of the Rust SDK, for the table of tests/peers. It writes a line with
//! its name. For each line with a number of legs and one of calls that it reads it
//! writes the nanoseconds that these calls took, and 0 for those of the processor.

use std::{collections::HashMap, convert::Infallible, env, error::Error, io, time::Instant};

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt,
    model::*,
    service::{RequestContext, RoleClient, RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde_json::{Value, from_str, to_string};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let script: Value = from_str(&env::args().next_back().unwrap_or_default())?;
    println!("rmcp 3.9.0");
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let mut params = CallToolRequestParams::new(script["params"]["name"].as_str().unwrap_or_default().to_owned());
    params.arguments = script["params"]["arguments"].as_object().cloned();
    let mut clients = HashMap::new();
    for line in io::stdin().lines() {
        let line = line?;
        let (legs, calls) = line.split_once(' ').ok_or("no number of calls")?;
        if !clients.contains_key(legs) {
            let person = Person(script["answer"]["content"].clone());
            let client = person.serve_with_lifecycle(Peer::new(&script, legs), lifecycle.clone()).await?;
            clients.insert(legs.to_owned(), client);
        }
        let client = &clients[legs];
        let begun = Instant::now();
        for _ in 0..calls.parse()? {
            if client.call_tool(params.clone()).await?.content.len() != 1 {
                return Err("the result has no content".into());
            }
        }
        println!("{} 0", begun.elapsed().as_nanos());
    }
    Ok(())
}

/// Answers with ready JSON text what the client writes as JSON text.
struct Peer {
    discovered: String,
    results: Vec<String>,
    leg: usize,
    answers: (UnboundedSender<String>, UnboundedReceiver<String>),
}

impl Peer {
    fn new(script: &Value, legs: &str) -> Self {
        let results = script["results"][legs].as_array().into_iter().flatten();
        Peer {
            discovered: script["discovered"].to_string(),
            results: results.filter_map(|result| result.as_str().map(str::to_owned)).collect(),
            leg: 0,
            answers: unbounded_channel(),
        }
    }
}

impl Transport<RoleClient> for Peer {
    type Error = Infallible;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        let text = to_string(&item).unwrap_or_default();
        if let JsonRpcMessage::Request(request) = item {
            let result = if text.contains(r#""method":"tools/call""#) {
                let result = &self.results[self.leg];
                self.leg = (self.leg + 1) % self.results.len();
                result
            } else {
                &self.discovered
            };
            let _ = self.answers.0.send(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.id));
        }
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let text = self.answers.1.recv().await?;
        from_str(&text).ok()
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Answers every question at once.
struct Person(Value);

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(Default::default()));
        ClientConfig::new(capabilities, Implementation::new("bench", "1"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(self.0.clone()))
    }
}
