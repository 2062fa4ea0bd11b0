package comic_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate"
)

// second is another host on the same records.
func (r *rig) second(engine *enginetest.Engine) *comicsteps.Activities {
	host := activities.New(activities.Deps{Records: r.records.Store, Blobs: r.blobs, Leases: lease.New(lease.Config{}), Name: "b"})
	return comicsteps.New(comicsteps.Deps{
		Host: host, Engine: comicsteps.EngineOf(engine),
		Translators: func(context.Context, comic.Options) (translate.Translator, error) { return r.model, nil },
	})
}

func TestAFallbackToAHostThatReadsOtherwise(t *testing.T) {
	t.Parallel()
	const a, b, c = "line 0", "line 1", "line 2"
	cases := map[string]struct {
		read []string
		want string
		// asked is the number of segments that the model is asked for anew.
		asked int
	}{
		"alike":             {[]string{a, b, c}, "line 0 -> [line 0]\nline 1 -> [line 1]\nline 2 -> [line 2]\n", 0},
		"one less":          {[]string{a, c}, "line 0 -> [line 0]\nline 2 -> [line 2]\n", 0},
		"one more":          {[]string{a, "new", b, c}, "line 0 -> [line 0]\nnew -> [new]\nline 1 -> [line 1]\nline 2 -> [line 2]\n", 1},
		"in another order":  {[]string{b, c, a}, "line 1 -> [line 1]\nline 2 -> [line 2]\nline 0 -> [line 0]\n", 0},
		"with another word": {[]string{a, "1ine 1", c}, "line 0 -> [line 0]\n1ine 1 -> [line 1]\nline 2 -> [line 2]\n", 0},
		"all otherwise":     {[]string{c, b, "x", "y"}, "line 2 -> [line 2]\nline 1 -> [line 1]\nx -> [x]\ny -> [y]\n", 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			p := r.page(enginetest.Page(a, b, c))
			given := r.translate(p, r.detect(p)).Translations
			fail := true
			env := r.process(r.second(&enginetest.Engine{
				Read: func([]string) []string { return tc.read },
				Before: func(_ context.Context, stage core.Stage, _ []byte) error {
					if stage == comic.StageRender && fail {
						return core.NewError(core.CodeDevice, "inference failed")
					}
					return nil
				},
			}))
			in := comic.PageInput{Page: p, Options: options, Mode: comic.ModeFallback, Translations: given, Cause: core.CodeHostLost}
			_, err := call[comic.PageOutput](env, comic.StepPage, in)
			code, _ := failed(t, err)
			require.Equal(t, core.CodeDevice, code)
			fail = false
			output, err := call[comic.PageOutput](env, comic.StepPage, in)
			require.NoError(t, err)
			require.Equal(t, tc.want, r.bytes(output.Result))
			require.Equal(t, 3+tc.asked, r.model.Segments())
			regions, err := r.records.Regions(t.Context(), p.TaskID, p.Index)
			require.NoError(t, err)
			var read []string
			for _, region := range regions {
				read = append(read, region.Source)
				require.NotEmpty(t, region.Translation)
			}
			require.Equal(t, tc.read, read, "what the page shows is what the records say")
		})
	}
}

func TestAFallbackToAHostThatFindsNoText(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	given := r.translate(p, r.detect(p)).Translations
	env := r.process(r.second(&enginetest.Engine{Read: func(lines []string) []string { return slices.Delete(lines, 0, len(lines)) }}))
	output, err := call[comic.PageOutput](env, comic.StepPage, comic.PageInput{
		Page: p, Options: options, Mode: comic.ModeFallback, Translations: given, Cause: core.CodeHostLost,
	})
	require.NoError(t, err)
	require.Equal(t, comic.NoText, output.NoChangeReason)
	require.Equal(t, p.Blob, output.Result)
}
