//! The features that ask nothing, and how the SDK reaches all of them.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{
    ErrorData, ServerHandler,
    model::*,
    service::{RequestContext, RoleServer, SubscriptionContext, SubscriptionSink},
    task_manager::TaskManager,
};
use serde::Deserialize;
use tokio::time::sleep;

use crate::{
    pages::Pages,
    round::{Outcome, Reply, Round, failed},
    task, watch,
};

/// What all servers have in common.
#[derive(Deserialize)]
pub struct Common {
    pub tools: Vec<ToolText>,
    pub forms: HashMap<String, Form>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolText {
    pub name: String,
    pub description: String,
    pub input_schema: JsonObject,
    #[serde(default)]
    pub legacy: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Form {
    pub message: String,
    pub requested_schema: ElicitationSchema,
}

/// What features remember from one call to another.
pub struct Shared {
    pub common: Common,
    pub codec: RequestStateCodec,
    pub pages: Pages,
    pub charges: Mutex<HashMap<String, u32>>,
    pub outcomes: Mutex<HashMap<String, &'static str>>,
    /// The page that a session must visit, by the session's id.
    pub required: Mutex<HashMap<String, String>>,
    pub tasks: TaskManager,
    /// The tasks that somebody has looked at.
    pub looked: Mutex<HashSet<String>>,
    /// Those who watch, of the modern era.
    pub watching: Mutex<Vec<SubscriptionSink>>,
}

impl Shared {
    pub fn form(&self, name: &str, message: String) -> InputRequest {
        let requested_schema = self.common.forms[name].requested_schema.clone();
        InputRequest::Elicitation(ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
            meta: None,
            message,
            requested_schema,
        }))
    }
}

#[derive(Clone)]
pub struct Features {
    pub legacy: bool,
    pub shared: Arc<Shared>,
}

impl Features {
    pub async fn open(legacy: bool) -> Result<Self, Box<dyn std::error::Error>> {
        let shared = Shared {
            common: serde_json::from_str(include_str!("../../../features/features.json"))?,
            codec: RequestStateCodec::try_new(b"a key that is no secret: states of this server prove nothing")?,
            pages: Pages::open().await?,
            charges: Default::default(),
            outcomes: Default::default(),
            required: Default::default(),
            tasks: TaskManager::new(),
            looked: Default::default(),
            watching: Default::default(),
        };
        Ok(Self { legacy, shared: Arc::new(shared) })
    }

    /// Plays one round.
    pub async fn tell(&self, round: &Round<'_>) -> Result<Reply, ErrorData> {
        let text = match round.name {
            "echo" => round.text("text"),
            "progress" => progress(round).await?,
            "slow" => slow(round).await?,
            "outcome" => {
                self.shared.outcomes.lock().unwrap().get(&round.text("id")).copied().unwrap_or("unknown").into()
            }
            "charged" => self.shared.charges.lock().unwrap().get(&round.text("id")).copied().unwrap_or(0).to_string(),
            watch::TOUCH => self.touch(round).await?,
            task::BUILD if !self.legacy => return task::settle(round),
            _ => return self.ask(round).await,
        };
        Ok(Reply::Text(text))
    }
}

async fn progress(round: &Round<'_>) -> Result<String, ErrorData> {
    let peer = &round.context.peer;
    let modern = round.context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28);
    if !modern || round.context.meta.log_level().is_some() {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, "working".into()).with_logger("interop");
        peer.notify_logging_message(message).await.map_err(failed)?;
    }
    let steps = round.number("steps") as u32;
    for step in 1..=steps {
        if let Some(token) = round.context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, step.into())
                .with_total(steps.into())
                .with_message(format!("step {step}"));
            peer.notify_progress(progress).await.map_err(failed)?;
        }
        sleep(Duration::from_millis(20)).await; // clients forget who wants progress when the result is there
    }
    Ok(format!("done after {steps} steps"))
}

async fn slow(round: &Round<'_>) -> Result<String, ErrorData> {
    let record = |outcome| round.shared.outcomes.lock().unwrap().insert(round.text("id"), outcome);
    record("running");
    if let Some(token) = round.context.meta.get_progress_token() {
        let runs = ProgressNotificationParam::new(token, 1.0); // tells that it runs
        // If the client leaves when it receives this, rmcp's loop may end before it confirms the sending.
        if round.context.peer.notify_progress(runs).await.is_err() {
            record("cancelled");
            return Err(failed("cancelled"));
        }
    }
    tokio::select! {
        _ = round.context.ct.cancelled() => {
            record("cancelled");
            Err(failed("cancelled"))
        }
        _ = sleep(Duration::from_secs_f64(round.number("seconds"))) => {
            record("finished");
            Ok("finished".into())
        }
    }
}

impl ServerHandler for Features {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_logging()
            .enable_completions()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe();
        let capabilities = if self.legacy { capabilities.build() } else { capabilities.enable_tasks().build() };
        ServerConfig::new(capabilities).with_server_info(Implementation::new("interop-rust", "1"))
    }

    fn supported_protocol_versions(&self) -> std::borrow::Cow<'static, [ProtocolVersion]> {
        if self.legacy {
            vec![ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2025_06_18].into()
        } else {
            vec![ProtocolVersion::V_2026_07_28].into()
        }
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.shared.common.tools.iter().filter(|tool| self.has(tool));
        let task = (!self.legacy).then(task::definition);
        Ok(ListToolsResult::with_all_items(tools.map(definition).chain(task).chain([watch::definition()]).collect()))
    }

    /// The SDK holds header fields against the schema it gets here.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.common.tools.iter().find(|tool| tool.name == name).map(definition)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
        let id = arguments.as_ref().and_then(|arguments| arguments.get("id")?.as_str()).unwrap_or_default().to_owned();
        Ok(match self.play(&name, arguments, input_responses, request_state, &context).await? {
            Outcome::Text(kind) if name == task::BUILD => self.build(id, kind),
            Outcome::Text(text) => CallToolResult::success(vec![ContentBlock::text(text)]).into(),
            Outcome::InputRequired(result) => result.into(),
        })
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let task = self.shared.tasks.get_task(&request.task_id)?;
        self.shared.looked.lock().unwrap().insert(request.task_id);
        Ok(GetTaskResult::new(task))
    }

    async fn update_task(&self, request: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.shared.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.shared.tasks.cancel_task(&request.task_id)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.shared.watching.lock().unwrap().push(context.sink().clone());
        context.cancelled().await;
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(watch::complete(&request.argument.value))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let topic = PromptArgument::new("topic").with_required(true);
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("advise", None::<String>, Some(vec![topic]))]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let GetPromptRequestParams { name, arguments, input_responses, request_state, .. } = request;
        Ok(match self.play(&name, arguments, input_responses, request_state, &context).await? {
            Outcome::Text(text) => GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into(),
            Outcome::InputRequired(result) => result.into(),
        })
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("interop://report", "report")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let ReadResourceRequestParams { uri, input_responses, request_state, .. } = request;
        Ok(match self.play(&uri, None, input_responses, request_state, &context).await? {
            Outcome::Text(text) => ReadResourceResult::new(vec![ResourceContents::text(text, uri)]).into(),
            Outcome::InputRequired(result) => result.into(),
        })
    }
}

impl Features {
    /// The SDK gives handlers no way to end a response's stream.
    fn has(&self, tool: &ToolText) -> bool {
        tool.name != "cut_stream" && (self.legacy || !tool.legacy)
    }
}

fn definition(tool: &ToolText) -> Tool {
    Tool::new(tool.name.clone(), tool.description.clone(), tool.input_schema.clone())
}

impl Shared {
    pub fn charge(&self, id: String) {
        *self.charges.lock().unwrap().entry(id).or_default() += 1;
    }
}
