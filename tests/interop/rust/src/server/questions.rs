//! The features that ask.

use std::{collections::BTreeMap, sync::Arc};

use rmcp::{ErrorData, model::*};
use serde_json::{Value, json};

use crate::{
    features::Features,
    round::{Reply, Round, complete, failed, printed},
};

impl Features {
    /// Plays a round of a feature that asks.
    pub async fn ask(&self, round: &Round<'_>) -> Result<Reply, ErrorData> {
        Ok(match round.name {
            "ask_form" => match round.elicited("form") {
                None => round.ask("form", "person", None),
                Some(Err(no)) => Reply::Text(no.into()),
                Some(Ok(content)) => Reply::Text(format!("accepted {}", Value::Object(content))), // sorted by name
            },
            "ask_twice" => ask_twice(round),
            "ask_all" => ask_all(round),
            "open_page" => self.open_page(round),
            "require_page" => self.require_page(round)?,
            "ask_on_stream" => self.ask_on_stream(round).await?,
            "busy" => {
                let done: f64 = round.remembered.as_deref().unwrap_or("0").parse().map_err(failed)?;
                if done < round.number("rounds") {
                    Reply::Ask(BTreeMap::new(), Some((done + 1.0).to_string()))
                } else {
                    Reply::Text(format!("ready after {done} rounds"))
                }
            }
            "charge" => self.charge(round),
            "deliver" => match round.elicited("confirm") {
                None => round.ask("confirm", "deliver", None),
                Some(Err(no)) => Reply::Text(no.into()),
                Some(Ok(_)) => Reply::Text(format!(
                    "region {}, priority {}, insured {}",
                    round.text("region"),
                    printed(round.arguments.get("priority"), "0"),
                    printed(round.arguments.get("insured"), "false"),
                )),
            },
            "advise" => match round.elicited("tone") {
                None => round.ask("tone", "tone", None),
                Some(Err(_)) => Reply::Text(format!("Advise on {}.", round.text("topic"))),
                Some(Ok(content)) => {
                    let tone = printed(content.get("tone"), "");
                    Reply::Text(format!("Advise on {} in a {tone} tone.", round.text("topic")))
                }
            },
            "interop://report" => match round.elicited("quarter") {
                None => round.ask("quarter", "quarter", None),
                Some(Err(_)) => Reply::Text("Report for the year.".into()),
                Some(Ok(content)) => Reply::Text(format!("Report for {}.", printed(content.get("quarter"), ""))),
            },
            _ => return Err(ErrorData::invalid_params("there is no such feature", None)),
        })
    }

    fn charge(&self, round: &Round<'_>) -> Reply {
        match round.elicited("confirm") {
            None => {
                let message = &self.shared.common.forms["pay"].message;
                let message = message.replace("AMOUNT", &round.number("amount").to_string());
                Reply::Ask(BTreeMap::from([("confirm".into(), self.shared.form("pay", message))]), None)
            }
            Some(Err(no)) => Reply::Text(no.into()),
            Some(Ok(content)) if content.get("confirm") != Some(&json!(true)) => Reply::Text("not confirmed".into()),
            Some(Ok(_)) => {
                self.shared.charge(round.text("id"));
                Reply::Text(format!("paid {}", round.number("amount")))
            }
        }
    }

    fn open_page(&self, round: &Round<'_>) -> Reply {
        let pages = &self.shared.pages;
        let page = round.remembered.clone().unwrap_or_else(|| pages.add());
        match round.elicited("page") {
            Some(Err(no)) => Reply::Text(no.into()),
            Some(Ok(_)) if pages.visited(&page) => Reply::Text("visited".into()),
            _ => {
                let params = ElicitRequestParams::UrlElicitationParams {
                    meta: None,
                    message: "Please open the page.".into(),
                    url: pages.url(&page),
                    elicitation_id: if self.legacy { page.clone() } else { String::new() },
                };
                let question = InputRequest::Elicitation(ElicitRequest::new(params));
                Reply::Ask(BTreeMap::from([("page".into(), question)]), Some(page))
            }
        }
    }

    fn require_page(&self, round: &Round<'_>) -> Result<Reply, ErrorData> {
        let pages = &self.shared.pages;
        let session = session(round);
        let mut required = self.shared.required.lock().unwrap();
        let page = match required.get(&session) {
            Some(page) if pages.visited(page) => {
                required.remove(&session);
                return Ok(Reply::Text("visited".into()));
            }
            Some(page) => page.clone(),
            None => {
                let page = pages.add();
                required.insert(session, page.clone());
                let (shared, peer, page_) = (Arc::clone(&self.shared), round.context.peer.clone(), page.clone());
                tokio::spawn(async move {
                    shared.pages.visit(&page_).await;
                    complete(&peer, &page_).await;
                });
                page
            }
        };
        let elicitation =
            json!({"mode": "url", "elicitationId": page, "message": "Please open the page.", "url": pages.url(&page)});
        // The SDK has no name for this code.
        Err(ErrorData::new(ErrorCode(-32042), "URL elicitation required", Some(json!({"elicitations": [elicitation]}))))
    }

    async fn ask_on_stream(&self, round: &Round<'_>) -> Result<Reply, ErrorData> {
        let InputRequest::Elicitation(question) =
            self.shared.form("name", self.shared.common.forms["name"].message.clone())
        else {
            return Err(failed("a form is an elicitation"));
        };
        // The SDK puts questions on the stream of the request they are asked from; a task of its own is in none.
        let peer = round.context.peer.clone();
        let asked = tokio::spawn(async move { peer.create_elicitation(question.params).await });
        let answer = asked.await.map_err(failed)?.map_err(failed)?;
        Ok(Reply::Text(printed(answer.content.unwrap_or_default().get("name"), "")))
    }
}

fn ask_twice(round: &Round<'_>) -> Reply {
    let Some(kind) = &round.remembered else {
        return match round.elicited("kind") {
            None => round.ask("kind", "kind", None),
            Some(Err(no)) => Reply::Text(no.into()),
            Some(Ok(content)) => {
                let kind = printed(content.get("kind"), "");
                round.ask("which", &kind, Some(kind.clone()))
            }
        };
    };
    match round.elicited("which") {
        Some(Ok(content)) => Reply::Text(format!("a {kind}: {}", printed(content.get("which"), ""))),
        no => Reply::Text(no.and_then(Result::err).unwrap_or("no answer").into()),
    }
}

fn ask_all(round: &Round<'_>) -> Reply {
    match round.elicited("form") {
        None => {
            let messages = vec![SamplingMessage::user_text("Write a line about the sea.")];
            let sample = CreateMessageRequest::new(CreateMessageRequestParams::new(messages, 100));
            let form = round.shared.form("name", round.shared.common.forms["name"].message.clone());
            let questions = BTreeMap::from([
                ("form".into(), form),
                ("roots".into(), InputRequest::ListRoots(ListRootsRequest::default())),
                ("sample".into(), InputRequest::CreateMessage(sample)),
            ]);
            Reply::Ask(questions, None)
        }
        Some(Err(no)) => Reply::Text(no.into()),
        Some(Ok(content)) => Reply::Text(format!(
            "{}; {}; {}",
            printed(content.get("name"), ""),
            printed(round.answers["sample"].pointer("/content/text"), ""),
            printed(round.answers["roots"].pointer("/roots/0/uri"), ""),
        )),
    }
}

/// The id of the session, over HTTP.
fn session(round: &Round<'_>) -> String {
    let parts = round.context.extensions.get::<axum::http::request::Parts>();
    let id = parts.and_then(|parts| parts.headers.get("mcp-session-id"));
    id.and_then(|id| id.to_str().ok()).unwrap_or_default().into()
}
