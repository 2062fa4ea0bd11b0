// Package api is Plait's HTTP API: it authenticates, bounds and checks what comes in, hands it to package tasks, and
// shows what the records say.
//
// Every answer that is not a success is {code, message, request_id}, with the status that errors.go gives the code.
// Bodies are bounded before they are read, uploads are spooled to files, and no more than a set number of uploads and
// connections are served at once. The request's key decides the tenant; a task of another tenant does not exist.
package api
