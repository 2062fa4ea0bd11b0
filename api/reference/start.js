// Shows the description of the API. Nothing is loaded from anywhere else.
SwaggerUIBundle({
  url: "openapi.yaml",
  domNode: document.getElementById("reference"),
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
});
