//! What URL questions lead to. The pages have a listener of their own, so that
//! a server over stdio has them too; fetching one is what a person does there.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, extract::Path, http::StatusCode, routing::get};
use tokio::{net::TcpListener, time::sleep};

type Visited = Arc<Mutex<HashMap<String, bool>>>;

pub struct Pages {
    base: String,
    visited: Visited,
    last: AtomicU64,
}

impl Pages {
    pub async fn open() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base = format!("http://{}/", listener.local_addr()?);
        let visited = Visited::default();
        let pages = visited.clone();
        let visit = move |Path(page): Path<String>| async move {
            match pages.lock().unwrap().get_mut(&page) {
                Some(visited) => {
                    *visited = true;
                    StatusCode::OK
                }
                None => StatusCode::NOT_FOUND,
            }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/{page}", get(visit))).await });
        Ok(Self { base, visited, last: AtomicU64::new(0) })
    }

    pub fn add(&self) -> String {
        let page = format!("page-{}", self.last.fetch_add(1, Ordering::Relaxed));
        self.visited.lock().unwrap().insert(page.clone(), false);
        page
    }

    pub fn url(&self, page: &str) -> String {
        format!("{}{page}", self.base)
    }

    pub fn visited(&self, page: &str) -> bool {
        self.visited.lock().unwrap().get(page).copied().unwrap_or(false)
    }

    /// Returns once the page was visited.
    pub async fn visit(&self, page: &str) {
        while !self.visited(page) {
            sleep(Duration::from_millis(20)).await;
        }
    }
}
