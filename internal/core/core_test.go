package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

func TestWhatHasEnded(t *testing.T) {
	for status, ended := range map[core.Status]bool{
		core.StatusQueued: false, core.StatusRunning: false, core.StatusSuccess: true,
		core.StatusPartial: true, core.StatusError: true, core.StatusCanceled: true, "": false,
	} {
		require.Equal(t, ended, status.Ended(), status)
	}
}

func TestABlobHasOneName(t *testing.T) {
	sum := [32]byte{1, 2, 0xff}
	ref := core.NewBlobRef(sum)
	again, err := core.ParseBlobRef(string(ref))
	require.NoError(t, err)
	require.Equal(t, ref, again)
	require.Len(t, ref.Hex(), 64)
	for _, s := range []string{"", "sha256:", string(ref)[7:], strings.ToUpper(string(ref)), string(ref) + "0", "md5:" + ref.Hex(), "sha256:" + strings.Repeat("g", 64)} {
		_, err := core.ParseBlobRef(s)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), s)
	}
}

func FuzzParseBlobRef(f *testing.F) {
	f.Add("sha256:" + strings.Repeat("0", 64))
	f.Add("sha256:")
	f.Fuzz(func(t *testing.T, s string) {
		if ref, err := core.ParseBlobRef(s); err == nil {
			require.Equal(t, s, string(ref))
			require.NotContains(t, ref.Hex(), "/")
		}
	})
}

func TestTranslationsAreOneARegion(t *testing.T) {
	one := func(indices ...int) (all []core.Translation) {
		for _, i := range indices {
			all = append(all, core.Translation{Index: i, Text: "x"})
		}
		return all
	}
	require.NoError(t, core.CheckTranslations(3, one(2, 0, 1)))
	require.NoError(t, core.CheckTranslations(0, nil))
	for want, given := range map[string][]core.Translation{
		"region_index 3 is out of range":    one(0, 1, 3),
		"region_index -1 is out of range":   one(-1),
		"region_index 1 is given twice":     one(0, 1, 1),
		"region_index 2 has no translation": one(0, 1),
	} {
		err := core.CheckTranslations(3, given)
		require.ErrorContains(t, err, want)
		require.Equal(t, core.CodeRenderInputInvalid, core.CodeOf(err))
	}
}

func TestErrorsKeepTheirCodeAndTheirSecrets(t *testing.T) {
	cause := errors.New("dial tcp 10.0.0.1: refused")
	err := fmt.Errorf("page 3: %w", core.Wrap(core.CodeUnavailable, cause, "the database does not answer"))
	require.Equal(t, core.CodeUnavailable, core.CodeOf(err))
	require.Equal(t, "the database does not answer", core.PublicMessage(err))
	require.ErrorIs(t, err, cause)
	require.ErrorIs(t, err, core.NewError(core.CodeUnavailable, ""))
	require.NotErrorIs(t, err, core.NewError(core.CodeInternal, ""))

	require.Empty(t, core.CodeOf(nil))
	require.Equal(t, core.CodeInternal, core.CodeOf(cause))
	require.Equal(t, "internal error", core.PublicMessage(cause))
	require.Equal(t, core.CodeCanceled, core.CodeOf(fmt.Errorf("read: %w", context.DeadlineExceeded)))

	limited := core.NewError(core.CodeTranslatorRateLimited, "wait")
	later := limited.WithRetryAfter(time.Second)
	require.Zero(t, limited.RetryAfter)
	require.Equal(t, time.Second, later.RetryAfter)
}

// Running workflows depend on the retry rules, so a change of one must be deliberate.
func TestRetryRules(t *testing.T) {
	for rule, codes := range map[core.Retry][]core.Code{
		core.RetryFallback: {core.CodeCacheMiss, core.CodeTaskExpired, core.CodeImageHashMismatch, core.CodeHostLost},
		core.RetryBackoff:  {core.CodeNotReady, core.CodeTranslatorRateLimited, core.CodeTranslatorUnavailable, core.CodeDevice, core.CodeUnavailable, core.CodeStorageFull, core.CodeInternal},
		core.RetryNever:    {core.CodeInvalidImage, core.CodeRenderInputInvalid, core.CodeTranslatorMissing, core.CodeTranslatorRefused, core.CodeTranslationInvalid, core.CodeScriptIncomplete, core.CodeBlobMissing},
	} {
		for _, code := range codes {
			require.Equal(t, rule, code.RetryRule(), code)
		}
	}
}

// An untrusted title must not clear the screen or reorder the text around it.
func TestPrintableTexts(t *testing.T) {
	for given, printed := range map[string]string{
		"第1話 – déjà vu":           "第1話 – déjà vu",
		"a\x1b[2Jb\x00\r\n\u0085": "a\ufffd[2Jb\ufffd\ufffd\ufffd\ufffd",
		"gpj\u202e\u2066.exe":     "gpj\ufffd\ufffd.exe",
		"שלום\u200f!":             "שלום\u200f!",
	} {
		require.Equal(t, printed, core.Printable(given))
	}
}
