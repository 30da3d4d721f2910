//! Fills in a form line by line. The plug-in reads it, whichever way the server's SDK writes it, and checks what is typed.

use serde_json::{Value, json};

/// What a kind is called where a type is picked.
fn kind(field: &Value) -> &str {
    field["format"].as_str().unwrap_or(match text(&field["kind"]) {
        "string" => "text",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "yes or no",
        "choice" => "one of some choices",
        "choices" => "some of some choices",
        _ => "a list",
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// What JSON text says: a string without its quotes, yes and no of booleans.
fn text_of(value: &Value) -> String {
    match text(value) {
        "true" => "yes".to_owned(),
        "false" => "no".to_owned(),
        json => serde_json::from_str(json).unwrap_or(json.to_owned()),
    }
}

/// What a choice is called, and what it stands for if that says more.
fn choice(option: &Value) -> String {
    let (value, title) = (text(&option["value"]), text(&option["title"]));
    let said = text_of(&option["value"]);
    if title == value && value.starts_with('"') {
        title.to_owned()
    } else if title == value || title == said {
        said
    } else {
        format!("{title} ({said})")
    }
}

/// What only the server checks; beside a format that Parley checks, its pattern says nothing new.
pub fn notes(unchecked: &Value, known: bool) -> Vec<String> {
    let (texts, names): (Vec<&Value>, Vec<&Value>) = each(unchecked).partition(|note| note["value"].is_string());
    let cut = |note: &&Value| text(&note["value"]).chars().take(40).collect::<String>();
    let mut said: Vec<String> =
        texts.iter().filter(|_| !known).map(|note| format!("{} {:?}", text(&note["keyword"]), cut(note))).collect();
    let names: Vec<&str> = names.iter().map(|note| text(&note["keyword"])).collect();
    if !names.is_empty() {
        said.push(format!("the server checks more: {}", names.join(", ")));
    }
    said
}

/// What to type, with what is known of it.
fn prompt(field: &Value, title: &str) -> String {
    let mut hints: Vec<String> = Vec::new();
    if field["deprecated"] == true {
        hints.push("no longer used".to_owned());
    }
    hints.extend(each(&field["options"]).map(choice));
    match text(&field["kind"]) {
        "boolean" => hints.push("yes or no".to_owned()),
        "choices" => hints.push("commas between".to_owned()),
        "list" => hints.push("one a line, an empty line ends".to_owned()),
        _ => {}
    }
    hints.extend(field["format"].as_str().map(str::to_owned));
    hints.extend(each(&field["examples"]).map(|example| format!("such as {}", text_of(example))));
    hints.extend(notes(&field["unchecked"], field["format"].is_string()));
    let hints = if hints.is_empty() { String::new() } else { format!(" ({})", hints.join(", ")) };
    let default =
        if field["default"].is_string() { format!(" [{}]", text_of(&field["default"])) } else { String::new() };
    format!("{title}{hints}{default}")
}

/// Asks for one field after the other, and returns the content as JSON text. An error is how the question ends.
pub fn fill(
    form: &Value,
    check: impl Fn(&Value) -> Value,
    line: impl Fn(&str) -> Result<String, Value>,
    say: impl Fn(&str),
) -> Result<String, Value> {
    let mut content: Vec<String> = Vec::new();
    for field in each(&form["fields"]) {
        let title = text(&field["title"]);
        if field["readOnly"] == true {
            say(&format!("{title}: {}", text_of(&field["default"])));
            continue;
        }
        loop {
            let answer = one(form, field, &check, &line)?;
            if let Some(problem) = answer["problem"]["message"].as_str() {
                say(&format!("{title} {problem}."));
                continue;
            }
            if let Some(value) = answer["value"].as_str() {
                content.push(format!("{}:{value}", field["name"]));
            }
            break;
        }
    }
    Ok(format!("{{{}}}", content.join(",")))
}

/// The value of a field, nothing to leave it out, or what is wrong with what was typed.
fn one(
    form: &Value,
    field: &Value,
    check: impl Fn(&Value) -> Value,
    line: impl Fn(&str) -> Result<String, Value>,
) -> Result<Value, Value> {
    let title = text(&field["title"]);
    let mut request = json!({"schema": form["schema"], "field": field["name"]});
    let mut asked = Some(field);
    if field["kind"] == "union" {
        // The type is picked, and never guessed from the text.
        let types: Vec<String> =
            each(&field["alternatives"]).enumerate().map(|(i, one)| format!("{} for {}", i + 1, kind(one))).collect();
        let picked = line(&format!("{title}: {}", types.join(", ")))?;
        let index = picked.parse::<usize>().unwrap_or(0);
        asked = index.checked_sub(1).and_then(|i| field["alternatives"].get(i));
        match asked {
            Some(_) => request["alternative"] = json!(index - 1),
            None if picked.is_empty() => {}
            None => return Ok(json!({"problem": {"message": "must be one of the numbers"}})),
        }
    }
    let mut typed: Vec<String> = Vec::new();
    if let Some(asked) = asked {
        typed.push(line(&prompt(asked, title))?);
        while asked["kind"] == "list" && typed.last().is_some_and(|line| !line.is_empty()) {
            typed.push(line(&format!("{title}, one more"))?);
        }
    }
    let typed = typed.join("\n");
    let default = &asked.unwrap_or(field)["default"];
    if typed.is_empty() && default.is_string() {
        return Ok(json!({"value": default}));
    }
    request["typed"] = json!(typed);
    Ok(check(&request))
}
