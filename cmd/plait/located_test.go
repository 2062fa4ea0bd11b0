package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/installation"
	"plait/internal/config"
)

// located is the configuration of the installation, which runs, with the addresses of its servers.
func (in *sandbox) located() *config.Loaded {
	in.t.Helper()
	l, err := config.Load(config.Sources{Environ: in.env})
	require.NoError(in.t, err)
	require.NoError(in.t, installation.Locate(in.t.Context(), l))
	return l
}

// database is a connection to the database of the installation.
func (in *sandbox) database(l *config.Loaded) *pgx.Conn {
	in.t.Helper()
	c, err := pgx.Connect(in.t.Context(), l.Database.URL)
	require.NoError(in.t, err)
	in.t.Cleanup(func() { _ = c.Close(context.WithoutCancel(in.t.Context())) })
	return c
}
