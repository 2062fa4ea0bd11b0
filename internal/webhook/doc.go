// Package webhook signs messages about tasks and posts them to the URLs of tenants, by Standard Webhooks
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
//
// A message is a POST of JSON, {type, timestamp, data}, with the headers webhook-id (the id of the delivery, the same for each attempt),
// webhook-timestamp (seconds since 1970, of the attempt) and webhook-signature (one signature for each secret that is valid, the current
// one first). An answer of 2xx within [Timeout] means that the message has arrived. Redirects are not followed. Addresses are checked as
// in plait/internal/fetch.
//
// When an answer is lost, or the process ends between the answer and its record, the message is sent again: receivers drop what has a
// webhook-id that they have seen.
package webhook
