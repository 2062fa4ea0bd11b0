package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
)

func TestLanguagesHaveOneCanonicalName(t *testing.T) {
	for tag, want := range map[string]string{
		"ja": "ja", "JA": "ja", "ja-JP": "ja", "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "zh-Hant": "zh-Hant",
		"en-US": "en", "no": "nb", "pt-BR": "pt", "ko-KR": "ko", "iw": "he", "ar-EG": "ar",
	} {
		got, err := pipeline.ParseTarget(tag)
		require.NoError(t, err, tag)
		require.Equal(t, want, got, tag)
	}
	auto, err := pipeline.ParseSource("auto")
	require.NoError(t, err)
	require.Equal(t, pipeline.LanguageAuto, auto)
	for tag, want := range map[string]string{"ko-KR": "ko", "ru": "ru", "uk": "uk", "bg-BG": "bg", "vi": "vi"} {
		got, err := pipeline.ParseSource(tag)
		require.NoError(t, err, tag)
		require.Equal(t, want, got, tag)
	}
	for _, tag := range []string{"", "auto", "xx", "tlh", "th", "hi", "en_", strings.Repeat("a", 10_000), "\x00"} {
		_, err := pipeline.ParseTarget(tag)
		require.Equal(t, pipeline.CodeUnknownLanguage, pipeline.CodeOf(err), "%.20q", tag)
		require.Less(t, len(err.Error()), 400)
	}
}

func TestWhatHasEnded(t *testing.T) {
	for status, ended := range map[pipeline.Status]bool{
		pipeline.StatusQueued: false, pipeline.StatusRunning: false, pipeline.StatusSuccess: true,
		pipeline.StatusPartial: true, pipeline.StatusError: true, pipeline.StatusCanceled: true, "": false,
	} {
		require.Equal(t, ended, status.Ended(), status)
	}
}

func TestABlobHasOneName(t *testing.T) {
	sum := [32]byte{1, 2, 0xff}
	ref := pipeline.NewBlobRef(sum)
	again, err := pipeline.ParseBlobRef(string(ref))
	require.NoError(t, err)
	require.Equal(t, ref, again)
	require.Len(t, ref.Hex(), 64)
	for _, s := range []string{"", "sha256:", string(ref)[7:], strings.ToUpper(string(ref)), string(ref) + "0", "md5:" + ref.Hex(), "sha256:" + strings.Repeat("g", 64)} {
		_, err := pipeline.ParseBlobRef(s)
		require.Equal(t, pipeline.CodeInvalidInput, pipeline.CodeOf(err), s)
	}
}

func FuzzParseBlobRef(f *testing.F) {
	f.Add("sha256:" + strings.Repeat("0", 64))
	f.Add("sha256:")
	f.Fuzz(func(t *testing.T, s string) {
		if ref, err := pipeline.ParseBlobRef(s); err == nil {
			require.Equal(t, s, string(ref))
			require.NotContains(t, ref.Hex(), "/")
		}
	})
}

func TestTranslationsAreOneARegion(t *testing.T) {
	one := func(indices ...int) (all []pipeline.Translation) {
		for _, i := range indices {
			all = append(all, pipeline.Translation{Index: i, Text: "x"})
		}
		return all
	}
	require.NoError(t, pipeline.CheckTranslations(3, one(2, 0, 1)))
	require.NoError(t, pipeline.CheckTranslations(0, nil))
	for want, given := range map[string][]pipeline.Translation{
		"region_index 3 is out of range":    one(0, 1, 3),
		"region_index -1 is out of range":   one(-1),
		"region_index 1 is given twice":     one(0, 1, 1),
		"region_index 2 has no translation": one(0, 1),
	} {
		err := pipeline.CheckTranslations(3, given)
		require.ErrorContains(t, err, want)
		require.Equal(t, pipeline.CodeRenderInputInvalid, pipeline.CodeOf(err))
	}
}

func TestErrorsKeepTheirCodeAndTheirSecrets(t *testing.T) {
	cause := errors.New("dial tcp 10.0.0.1: refused")
	err := fmt.Errorf("page 3: %w", pipeline.Wrap(pipeline.CodeUnavailable, cause, "the database does not answer"))
	require.Equal(t, pipeline.CodeUnavailable, pipeline.CodeOf(err))
	require.Equal(t, "the database does not answer", pipeline.PublicMessage(err))
	require.ErrorIs(t, err, cause)
	require.ErrorIs(t, err, pipeline.NewError(pipeline.CodeUnavailable, ""))
	require.NotErrorIs(t, err, pipeline.NewError(pipeline.CodeInternal, ""))

	require.Empty(t, pipeline.CodeOf(nil))
	require.Equal(t, pipeline.CodeInternal, pipeline.CodeOf(cause))
	require.Equal(t, "internal error", pipeline.PublicMessage(cause))
	require.Equal(t, pipeline.CodeCanceled, pipeline.CodeOf(fmt.Errorf("read: %w", context.DeadlineExceeded)))

	limited := pipeline.NewError(pipeline.CodeTranslatorRateLimited, "wait")
	later := limited.WithRetryAfter(time.Second)
	require.Zero(t, limited.RetryAfter)
	require.Equal(t, time.Second, later.RetryAfter)
}

// The rules are part of the contract with running workflows: a change here changes what they retry.
func TestRetryRules(t *testing.T) {
	for rule, codes := range map[pipeline.Retry][]pipeline.Code{
		pipeline.RetryFallback: {pipeline.CodeCacheMiss, pipeline.CodeTaskExpired, pipeline.CodeImageHashMismatch, pipeline.CodeHostLost},
		pipeline.RetryBackoff:  {pipeline.CodeNotReady, pipeline.CodeTranslatorRateLimited, pipeline.CodeTranslatorUnavailable, pipeline.CodeDevice, pipeline.CodeUnavailable, pipeline.CodeInternal},
		pipeline.RetryNever:    {pipeline.CodeInvalidImage, pipeline.CodeRenderInputInvalid, pipeline.CodeTranslatorMissing, pipeline.CodeTranslatorRefused, pipeline.CodeTranslationInvalid, pipeline.CodeScriptIncomplete, pipeline.CodeBlobMissing},
	} {
		for _, code := range codes {
			require.Equal(t, rule, code.RetryRule(), code)
		}
	}
}
