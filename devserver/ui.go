package main

import (
	"fmt"
	"net"
	"strconv"

	ui "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/server_options"
)

// startUI serves the web UI beside the frontend and returns how to stop it.
func startUI(o options) (stop func(), err error) {
	if o.headless {
		return func() {}, nil
	}
	// The UI's Start ends the whole process when it cannot listen, so look first.
	listener, err := net.Listen("tcp", net.JoinHostPort(o.ip, strconv.Itoa(o.uiPort)))
	if err != nil {
		return nil, err
	}
	if err := listener.Close(); err != nil {
		return nil, err
	}
	server := ui.NewServer(server_options.WithConfigProvider(&uiconfig.Config{
		TemporalGRPCAddress: fmt.Sprintf("%s:%d", o.ip, o.port),
		Host:                o.ip,
		Port:                o.uiPort,
		EnableUI:            true,
		DefaultNamespace:    defaultNamespace,
		DisableNewsFetch:    !o.uiNews,
		HideLogs:            true,
		CORS:                uiconfig.CORS{CookieInsecure: true}, // plain HTTP on loopback
	}))
	go func() { _ = server.Start() }() // it returns nil or ends the process
	return server.Stop, nil
}
