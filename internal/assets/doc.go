// Package assets gives the files that Plait fetches and does not build: ONNX Runtime, models, fonts, Postgres and the
// Temporal CLI.
//
// `make assets` lays them out in one folder:
//
//	onnxruntime/   the shared library of this platform
//	models/        ONNX models, read as they are
//	fonts/         TrueType fonts, one file a weight
//	hyphenation/   patterns of where words divide, one file a language
//	phrases/       models of where phrases of Chinese and Japanese begin, one file a language
//	tokenizers/    the vocabulary by which tokens are counted where a model server does not
//	postgres/      bin, lib and share of the embedded server
//	temporal/      bin with the Temporal CLI, whose development server is the embedded one
//	licenses/      the license texts of all of them, a folder a package
//
// Which files there are, and the SHA-256 of each, is embedded in the binary (plait/assets, manifest.json). A file that is missing
// or is another one is refused by name, never used.
package assets
