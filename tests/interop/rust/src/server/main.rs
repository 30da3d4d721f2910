//! The interoperability server on the Rust SDK.

// Sampling, roots and logging are deprecated, and clients still have them.
#![allow(deprecated)]

mod features;
mod pages;
mod questions;
mod round;
mod task;
mod watch;

use std::{env, error::Error, sync::Arc};

use axum::Router;
use rmcp::{
    ServiceExt,
    transport::{
        io::stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use tokio::net::TcpListener;

use features::Features;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let flags: Vec<String> = env::args().skip(1).collect();
    let legacy = flags.iter().any(|flag| flag == "--legacy");
    let features = Features::open(legacy).await?;
    if flags.iter().any(|flag| flag == "--stdio") {
        features.serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let port = flags.iter().skip_while(|flag| *flag != "--http").nth(1).ok_or("give either --http PORT or --stdio")?;
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    let service = StreamableHttpService::new(
        move || Ok(features.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    println!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
