//! Transcripts of the cards on the standard input, both lists in JSON, as of `tests/node.mjs`.

fn main() {
    let cards: Vec<String> = serde_json::from_reader(std::io::stdin()).expect("cards in JSON");
    let transcripts: Vec<_> = cards
        .iter()
        .map(|card| bristle_web::transcript(card))
        .collect();
    serde_json::to_writer(std::io::stdout(), &transcripts).expect("a reader");
}
