//! Writes two hundred types as people write them for forms, drawn by a seed: the same seed, the same types.

use std::{env, fmt::Write, fs, path::Path};

const SEED: u64 = 33; // as in tests/forms/forms_test.go
const MANY: usize = 200;
const NAMES: [&str; 18] = [
    "name", "age", "email", "city", "count", "price", "size", "when", "until", "note", "tags", "level", "color",
    "notify", "web_page", "share_it", "team", "room",
];

// Types, and attributes beside them.
const FLAT: &[&[&str]] = &[
    &["String", "String", "i32", "i64", "u8", "u16", "u32", "u64", "i8", "f32", "f64", "bool", "char", "Box<str>"],
    &["Option<String>", "Option<i32>", "Option<f64>", "Option<bool>", "Option<u8>", "Option<Color>", "Option<Size>"],
    &[
        "Vec<String>",
        "Vec<String>",
        "Vec<i32>",
        "Vec<f64>",
        "Vec<Color>",
        "Vec<Size>",
        "Option<Vec<String>>",
        "BTreeSet<String>",
    ],
    &[
        "Color",
        "Size",
        "Plan",
        "Option<Plan>",
        "IntOrText",
        "NonZeroU8",
        "[String; 2]",
        "OneOrMany",
        "Option<IntOrText>",
    ],
    &[
        "NaiveDate",
        "DateTime<Utc>",
        "NaiveTime",
        "Uuid",
        "Option<NaiveDate>",
        "Option<DateTime<Utc>>",
        "Ipv4Addr",
        "Vec<NaiveDate>",
    ],
    &[
        "#[schemars(range(min = 1, max = 9))] i32",
        "#[schemars(range(min = 0.5))] f64",
        "#[schemars(range(max = 100))] Option<u32>",
        "#[schemars(extend(\"exclusiveMinimum\" = 0))] f64",
        "#[schemars(extend(\"multipleOf\" = 5))] i32",
        "#[schemars(length(min = 2, max = 20))] String",
        "#[schemars(length(min = 1))] String",
        "#[schemars(length(max = 3))] Vec<String>",
        "#[schemars(inner(length(min = 1)))] Vec<String>",
        "#[schemars(regex(pattern = r\"^[A-Z]{3}$\"))] String",
        "#[schemars(email)] String",
        "#[schemars(email)] Option<String>",
        "#[schemars(url)] String",
    ],
    &[
        "#[schemars(title = \"Your choice\", description = \"What the server wants to know\")] String",
        "/// What the server wants to know.\n    /// On two lines.\n    i32",
        "/// One of these.\n    Color",
        "/// May be left empty.\n    Option<Size>",
        "#[schemars(extend(\"examples\" = [\"Oslo\"]))] String",
        "#[schemars(extend(\"enum\" = [\"a\", \"b\"]))] String",
        "#[schemars(extend(\"oneOf\" = [{\"const\": \"a\", \"title\": \"A\"}, {\"const\": \"b\", \"title\": \"B\"}]))] String",
        "#[serde(default)] String",
        "#[serde(default)] bool",
        "#[serde(default = \"seven\")] i32",
        "#[serde(default)] Vec<String>",
        "#[serde(default)] Color",
        "#[serde(default)] Option<i32>",
        "#[deprecated] String",
        "#[serde(rename = \"Full name\")] String",
        "#[schemars(inner(range(min = 1)))] Vec<i32>",
    ],
];
const NESTED: &[&str] = &[
    "Address",
    "Option<Address>",
    "Vec<Address>",
    "BTreeMap<String, String>",
    "Value",
    "(i32, String)",
    "Vec<Vec<i32>>",
    "Shape",
    "Duration",
];
const SECRET: &[&str] = &[
    "#[schemars(extend(\"format\" = \"password\"))] String",
    "#[schemars(extend(\"writeOnly\" = true))] String",
    "#[schemars(extend(\"writeOnly\" = true))] Option<String>",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

fn main() {
    println!(
        "cargo::rerun-if-changed={}",
        Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../forms/rust/build.rs").display()
    );
    let mut dice = Dice(SEED);
    let (mut types, mut list) = (String::new(), String::new());
    for i in 0..MANY {
        let mut ways: Vec<&str> = (0..1 + dice.below(5))
            .map(|_| {
                let few = dice.one(FLAT);
                dice.one(few)
            })
            .collect();
        let mut kind = "flat";
        if dice.below(10) == 0 {
            kind = dice.one(&["nested", "secret"]);
            ways.push(dice.one(if kind == "nested" { NESTED } else { SECRET }));
        }
        let whole = dice.one(&[
            "",
            "",
            "#[serde(deny_unknown_fields)]\n",
            "#[serde(rename_all = \"camelCase\")]\n",
            "/// A form.\n",
        ]);
        let mut names = NAMES.to_vec();
        writeln!(types, "#[derive(Deserialize, JsonSchema)]\n{whole}struct Form{i} {{").unwrap();
        for way in ways {
            let name = names.remove(dice.below(names.len()));
            // The type is behind the last attribute or comment.
            let at = way
                .rfind(['\n', ']'])
                .filter(|&at| !way[at..].starts_with("];") && at + 1 < way.len())
                .map_or(0, |at| at + 1);
            writeln!(types, "    {}\n    {name}: {},", &way[..at], way[at..].trim()).unwrap();
        }
        writeln!(types, "}}\n").unwrap();
        writeln!(list, "    Form::of::<Form{i}>({kind:?}),").unwrap();
    }
    writeln!(types, "fn forms() -> Vec<Form> {{\n    vec![\n{list}    ]\n}}").unwrap();
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("forms.rs"), types).unwrap();
}
