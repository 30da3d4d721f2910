//! Who answers, as the case says, and what a call comes to.

use std::{
    collections::{HashMap, HashSet},
    mem::take,
    pin::pin,
    sync::Mutex,
};

use rmcp::{ErrorData, model::JsonObject};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Notify;

/// A call.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Case {
    pub tool: Option<String>,
    pub prompt: Option<String>,
    pub resource: Option<String>,
    pub arguments: Option<JsonObject>,
    pub answers: HashMap<String, Vec<Answer>>,
    pub cancel: bool,
    pub then: Option<Box<Case>>,
    pub text: String,
    pub progress: Vec<f64>,
    pub logs: Vec<String>,
}

#[derive(Clone, Deserialize)]
pub struct Answer {
    pub action: String,
    pub content: Option<Value>,
    #[serde(default)]
    pub visit: bool,
}

/// What a call comes to.
#[derive(Default, Serialize)]
pub struct Outcome {
    pub text: String,
    pub error: String,
    pub cancelled: bool,
    pub asked: Vec<String>,
    pub progress: Vec<f64>,
    pub logs: Vec<String>,
    pub then: String,
}

/// Answers the questions of one case at a time.
#[derive(Default)]
pub struct Person {
    answers: Mutex<HashMap<String, Vec<Answer>>>,
    got: Mutex<Outcome>,
    completed: Mutex<HashSet<String>>,
    progressed: Notify,
}

impl Person {
    pub fn begin(&self, case: &Case) {
        *self.answers.lock().unwrap() = case.answers.clone();
        *self.got.lock().unwrap() = Outcome::default();
    }

    /// Adds to an outcome what happened since begin.
    pub fn end(&self, outcome: &mut Outcome) {
        let mut got = self.got.lock().unwrap();
        outcome.asked = take(&mut got.asked);
        outcome.progress = take(&mut got.progress);
        outcome.logs = take(&mut got.logs);
    }

    /// Whether all notifications that the case expects are there.
    pub fn told_all(&self, case: &Case) -> bool {
        let got = self.got.lock().unwrap();
        got.progress.len() >= case.progress.len() && got.logs.len() >= case.logs.len()
    }

    /// Answers a question by its message; the page of a url is visited first if the case says so.
    pub async fn answer(&self, message: &str, url: &str) -> Result<Answer, ErrorData> {
        let answers = self.answers.lock().unwrap().get(message).cloned().unwrap_or_default();
        let nth = self.got.lock().unwrap().asked.iter().filter(|asked| *asked == message).count();
        self.remember(message.into());
        let Some(answer) = answers.get(nth).or(answers.last()) else {
            return Err(ErrorData::internal_error(format!("the case has no answer to {message:?}"), None));
        };
        if answer.visit {
            let page = reqwest::get(url).await.and_then(reqwest::Response::error_for_status);
            page.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        Ok(answer.clone())
    }

    pub fn remember(&self, asked: String) {
        self.got.lock().unwrap().asked.push(asked);
    }

    pub fn progress(&self, progress: f64) {
        self.got.lock().unwrap().progress.push(progress);
        self.progressed.notify_waiters();
    }

    /// Returns when there was a progress notification since begin.
    pub async fn progressed(&self) {
        let mut next = pin!(self.progressed.notified());
        next.as_mut().enable(); // before looking, so that none is missed
        if self.got.lock().unwrap().progress.is_empty() {
            next.await;
        }
    }

    pub fn log(&self, data: &str) {
        self.got.lock().unwrap().logs.push(data.into());
    }

    pub fn complete(&self, id: &str) {
        self.completed.lock().unwrap().insert(id.into());
    }

    pub fn completed(&self, id: &str) -> bool {
        self.completed.lock().unwrap().contains(id)
    }
}
