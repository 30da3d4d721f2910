//! A round of a feature, and what comes of it: to a client of an earlier era
//! its questions are put by requests of the server's own.

use std::collections::BTreeMap;

use rmcp::{
    ErrorData,
    model::{
        CreateMessageRequestParams, CustomNotification, ElicitRequest, ElicitRequestParams, InputRequest,
        InputRequests, InputRequiredResult, InputResponses, JsonObject, ServerNotification,
    },
    service::{Peer, RequestContext, RoleServer},
};
use serde_json::{Value, json};

use crate::features::{Features, Shared};

/// What a feature decides from.
pub struct Round<'a> {
    pub name: &'a str,
    pub arguments: JsonObject,
    pub answers: InputResponses,
    /// What the round before remembered.
    pub remembered: Option<String>,
    pub context: &'a RequestContext<RoleServer>,
    pub shared: &'a Shared,
}

/// A feature ends with a text, or with questions, of which there may be none,
/// and what to remember until they are answered.
pub enum Reply {
    Text(String),
    Ask(InputRequests, Option<String>),
}

/// How a person answered: with content, or by a no in these words.
pub type Answer = Result<JsonObject, &'static str>;

impl Round<'_> {
    /// The answer to a form or url, if there is one.
    pub fn elicited(&self, key: &str) -> Option<Answer> {
        let answer = self.answers.get(key)?;
        Some(match answer["action"].as_str()? {
            "accept" => Ok(answer["content"].as_object().cloned().unwrap_or_default()),
            "decline" => Err("declined"),
            _ => Err("cancelled"),
        })
    }

    /// One of the forms that all servers ask, under a key.
    pub fn ask(&self, key: &str, form: &str, remember: Option<String>) -> Reply {
        let message = self.shared.common.forms[form].message.clone();
        Reply::Ask(BTreeMap::from([(key.into(), self.shared.form(form, message))]), remember)
    }

    pub fn text(&self, argument: &str) -> String {
        self.arguments.get(argument).and_then(Value::as_str).unwrap_or_default().into()
    }

    pub fn number(&self, argument: &str) -> f64 {
        self.arguments.get(argument).and_then(Value::as_f64).unwrap_or_default()
    }
}

/// What a request comes to.
pub enum Outcome {
    Text(String),
    InputRequired(InputRequiredResult),
}

impl Features {
    /// Plays a modern client's round, or all rounds of one of an earlier era.
    pub async fn play(
        &self,
        name: &str,
        arguments: Option<JsonObject>,
        answers: Option<InputResponses>,
        state: Option<String>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Outcome, ErrorData> {
        let opened = match state {
            Some(state) => Some(self.shared.codec.open(&state).map_err(|_| refused())?),
            None => None,
        };
        let mut round = Round {
            name,
            arguments: arguments.unwrap_or_default(),
            answers: answers.unwrap_or_default(),
            remembered: opened.map(|text| String::from_utf8_lossy(&text).into()),
            context,
            shared: &self.shared,
        };
        loop {
            match self.tell(&round).await? {
                Reply::Text(text) => return Ok(Outcome::Text(text)),
                Reply::Ask(questions, remember) if self.legacy => {
                    round.answers = answers_to(questions, &context.peer, &self.shared).await?;
                    round.remembered = remember;
                }
                Reply::Ask(questions, remember) => {
                    let questions = Some(questions).filter(|questions| !questions.is_empty());
                    let state = remember.map(|text| self.shared.codec.seal(text.as_bytes()));
                    return Ok(Outcome::InputRequired(InputRequiredResult::new(questions, state)));
                }
            }
        }
    }
}

fn refused() -> ErrorData {
    ErrorData::invalid_params("Invalid or expired requestState", Some(json!({"reason": "invalid_request_state"})))
}

/// Puts questions to a client of an earlier era, one after another.
async fn answers_to(
    questions: InputRequests,
    peer: &Peer<RoleServer>,
    shared: &Shared,
) -> Result<InputResponses, ErrorData> {
    let mut answers = BTreeMap::new();
    for (key, question) in questions {
        let answer = match question {
            InputRequest::Elicitation(ElicitRequest { params, .. }) => elicit(params, peer, shared).await?,
            InputRequest::CreateMessage(request) => sample(request.params, peer).await?,
            _ => json!(peer.list_roots().await.map_err(failed)?),
        };
        answers.insert(key, answer);
    }
    Ok(answers)
}

async fn sample(params: CreateMessageRequestParams, peer: &Peer<RoleServer>) -> Result<Value, ErrorData> {
    Ok(json!(peer.create_message(params).await.map_err(failed)?))
}

/// Asks, and tells the client when the page of a URL question was visited.
async fn elicit(params: ElicitRequestParams, peer: &Peer<RoleServer>, shared: &Shared) -> Result<Value, ErrorData> {
    let page = match &params {
        ElicitRequestParams::UrlElicitationParams { elicitation_id, .. } => Some(elicitation_id.clone()),
        _ => None,
    };
    let answer = json!(peer.create_elicitation(params).await.map_err(failed)?);
    if let Some(page) = page
        && answer["action"] == "accept"
    {
        shared.pages.visit(&page).await;
        complete(peer, &page).await;
    }
    Ok(answer)
}

/// The SDK has no type for this notification.
pub async fn complete(peer: &Peer<RoleServer>, page: &str) {
    let params = json!({"elicitationId": page});
    let told = CustomNotification::new("notifications/elicitation/complete", Some(params));
    let _ = peer.send_notification(ServerNotification::CustomNotification(told)).await;
}

pub fn failed(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

/// A value as people read it, or what stands for it.
pub fn printed(value: Option<&Value>, absent: &str) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => absent.into(),
    }
}
