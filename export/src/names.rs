//! Suggestion of the known name nearest to a mistyped one.

/// Largest distance at which a name is suggested, relative to the length of the longer one.
const SIMILAR: f64 = 0.4;

/// The nearest of the known names, if one is near: letters that are missing, superfluous, other or
/// swapped count one each, capital letters nothing; a name that was cut short after two letters or
/// more is near as well.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let is_cut = |known: &str| name.trim_start_matches('-').len() >= 2 && known.starts_with(&name);
    let distance = |known: &str| {
        let known = known.to_lowercase();
        let distance = 1.0 - strsim::normalized_damerau_levenshtein(&name, &known);
        if is_cut(&known) {
            distance.min(SIMILAR)
        } else {
            distance
        }
    };
    known
        .into_iter()
        .map(|known| (distance(known), known))
        .filter(|(distance, _)| *distance <= SIMILAR)
        .min_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}

/// The question after a sentence: `; did you mean …?`, or nothing where no name is near.
pub fn question<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or(String::new(), |nearest| {
        format!("; did you mean `{nearest}`?")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_name_is_mapped_to_the_nearest_and_nonsense_to_none() {
        let known = ["FrDyn2", "LuGre", "Dahl", "Stefanski2003", "Stefanski2006"];
        assert_eq!(nearest("FrDyn3", known), Some("FrDyn2"));
        assert_eq!(nearest("frdyn2", known), Some("FrDyn2"));
        assert_eq!(nearest("FrDny2", known), Some("FrDyn2"));
        assert_eq!(nearest("lugre", known), Some("LuGre"));
        assert_eq!(nearest("Stefanski2007", known), Some("Stefanski2003"));
        assert_eq!(nearest("stef", known), Some("Stefanski2003"));
        assert_eq!(nearest("nonsense", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(question("Dal", known), "; did you mean `Dahl`?");
        assert_eq!(question("nonsense", known), "");
    }
}
