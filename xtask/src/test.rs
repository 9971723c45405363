pub fn command() -> anyhow::Result<()> {
    Ok(())
}
