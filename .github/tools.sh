#!/usr/bin/env bash
# Tools of `cargo xtask dist` on Ubuntu, as docs/platforms.md lists them.
set -euo pipefail
rustup target add x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu i686-unknown-linux-gnu \
    x86_64-pc-windows-gnu i686-pc-windows-gnu x86_64-apple-darwin aarch64-apple-darwin wasm32-unknown-unknown
sudo apt-get update -qq
sudo apt-get install -y -qq --no-install-recommends gcc-mingw-w64-x86-64-win32 gcc-mingw-w64-i686-win32 \
    wine64 qemu-user libc6-arm64-cross libc6-i386
