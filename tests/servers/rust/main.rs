//! A server on rmcp, with its macros, as its documentation shows. `tests/interop/rust` builds it.

// Sampling, roots and logging are deprecated, and people still have them.
#![allow(deprecated)]

use std::{collections::BTreeMap, error::Error, sync::Arc};

use axum::Router;
use rmcp::{
    ErrorData, Json, RoleServer, ServerHandler, ServiceExt,
    handler::server::{tool::InputResponses, wrapper::Parameters},
    model::{InputResponses as Answers, *},
    prompt, prompt_handler, prompt_router, schemars,
    service::RequestContext,
    tool, tool_handler, tool_router,
    transport::{
        io::stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;

#[derive(Deserialize, schemars::JsonSchema)]
struct Person {
    /// Who to greet.
    name: String,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Weather {
    city: String,
    celsius: f64,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Numbers {
    a: f64,
    b: f64,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Day {
    date: String,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Document {
    text: String,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Target {
    to: u32,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Review {
    code: String,
    language: String,
}

#[derive(Clone)]
struct Restaurant;

fn said(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn ask(key: &str, request: InputRequest) -> CallToolResponse {
    InputRequiredResult::new(Some(BTreeMap::from([(key.to_owned(), request)])), None).into()
}

fn answer(answers: Option<Answers>, key: &str) -> Option<Value> {
    answers?.remove(key)
}

fn failed(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[tool_router]
impl Restaurant {
    #[tool(description = "Greets somebody.")]
    fn greet(&self, Parameters(Person { name }): Parameters<Person>) -> String {
        format!("Hello, {name}!")
    }

    #[tool(description = "Says what the weather is.")]
    fn weather(&self, Parameters(Place { city }): Parameters<Place>) -> Json<Weather> {
        Json(Weather { city, celsius: 4.5 })
    }

    #[tool(description = "Divides a by b.")]
    fn divide(&self, Parameters(Numbers { a, b }): Parameters<Numbers>) -> Result<String, String> {
        if b == 0.0 { Err("cannot divide by zero".into()) } else { Ok((a / b).to_string()) }
    }

    #[tool(description = "Books a table.")]
    async fn book(
        &self,
        InputResponses(answers): InputResponses,
        Parameters(Day { date }): Parameters<Day>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(answer) = answer(answers, "booking") else {
            let form = ElicitRequestParams::FormElicitationParams {
                meta: None,
                message: format!("A table on {date}?"),
                requested_schema: ElicitationSchema::builder()
                    .required_integer("guests", 1, 8)
                    .optional_bool("window", false)
                    .build()
                    .map_err(failed)?,
            };
            return Ok(ask("booking", InputRequest::Elicitation(ElicitRequest::new(form))));
        };
        Ok(said(match answer["action"].as_str() {
            Some("accept") => format!("Booked for {} on {date}.", answer["content"]["guests"]),
            _ => "Nothing was booked.".into(),
        }))
    }

    #[tool(description = "Has the client's model summarize a text.")]
    async fn summarize(
        &self,
        InputResponses(answers): InputResponses,
        Parameters(Document { text }): Parameters<Document>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(answer) = answer(answers, "summary") else {
            let messages = vec![SamplingMessage::user_text(format!("Summarize: {text}"))];
            let request = CreateMessageRequest::new(CreateMessageRequestParams::new(messages, 100));
            return Ok(ask("summary", InputRequest::CreateMessage(request)));
        };
        Ok(said(format!("Summary: {}", answer["content"]["text"].as_str().unwrap_or_default())))
    }

    #[tool(description = "Says which folders the client works on.")]
    async fn folders(&self, InputResponses(answers): InputResponses) -> Result<CallToolResponse, ErrorData> {
        let Some(answer) = answer(answers, "folders") else {
            return Ok(ask("folders", InputRequest::ListRoots(ListRootsRequest::default())));
        };
        let roots: ListRootsResult = serde_json::from_value(answer).map_err(failed)?;
        Ok(said(roots.roots.into_iter().map(|root| root.uri).collect::<Vec<_>>().join("\n")))
    }

    #[tool(description = "Counts, and reports progress.")]
    async fn count(
        &self,
        Parameters(Target { to }): Parameters<Target>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, format!("counting to {to}").into());
        context.peer.notify_logging_message(message).await.map_err(failed)?;
        for n in 1..=to {
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, n.into())
                    .with_total(to.into())
                    .with_message(format!("at {n}"));
                context.peer.notify_progress(progress).await.map_err(failed)?;
            }
        }
        Ok(format!("Counted to {to}."))
    }
}

#[prompt_router]
impl Restaurant {
    #[prompt(description = "Asks for a review.")]
    async fn review(&self, Parameters(Review { code, language }): Parameters<Review>) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, format!("Review this {language} code: {code}"))]
    }
}

#[tool_handler]
#[prompt_handler]
impl ServerHandler for Restaurant {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().enable_logging().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("restaurant", "1.0.0"))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let config = Resource::new("config://app", "config").with_mime_type("application/json");
        Ok(ListResourcesResult::with_all_items(vec![config]))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![ResourceTemplate::new("users://{id}/name", "user")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let text = match uri.strip_prefix("users://").and_then(|rest| rest.strip_suffix("/name")) {
            Some(id) => ResourceContents::text(format!("User {id}"), uri),
            None if uri == "config://app" => ResourceContents::text(r#"{"theme":"dark"}"#, uri),
            None => {
                return Err(ErrorData::resource_not_found("there is no such resource", Some(json!({ "uri": uri }))));
            }
        };
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|flag| flag == "--http") {
        Restaurant.serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let service = StreamableHttpService::new(
        || Ok(Restaurant),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
