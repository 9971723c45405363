"""Friction in other tools and in Bristle, on the same rigs: `cargo xtask peers` writes docs/peers.md from it."""
