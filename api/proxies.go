package api

import (
	"net"
	"net/http"
	"net/netip"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"plait/api/schema"
)

// clientAddress returns how the address of a client is found: from the connection, and behind trusted proxies from X-Forwarded-For.
func clientAddress(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		trust = append(trust, echo.TrustIPRange(&net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

// peerOf returns the address in host:port; it is invalid for any other text, such as the path of a socket.
func peerOf(hostPort string) netip.Addr {
	parsed, err := netip.ParseAddrPort(hostPort)
	if err != nil {
		return netip.Addr{}
	}
	return parsed.Addr().Unmap().WithZone("")
}

// isIn reports whether one of the networks contains the address.
func isIn(address netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(address) })
}

// schemeOf returns the scheme that the client used.
func (s *Server) schemeOf(r *http.Request) string {
	forwarded := r.Header.Get(echo.HeaderXForwardedProto)
	if isIn(peerOf(r.RemoteAddr), s.Config.TrustedProxies) && (forwarded == "http" || forwarded == "https") {
		return forwarded
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// crossOrigin lets the pages of some origins use the API. They send their key themselves, so no cookies are allowed.
func crossOrigin(origins []string) echo.MiddlewareFunc {
	return middleware.CORSWithConfig(middleware.CORSConfig{
		AllowOrigins: origins,
		AllowMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowHeaders: []string{
			echo.HeaderAuthorization, echo.HeaderContentType, "Idempotency-Key", "If-Match", "If-None-Match", "If-Range", "Last-Event-ID", "Range",
		},
		ExposeHeaders: []string{
			"Accept-Ranges", echo.HeaderContentDisposition, "Content-Range", "ETag", echo.HeaderLocation, echo.HeaderRetryAfter, echo.HeaderXRequestID,
			schema.HeaderIdempotentReplayed,
			schema.HeaderRateLimit + "Requests", schema.HeaderRateRemaining + "Requests", schema.HeaderRateReset + "Requests",
			schema.HeaderRateLimit + "Tokens", schema.HeaderRateRemaining + "Tokens", schema.HeaderRateReset + "Tokens",
		},
		MaxAge: 600,
	})
}
