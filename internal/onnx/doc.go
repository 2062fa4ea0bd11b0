// Package onnx runs ONNX models: it checks a model against its manifest entry, loads it on one device, and bounds what
// runs there at once.
//
//	rt, err := onnx.Open(onnx.Config{LibraryPath: path, Device: onnx.CPU, Threads: 1})
//	pool, err := rt.Load(onnx.Model{Name: …, Path: …, SHA256: …, Inputs: …, Outputs: …}, 2)
//	err = pool.Run(ctx, inputs, outputs)
//
// # One session, bounded runs
//
// ONNX Runtime allows any number of runs on one session at the same time; they share the weights and the memory arena.
// A [Pool] is therefore one session with a fixed number of places, not a set of sessions: a second session would only
// hold a second copy of the weights. With Threads n, each run computes on its caller's thread and n-1 threads that all
// runs of the pool share, so that a pool never uses more than places + n - 1 cores. On a CPU, two pages on one thread
// each finish before one after the other on two threads.
//
// # The environment
//
// The library keeps one environment in the process, so this package has one variable for it, behind a lock. It opens
// with the first [Open] and closes when every [Runtime] and [Pool] is closed. All runtimes of a process use the same
// library file.
//
// Memory of the size of a page is kept between runs: see [Pool.Borrow].
//
// # The manifest
//
// Models beside the base set come from a JSON file ([ReadManifest]), whose paths begin in its folder:
//
//	{"models": [{
//	  "name": "korean-mobile", "kind": "recognizer", "scripts": ["Hangul"],
//	  "files": {"model": {"path": "korean_rec.onnx", "sha256": "…"}},
//	  "license": "Apache-2.0", "source": "PaddleOCR 3.0",
//	  "ports": {"fetch_name_0": "softmax_0.tmp_0"}
//	}]}
//
// The kind fixes the contract, port by port; an entry may only say that its file has other names for them:
//
//	detector    x -> fetch_name_0                              plait/internal/comic/detect
//	recognizer  x -> fetch_name_0, metadata "character"        plait/internal/comic/ocr
//	bubbles     images, orig_target_sizes -> labels, boxes,    plait/internal/comic/bubbles
//	            scores
//	manga-ocr   pixel_values -> last_hidden_state (encoder);   plait/internal/comic/mangaocr
//	            input_ids, encoder_hidden_states -> logits
//	            (decoder); vocabulary
//	classifier  x -> fetch_name_0                              plait/internal/comic/ocr
//	inpainter   image, mask -> output (result of MI-GAN)       plait/internal/comic/inpaint/neural
//
// An inpainter also names its contract, for files with the same ports want different numbers: "contract" is "lama" (0..1),
// "aot" (-1..1) or "migan" (bytes, and a mask in which 0 is the hole, as migan_pipeline_v2.onnx has it).
//
// # Devices
//
// A runtime uses the device that it was asked for, or fails: nothing falls back to the CPU unseen. [Pool.Provider] is
// the execution provider that the session was made with, [Pool.Numbers] what it computes in.
package onnx
