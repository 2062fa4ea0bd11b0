package fetch

// RetryAfter is what Post reads of the header.
var RetryAfter = retryAfter
