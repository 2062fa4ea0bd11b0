package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	schema "go.temporal.io/server/schema/sqlite"
)

// sqlConfig names the store: a file, or memory shared by the process's connections when no file is named.
func sqlConfig(o options) *config.SQL {
	if o.database == "" {
		return &config.SQL{
			PluginName:        sqlite.PluginName,
			DatabaseName:      "plait",
			ConnectAttributes: map[string]string{"mode": "memory", "cache": "shared"},
		}
	}
	attributes := map[string]string{"mode": "rwc"}
	maps.Copy(attributes, o.pragmas)
	return &config.SQL{PluginName: sqlite.PluginName, DatabaseName: o.database, ConnectAttributes: attributes}
}

// prepareDatabase creates the schema of a new file, and the namespaces that are not there yet.
func prepareDatabase(o options) error {
	if o.database != "" { // the SQLite plugin sets up a database in memory by itself
		if _, err := os.Stat(o.database); errors.Is(err, fs.ErrNotExist) {
			if err := schema.SetupSchema(sqlConfig(o)); err != nil {
				return fmt.Errorf("schema of %q: %w", o.database, err)
			}
		}
	}
	for _, name := range o.namespaces {
		namespace, err := schema.NewNamespaceConfig(clusterName, name, false, map[string]enumspb.IndexedValueType{})
		if err != nil {
			return fmt.Errorf("namespace %s: %w", name, err)
		}
		if err := schema.CreateNamespaces(sqlConfig(o), namespace); err != nil {
			return fmt.Errorf("namespace %s: %w", name, err)
		}
	}
	return nil
}
