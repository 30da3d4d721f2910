//! The official client of the Rust SDK, with its automatic loop. Plays the
//! calls on standard input.

// Sampling, roots and logging are deprecated, and servers still ask for them.
#![allow(deprecated)]

mod person;

use std::{env, error::Error, io, process::Stdio, sync::Arc, time::Duration};

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt,
    model::*,
    service::{RoleClient, RunningService, ServiceError},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::Value;
use tokio::{
    process::Command,
    time::{Instant, sleep, timeout},
};

use person::{Case, Outcome, Person};

/// How long anything may take. Nobody waits for it on a good day.
const PATIENCE: Duration = Duration::from_secs(180);

type Client = RunningService<RoleClient, Arc<Person>>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = env::args().skip(1).collect();
    let command = words.iter().position(|word| word == "--").map(|at| words.split_off(at).split_off(1));
    let legacy = words.iter().any(|word| word == "--legacy");
    let url = words.into_iter().find(|word| word != "--legacy");
    let cases: Vec<Case> = serde_json::from_reader(io::stdin())?;

    let lifecycle = match legacy {
        true => ClientLifecycleMode::Initialize,
        false => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
    };
    let person = Arc::new(Person::default());
    let client = match command {
        Some(words) => {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).stderr(Stdio::inherit());
            person.clone().serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle).await?
        }
        None => {
            let transport = StreamableHttpClientTransport::from_uri(url.ok_or("give a URL, or -- and a command")?);
            person.clone().serve_with_lifecycle(transport, lifecycle).await?
        }
    };
    if legacy {
        client.set_level(SetLevelRequestParams::new(LoggingLevel::Info)).await?;
    }
    client.list_all_tools().await?; // names the parameters that are header fields
    let mut outcomes = Vec::new();
    for case in cases {
        outcomes.push(play(&client, &person, case).await);
    }
    client.cancel().await?;
    println!("{}", serde_json::to_string(&outcomes)?);
    Ok(())
}

async fn play(client: &Client, person: &Person, case: Case) -> Outcome {
    person.begin(&case);
    let mut got = Outcome::default();
    tokio::select! {
        result = timeout(PATIENCE, call_opening(client, person, &case)) => match result {
            Ok(Ok(text)) => got.text = text,
            Ok(Err(error)) => got.error = error.to_string(),
            Err(late) => got.error = late.to_string(),
        },
        // Dropping the call cancels it.
        _ = person.progressed(), if case.cancel => got.cancelled = true,
    }
    if let Some(then) = &case.then {
        let late = Instant::now() + PATIENCE;
        while got.then != then.text && Instant::now() < late {
            got.then = match call(client, then).await {
                Ok(text) => text,
                Err(error) => error.to_string(),
            };
            sleep(Duration::from_millis(20)).await;
        }
    }
    let late = Instant::now() + PATIENCE;
    while !person.told_all(&case) && Instant::now() < late {
        sleep(Duration::from_millis(20)).await; // notifications are delivered apart from results
    }
    person.end(&mut got);
    got
}

/// Opens the pages that an error requires, which the SDK leaves to its user.
async fn call_opening(client: &Client, person: &Person, case: &Case) -> Result<String, ServiceError> {
    match call(client, case).await {
        Err(ServiceError::McpError(error)) if error.code == ErrorCode(-32042) => {
            let data = error.data.unwrap_or_default();
            for elicitation in data["elicitations"].as_array().into_iter().flatten() {
                let text = |name: &str| elicitation[name].as_str().unwrap_or_default();
                person.answer(text("message"), text("url")).await.map_err(ServiceError::McpError)?;
                while !person.completed(text("elicitationId")) {
                    sleep(Duration::from_millis(20)).await;
                }
            }
            call(client, case).await
        }
        result => result,
    }
}

async fn call(client: &Client, case: &Case) -> Result<String, ServiceError> {
    let mut meta = RequestMetaObject::default();
    meta.set_log_level(LoggingLevel::Info);
    let arguments = case.arguments.clone();
    if let Some(tool) = &case.tool {
        let mut params = CallToolRequestParams::new(tool.clone());
        params.arguments = arguments;
        params.meta = Some(meta);
        let result = client.call_tool(params).await?;
        return Ok(text(result.content.first()));
    }
    if let Some(prompt) = &case.prompt {
        let mut params = GetPromptRequestParams::new(prompt.clone());
        params.arguments = arguments;
        let result = client.get_prompt(params).await?;
        return Ok(text(result.messages.first().map(|message| &message.content)));
    }
    let uri = case.resource.clone().unwrap_or_default();
    let result = client.read_resource(ReadResourceRequestParams::new(uri)).await?;
    Ok(match result.contents.first() {
        Some(ResourceContents::TextResourceContents { text, .. }) => text.clone(),
        _ => "no text".into(),
    })
}

fn text(content: Option<&ContentBlock>) -> String {
    content.and_then(|content| content.as_text()).map_or("no text".into(), |content| content.text.clone())
}

/// The client's side of the protocol.
impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::builder().enable_sampling().enable_roots().build();
        capabilities.elicitation =
            Some(ElicitationCapability::new().with_form(Default::default()).with_url(Default::default()));
        ClientConfig::new(capabilities, Implementation::new("interop-rust", "1"))
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _: rmcp::service::RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let answer = match &params {
            ElicitRequestParams::FormElicitationParams { message, .. } => self.answer(message, "").await?,
            ElicitRequestParams::UrlElicitationParams { message, url, .. } => self.answer(message, url).await?,
            _ => return Err(ErrorData::invalid_params("neither a form nor a url", None)),
        };
        let action = match answer.action.as_str() {
            "accept" => ElicitationAction::Accept,
            "decline" => ElicitationAction::Decline,
            _ => ElicitationAction::Cancel,
        };
        let result = ElicitResult::new(action);
        Ok(match answer.content {
            Some(content) => result.with_content(content),
            None => result,
        })
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: rmcp::service::RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let request = serde_json::to_value(&params.messages).unwrap_or_default();
        let content = request.pointer("/0/content").cloned().unwrap_or_default();
        let said = content.get("text").or(content.pointer("/0/text")).and_then(Value::as_str).unwrap_or_default();
        self.remember(format!("sampling: {said}"));
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text("A line."), "none".into()))
    }

    async fn list_roots(&self, _: rmcp::service::RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        self.remember("roots".into());
        Ok(ListRootsResult::new(vec![Root::new("file:///interop")]))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: rmcp::service::NotificationContext<RoleClient>) {
        self.progress(params.progress);
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: rmcp::service::NotificationContext<RoleClient>,
    ) {
        self.log(params.data.as_str().unwrap_or_default());
    }

    async fn on_custom_notification(
        &self,
        notification: CustomNotification,
        _: rmcp::service::NotificationContext<RoleClient>,
    ) {
        if notification.method == "notifications/elicitation/complete" {
            let params = notification.params.unwrap_or_default();
            self.complete(params["elicitationId"].as_str().unwrap_or_default());
        }
    }
}
