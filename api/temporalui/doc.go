// Package temporalui serves the Temporal UI to authorized users. The UI itself has no authentication and accepts any Host header; here, a
// browser signs in with an API key or a one-time token, gets a session in a cookie, and reaches the UI through a reverse proxy. The
// package also serves the codec with which the UI shows payloads that Temporal stores encrypted:
//
//	GET  /sign-in              a form; with ?token=… it signs in by a one-time token
//	POST /sign-in              signs in by the field key
//	POST /sign-out             ends the session
//	POST /codec/decode, /codec/encode    the remote codec protocol of Temporal
//	everything else            the UI
//
// UI and codec have one origin, so that no CORS header is ever sent and pages of other origins cannot read answers. Requests under a host
// name that is not configured, and writes by a page of another origin, are refused.
package temporalui
