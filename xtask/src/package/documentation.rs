pub fn write(_: &bristle::catalogue::Entry) -> anyhow::Result<String> {
    Ok("<html/>".into())
}
