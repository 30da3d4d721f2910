//! What clients can watch, and how the argument of the prompt could go on.

use rmcp::{ErrorData, model::*, service::SubscriptionSink};
use serde_json::json;

use crate::{
    features::Features,
    round::{Round, failed},
};

pub const TOUCH: &str = "touch";

const REPORT: &str = "interop://report";
const TOPICS: [&str; 3] = ["tea", "terns", "coffee"];

/// The tool's definition.
pub fn definition() -> Tool {
    let schema = json!({"type": "object"});
    Tool::new(
        TOUCH,
        "Says that the tools and the report have changed.",
        schema.as_object().cloned().unwrap_or_default(),
    )
}

impl Features {
    /// Tells everybody who watches.
    pub async fn touch(&self, round: &Round<'_>) -> Result<String, ErrorData> {
        if self.legacy {
            let peer = &round.context.peer;
            peer.notify_tool_list_changed().await.map_err(failed)?;
            peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(REPORT)).await.map_err(failed)?;
        }
        let sinks: Vec<SubscriptionSink> = self.shared.watching.lock().unwrap().clone();
        for sink in sinks {
            // Those that are over, or watch something else, are no failure.
            let _ = sink.notify_tool_list_changed().await;
            let _ = sink.notify_resource_updated(REPORT).await;
        }
        Ok("touched".into())
    }
}

/// What begins with what was typed.
pub fn complete(typed: &str) -> CompleteResult {
    let values = TOPICS.iter().filter(|topic| topic.starts_with(typed)).map(|topic| topic.to_string()).collect();
    CompleteResult::new(CompletionInfo::with_all_values(values).unwrap_or_default())
}
