//! The feature that goes on as a task, of the tasks extension.

use std::{sync::Arc, time::Duration};

use rmcp::{
    ErrorData,
    model::*,
    task_manager::{TaskContext, TaskExit, TaskOptions},
};
use serde_json::json;
use tokio::time::sleep;

use crate::{
    features::{Features, Shared},
    round::{Reply, Round},
};

pub const BUILD: &str = "build";

/// The tool's definition. Servers of earlier eras on this SDK have no tasks.
pub fn definition() -> Tool {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    Tool::new(BUILD, "Builds something, which takes a while.", schema.as_object().cloned().unwrap_or_default())
}

/// What is settled before the task is made, in a round.
pub fn settle(round: &Round<'_>) -> Result<Reply, ErrorData> {
    Ok(match round.elicited("kind") {
        None => round.ask("kind", "kind", None),
        Some(Err(no)) => return Err(ErrorData::invalid_params(no, None)),
        Some(Ok(content)) => Reply::Text(content["kind"].as_str().unwrap_or_default().into()),
    })
}

impl Features {
    /// Makes the task. For a client that did not declare the extension the SDK
    /// makes an error of it.
    pub fn build(&self, id: String, kind: String) -> CallToolResponse {
        let shared = self.shared.clone();
        let options = TaskOptions::new().with_poll_interval_ms(100).with_status_message("Building");
        let task = self.shared.tasks.spawn(options, move |task| {
            Box::pin(async move {
                let record = |outcome| shared.outcomes.lock().unwrap().insert(id.clone(), outcome);
                record("running");
                let built = tokio::select! {
                    _ = task.cancelled() => Err(TaskExit::Cancelled),
                    built = work(&shared, &task, kind) => built,
                };
                record(if built.is_ok() { "finished" } else { "cancelled" });
                built
            })
        });
        CallToolResponse::Task(CreateTaskResult::new(task))
    }
}

/// Asks in the middle.
async fn work(shared: &Arc<Shared>, task: &TaskContext, kind: String) -> Result<CallToolResult, TaskExit> {
    while !shared.looked.lock().unwrap().contains(task.task_id()) {
        sleep(Duration::from_millis(20)).await; // the client is to see it work
    }
    let message = shared.common.forms["name"].message.clone();
    let answer = task.request_input("name", shared.form("name", message)).await?;
    let text = match (answer["action"].as_str(), answer["content"]["name"].as_str()) {
        (Some("accept"), Some(name)) => format!("built a {kind} for {name}"),
        _ => format!("built a {kind} for nobody"),
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}
