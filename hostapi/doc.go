// Package hostapi is the split contract over HTTP: the API of a GPU host for callers without Temporal.
//
// # Three endpoints
//
//	POST /internal/translate/detect   multipart: image, source_language, target_language
//	POST /internal/translate/render   JSON: task_id, image_hash, translated_regions
//	POST /internal/translate/page     multipart: as detect, and optional translated_regions
//
// Engine, device and detect contexts are those of the worker process: the steps that Temporal delivers and these calls take turns on one
// device, and contexts of both share one memory budget. Detect keeps a context under a task_id, which render names; it is dropped once the
// finished page has been sent. Page keeps none. A caller whose context is gone (404, 410, 422) sends the page again with the translations
// that it has.
//
// # Refusals
//
// The checks run in a fixed order, and the first that fails determines the answer:
//
//	401 UNAUTHORIZED          the token is missing or wrong; nothing else is read
//	503 NOT_READY             the models are loading, the host drains, or there is no room for the context of a detect
//	404 CACHE_MISS            no such context
//	410 TASK_EXPIRED          the context has expired; answered for as long after that as the context lived
//	422 IMAGE_HASH_MISMATCH   the context is of another image
//	400 RENDER_INPUT_INVALID  an index is out of range, missing or double; or the request cannot be read
//
// A detect never answers 404, 410 or 422, so that no caller mistakes a bad page for a lost context. A device failure is 500 DEVICE_FAILED,
// not an error of the request. In addition to the contract, the host answers 413 for images over the limit, 429 for more requests than it
// accepts, and 503 UNAVAILABLE for a step that exceeds the time of a request.
//
// # Headers
//
// Every answer has the headers of the contract (see headers). Their values are ASCII; texts are in bodies, or percent-encoded.
package hostapi
