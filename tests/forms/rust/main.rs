//! A server on rmcp that asks with each of the types that `build.rs` draws: with the schema that the SDK makes of it where it
//! makes one, and else with the one of schemars. `tests/interop/rust` builds it.

// What is made of an answer is looked at by nothing.
#![allow(dead_code, deprecated)]

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    net::Ipv4Addr,
    num::NonZeroU8,
    sync::{Arc, LazyLock},
    time::Duration,
};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt, handler::server::wrapper::Parameters, model::*,
    service::RequestContext, tool, tool_handler, tool_router, transport::io::stdio,
};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Default, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Color {
    #[default]
    Red,
    Green,
    DarkBlue,
}

#[derive(Deserialize, JsonSchema)]
enum Size {
    /// For one.
    Small,
    /// For all.
    Large,
}

/// What is paid for.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Plan {
    Free,
    /// With a bill.
    PerMonth,
    PerYear,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum IntOrText {
    Int(i64),
    Text(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize, JsonSchema)]
struct Address {
    street: String,
    city: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

fn seven() -> i32 {
    7
}

include!(concat!(env!("OUT_DIR"), "/forms.rs"));

struct Form {
    kind: &'static str,
    schema: Value,
    own: Result<ElicitationSchema, String>,
    take: fn(Value) -> Result<(), String>,
}

impl Form {
    fn of<T: DeserializeOwned + JsonSchema>(kind: &'static str) -> Self {
        let own = ElicitationSchema::from_type::<T>().map_err(|error| error.to_string());
        // The SDK drops writeOnly: then the form does not say that it asks for a secret.
        let kind = if kind == "secret" && own.is_ok() { "flat" } else { kind };
        Form {
            kind,
            schema: schema_for!(T).into(),
            own,
            take: |answer| serde_json::from_value::<T>(answer).map(drop).map_err(|error| error.to_string()),
        }
    }
}

static FORMS: LazyLock<Arc<Vec<Form>>> = LazyLock::new(|| Arc::new(forms()));

#[derive(Deserialize, JsonSchema)]
struct What {
    r#type: usize,
}

struct Server;

fn failed(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[tool_router]
impl Server {
    #[tool(description = "Lists the types.")]
    fn types(&self) -> String {
        let all = FORMS.iter().map(|form| {
            let (schema, refuses) = match &form.own {
                Ok(own) => (json!(own), String::new()),
                Err(error) => (form.schema.clone(), error.clone()),
            };
            json!({ "kind": form.kind, "schema": schema, "refuses": refuses })
        });
        Value::Array(all.collect()).to_string()
    }

    #[tool(description = "Asks with a type.")]
    async fn ask(
        &self,
        Parameters(What { r#type }): Parameters<What>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let form = &FORMS[r#type];
        let answer = match &form.own {
            Ok(own) => {
                let params = ElicitRequestParams::FormElicitationParams {
                    meta: None,
                    message: "Please fill in".into(),
                    requested_schema: own.clone(),
                };
                json!(context.peer.create_elicitation(params).await.map_err(failed)?)
            }
            Err(_) => {
                let params = json!({ "mode": "form", "message": "Please fill in", "requestedSchema": form.schema });
                let request = CustomRequest::new("elicitation/create", Some(params));
                json!(context.peer.send_request(ServerRequest::CustomRequest(request)).await.map_err(failed)?)
            }
        };
        if answer["action"] != "accept" {
            return Ok(answer["action"].to_string());
        }
        (form.take)(answer["content"].clone()).map_err(failed)?;
        Ok("taken".into())
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("forms", "1.0.0"))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    Server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
