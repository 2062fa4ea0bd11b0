package api

import (
	"errors"
	"io/fs"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/vearutop/statigz"

	"plait/internal/core"
	"plait/web"
)

// pageAssets is the path of the scripts, styles and pictures of the page.
const pageAssets = "/assets"

// pagePolicy lets the page load its own files, show pictures that a person drops on it, and call the API. Trusted types keep texts of books
// out of what the browser takes for HTML: that of Svelte is for its templates, and the default one for nothing but the empty text. The hash is
// that of the one style that OpenSeadragon adds.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-9xTiqzfwFaL2SGb1rmr8gysEwVVjIvqWAgmZgqFqpEE='; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html default"

// routePage adds the page for browsers. It needs no key: its data comes from the API.
func routePage(e *echo.Echo) {
	files := web.Files()
	get(e, "/", func(c echo.Context) error {
		index, err := fs.ReadFile(files, "index.html")
		if errors.Is(err, fs.ErrNotExist) {
			return core.NewError(core.CodeNotFound, "this program was built without its page: run make build")
		}
		if err != nil {
			return err
		}
		h := c.Response().Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "same-origin")
		h.Set(echo.HeaderCacheControl, "no-cache")
		return c.HTMLBlob(http.StatusOK, index)
	})
	assets := statigz.FileServer(files)
	get(e, pageAssets+"/*", func(c echo.Context) error {
		// The names contain a hash of the content.
		c.Response().Header().Set(echo.HeaderCacheControl, "public, max-age=31536000, immutable")
		assets.ServeHTTP(c.Response(), c.Request())
		return nil
	})
}
