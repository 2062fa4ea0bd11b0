// Package onnx runs ONNX models: it checks the file of a model against its manifest entry, loads it on one device, and bounds the number
// of simultaneous runs.
//
//	rt, err := onnx.Open(onnx.Config{LibraryPath: path, Device: onnx.CPU, Threads: 1})
//	pool, err := rt.Load(onnx.Model{Name: …, Path: …, SHA256: …, Inputs: …, Outputs: …}, 2)
//	err = pool.Run(ctx, inputs, outputs)
//
// # One session, bounded runs
//
// ONNX Runtime allows any number of simultaneous runs on one session; they share the weights and the memory arena. A [Pool] is therefore
// one session with a fixed number of places, not a set of sessions: a second session would only need memory for a second copy of the
// weights. With Threads n, each run computes on its caller's thread and on n-1 threads that all runs of the pool share, so that a pool
// never uses more than places + n - 1 cores. On a CPU, two pages on one thread each finish sooner than one after the other on two
// threads.
//
// # The environment
//
// The library has one environment in the process, so this package has one variable for it, guarded by a mutex. The first [Open] creates
// it, and it is destroyed when every [Runtime] and [Pool] is closed. All runtimes of a process use the same library file.
//
// Large tensors can reuse the memory of earlier runs: see [Pool.Borrow].
//
// # The manifest
//
// Models other than the base set are listed in a JSON file ([ReadManifest]), with paths relative to its folder:
//
//	{"models": [{
//	  "name": "korean-mobile", "kind": "recognizer", "scripts": ["Hangul"],
//	  "files": {"model": {"path": "korean_rec.onnx", "sha256": "…"}},
//	  "license": "Apache-2.0", "source": "PaddleOCR 3.0",
//	  "ports": {"fetch_name_0": "softmax_0.tmp_0"}
//	}]}
//
// The kind determines the contract: the inputs and outputs (ports) of the file. An entry can only map them to other names in its file:
//
//	detector    x -> fetch_name_0                              plait/internal/comic/detect
//	recognizer  x -> fetch_name_0, metadata "character"        plait/internal/comic/ocr
//	bubbles     images, orig_target_sizes -> labels, boxes,    plait/internal/comic/bubbles
//	            scores
//	manga-ocr   pixel_values -> last_hidden_state (encoder);   plait/internal/comic/mangaocr
//	            input_ids, encoder_hidden_states -> logits
//	            (decoder); vocabulary
//	inpainter   image, mask -> output (result of MI-GAN)       plait/internal/comic/inpaint/neural
//	layout      images -> output0 (yolo); image -> 8 (picodet) plait/internal/document/layout
//
// An inpainter also names its contract, because files with the same ports expect different values: "contract" is "lama" (0..1), "aot"
// (-1..1) or "migan" (bytes, and a mask in which 0 is the hole, as in migan_pipeline_v2.onnx). A layout model names "picodet" (PP-PicoDet
// with the classes in its metadata) or "yolo" (DocLayout-YOLO of DocStructBench).
//
// # Devices
//
// A runtime uses the requested device or fails; it never falls back to the CPU silently. [Pool.Provider] returns the execution provider
// of the session, and [Pool.Numbers] the number format in which it computes.
//
// For a CPU, a model is put in a form that the library computes faster, with the same outputs but for rounding: see [graph.Simplify].
package onnx
