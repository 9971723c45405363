//! Names that papers and other tools have for a parameter: a card with one gets a sentence with the
//! name here.

/// Name of a source, name here, and what else differs.
const NAMES: [(&str, &str, &str); 12] = [
    ("mu_k", "mu_d", ""),
    ("mu_v", "sigma_2", ""),
    ("v_S", "v_Stribeck", ""),
    ("f_s", "mu_s", ""),
    ("f_c", "mu_d", ""),
    ("k_s", "sigma_0", ""),
    ("beta", "sigma_0", ""),
    ("mu_C", "mu_d", ""),
    ("F_v", "sigma_2", ""),
    ("mu_Sa", "mu_s_0", ", with the value mu_C + mu_Sa"),
    ("mu_Sinf", "mu_s", ", with the value mu_C + mu_Sinf"),
    // Of Armstrong, which has no regularisation.
    ("v_s", "v_Stribeck", ""),
];

/// Sentence about a name of a source for a parameter that the law has under another one.
pub fn remedy(name: &str, has: impl Fn(&str) -> bool) -> Option<String> {
    let (of_source, here, change) = NAMES.iter().find(|(of_source, ..)| *of_source == name)?;
    has(here).then(|| format!("found {of_source}, which is `{here}` here; write `{here}`{change}"))
}
