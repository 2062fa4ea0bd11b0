// Package fetch downloads files whose URLs clients give, without becoming a way into the networks of the server (server-side request
// forgery, SSRF).
//
// # Addresses
//
// A connection is made only to public unicast addresses. The address is checked when the socket is dialed, after the name was resolved, so
// that a name whose address changes between a check and its use (DNS rebinding) gains nothing. Each request has a connection of its own,
// so that a redirect is checked in the same way. Refused are the special-purpose addresses of IANA's registries for IPv4 and IPv6, as
// package code.dny.dev/ssrf lists them: private, loopback, link-local, multicast, shared, documentation and reserved addresses, 6to4 and
// Teredo; for IPv6 everything outside 2000::/3, and with it unique local addresses, NAT64 prefixes and addresses that contain one of IPv4.
// Refused as well are the addresses of this machine and the metadata services of clouds. An installation may allow networks of its own, and
// deny further ones. Neither a proxy from the environment nor an idle connection avoids the check.
//
// # URLs
//
// Only http and https, on ports 80, 443, and 1024 and above except those that the Fetch Standard blocks. A URL has no user name or
// password. A host that looks like a number in another notation (2130706433, 0x7f.1, 0177.0.0.1) is refused. The same rules apply to each
// redirect.
//
// # Limits
//
// Time, number of redirects, size of the headers and of the body, and the rate at which the body arrives are bounded. The server's
// Content-Type means nothing: the caller looks at the bytes. No compression is accepted, so that a small answer cannot unpack to a large
// one. Requests carry no cookies, no credentials and no Referer.
//
// # Errors
//
// Every failure that the URL or its server causes is INVALID_INPUT, or TOO_LARGE. Its message contains the URL without query and
// credentials, and tells neither the address that was refused nor whether the name exists, so that it does not map the inner network.
package fetch
