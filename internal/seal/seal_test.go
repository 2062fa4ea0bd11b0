package seal_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/seal"
)

func box(t *testing.T, letters ...string) *seal.Box {
	t.Helper()
	var keys [][]byte
	for _, letter := range letters {
		keys = append(keys, bytes.Repeat([]byte(letter), 32))
	}
	b, err := seal.New(keys)
	require.NoError(t, err)
	return b
}

func TestASecretIsOpenedWithItsKeyForItsOwner(t *testing.T) {
	t.Parallel()
	old := box(t, "a")
	sealed := old.Seal([]byte("hunter2"), "acme")
	require.NotContains(t, string(sealed), "hunter2")
	require.NotEqual(t, sealed, old.Seal([]byte("hunter2"), "acme"), "each has a nonce of its own")
	opened, err := box(t, "b", "a").Open(sealed, "acme")
	require.NoError(t, err)
	require.Equal(t, "hunter2", string(opened))

	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	for name, open := range map[string]func() ([]byte, error){
		"another owner": func() ([]byte, error) { return old.Open(sealed, "other") },
		"another key":   func() ([]byte, error) { return box(t, "b").Open(sealed, "acme") },
		"a change":      func() ([]byte, error) { return old.Open(changed, "acme") },
		"nothing":       func() ([]byte, error) { return old.Open(nil, "acme") },
	} {
		_, err := open()
		require.ErrorContains(t, err, "cannot be decrypted", name)
	}
}

func TestASecretIsSealedWithANewKey(t *testing.T) {
	t.Parallel()
	older, both := box(t, "a"), box(t, "b", "a")
	sealed := older.Seal([]byte("hunter2"), "acme")
	resealed, changed, err := both.Reseal(sealed, "acme")
	require.NoError(t, err)
	require.True(t, changed)
	opened, err := box(t, "b").Open(resealed, "acme")
	require.NoError(t, err)
	require.Equal(t, "hunter2", string(opened))
	same, changed, err := both.Reseal(resealed, "acme")
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, resealed, same)
	_, _, err = box(t, "c").Reseal(sealed, "acme")
	require.ErrorContains(t, err, "cannot be decrypted")
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	for _, keys := range [][][]byte{nil, {[]byte("short")}} {
		_, err := seal.New(keys)
		require.Error(t, err)
	}
}
