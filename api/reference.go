package api

import (
	"embed"
	"net/http"

	"github.com/labstack/echo/v4"
	swagger "github.com/swaggest/swgui/v5/static"
	"github.com/vearutop/statigz"
)

// referencePath is the page that shows the description of the API, and interfacePath the files of Swagger UI that it loads.
const (
	referencePath = "/docs"
	interfacePath = referencePath + "/ui"
)

//go:embed reference
var reference embed.FS

// referencePolicy lets the page load its own scripts and styles, read the description, and call the API. Swagger UI sets styles of elements.
const referencePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// routeReference adds the page that shows the description of the API. It needs no key: the description has no data.
func routeReference(e *echo.Echo) {
	page := func(name, contentType string) echo.HandlerFunc {
		return func(c echo.Context) error {
			content, err := reference.ReadFile("reference/" + name)
			if err != nil {
				return err
			}
			c.Response().Header().Set("Content-Security-Policy", referencePolicy)
			return c.Blob(http.StatusOK, contentType, content)
		}
	}
	get(e, referencePath, page("index.html", "text/html; charset=utf-8"))
	get(e, referencePath+"/start.js", page("start.js", "text/javascript; charset=utf-8"))
	files := http.StripPrefix(interfacePath, statigz.FileServer(swagger.FS))
	for _, name := range []string{"/swagger-ui.css", "/swagger-ui-bundle.js"} {
		get(e, interfacePath+name, echo.WrapHandler(files))
	}
}
