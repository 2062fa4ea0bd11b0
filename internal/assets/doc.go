// Package assets finds and checks the files that Plait fetches instead of building: ONNX Runtime, models, fonts, Postgres and the
// Temporal CLI.
//
// `make assets` puts them into one folder:
//
//	onnxruntime/   the shared library for this platform
//	models/        ONNX models, unchanged
//	fonts/         TrueType fonts, one file for each weight
//	hyphenation/   hyphenation patterns, one file for each language
//	phrases/       models that find phrase boundaries in Chinese, one file for each language
//	tokenizers/    the vocabulary that counts tokens when a model server does not report them
//	postgres/      bin, lib and share of the embedded server
//	temporal/      bin with the Temporal CLI, which contains the embedded development server
//	licenses/      the license texts, one folder for each package
//
// `make assets-video` puts what only video needs into the folder beside it with the suffix -video, such as build/assets-video: see
// [Group].
//
//	ffmpeg/        bin with ffmpeg, one static program
//	licenses/
//
// The list of files, with the SHA-256 of each, is embedded in the binary (plait/assets, manifest.json). The package never uses a file
// that is missing or has another hash, and names it in the error.
package assets
