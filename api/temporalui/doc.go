// Package temporalui serves the Temporal UI to those who may see it. The UI itself asks nobody who they are and takes any Host header;
// here, a browser signs in by an API key or by a one-time token, for a session in a cookie, and reaches the UI through a reverse proxy.
// Next to it is the codec of payloads, by which the UI shows what Temporal keeps encrypted:
//
//	GET  /sign-in              a form; with ?token=… it signs in by a one-time token
//	POST /sign-in              signs in by the field key
//	POST /sign-out             ends the session
//	POST /codec/decode, /codec/encode    the remote codec protocol of Temporal
//	everything else            the UI
//
// UI and codec have one origin, so no CORS header is ever sent and pages of other origins read nothing. Requests under a host name
// that was not configured, and writes that a page of another origin makes, are refused.
package temporalui
