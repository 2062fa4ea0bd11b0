package main

import (
	"fmt"
	"net"
	"strconv"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/common/testing/freeport"
)

const clusterName = "active"

// serverConfig describes one cluster of one host: four services, one shard, one SQLite store for executions and visibility.
func serverConfig(o options) *config.Config {
	frontend := net.JoinHostPort(o.ip, strconv.Itoa(o.port))
	cfg := &config.Config{
		Persistence: config.Persistence{
			DefaultStore:     sqlite.PluginName,
			VisibilityStore:  sqlite.PluginName,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{sqlite.PluginName: {SQL: sqlConfig(o)}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services: map[string]config.Service{
			string(primitives.FrontendService): {RPC: config.RPC{GRPCPort: o.port, BindOnIP: o.ip}},
			string(primitives.HistoryService):  internalService(),
			string(primitives.MatchingService): internalService(),
			string(primitives.WorkerService):   internalService(),
		},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: config.ArchivalDisabled},
			Visibility: config.VisibilityArchival{State: config.ArchivalDisabled},
		},
		// Without it the server's own workers have no client and it panics at start.
		PublicClient: config.PublicClient{HostPort: frontend},
	}
	cfg.NamespaceDefaults.Archival.History.State = config.ArchivalDisabled
	cfg.NamespaceDefaults.Archival.Visibility.State = config.ArchivalDisabled
	return cfg
}

// internalService is a service only this process talks to, on a port of loopback that was free a moment ago.
func internalService() config.Service {
	return config.Service{RPC: config.RPC{GRPCPort: freeport.MustGetFreePort(), BindOnLocalHost: true}}
}

// staticHosts names the one host of each service, which spares the gossip ring and its ports.
func staticHosts(cfg *config.Config) map[primitives.ServiceName]static.Hosts {
	hosts := make(map[primitives.ServiceName]static.Hosts, len(cfg.Services))
	for name, service := range cfg.Services {
		ip := service.RPC.BindOnIP
		if service.RPC.BindOnLocalHost {
			ip = "127.0.0.1"
		}
		hosts[primitives.ServiceName(name)] = static.SingleLocalHost(fmt.Sprintf("%s:%d", ip, service.RPC.GRPCPort))
	}
	return hosts
}
