package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

func TestAdministratorsHavePartsChecked(t *testing.T) {
	t.Parallel()
	database := schema.Finding{Part: "database", OK: true, Found: "Postgres answers"}
	device := schema.Finding{Part: "device", Found: "no such device", Remedy: "set device.kind"}
	r := newRigWith(t, testConfig(), func(s *api.Server) {
		s.Checks = []string{"database", "device"}
		s.Check = func(_ context.Context, part string) (schema.Finding, error) {
			return map[string]schema.Finding{"database": database, "device": device}[part], nil
		}
	})
	operator, writer := r.callerOf("operator", records.ScopeAdmin), r.callerOf("acme", records.ScopeWrite)
	var list schema.CheckList
	operator.get(admin + "/checks").is(http.StatusOK).into(&list)
	require.Equal(t, []string{"database", "device"}, list.Parts)
	for _, want := range []schema.Finding{database, device} {
		var found schema.Finding
		operator.get(admin + "/checks/" + want.Part).is(http.StatusOK).into(&found)
		require.Equal(t, want, found)
	}
	operator.get(admin+"/checks/moon").refused(http.StatusNotFound, core.CodeNotFound, `no check of "moon"`)
	writer.get(admin+"/checks").refused(http.StatusForbidden, core.CodeForbidden, "scope")
	writer.get(admin+"/checks/database").refused(http.StatusForbidden, core.CodeForbidden, "scope")
}

// A check takes longer than other requests may, and a second one waits until it has ended.
func TestOneCheckIsUnderWayAtATime(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.RequestTimeout = 500 * time.Millisecond
	begun, end := make(chan string, 2), make(chan struct{})
	r := newRigWith(t, config, func(s *api.Server) {
		s.Checks = []string{"first", "second"}
		s.Check = func(_ context.Context, part string) (schema.Finding, error) {
			begun <- part
			<-end
			return schema.Finding{Part: part, OK: true}, nil
		}
	})
	operator := r.callerOf("operator", records.ScopeAdmin)
	answers, failed := make(chan int, 2), make(chan error, 2)
	ask := func(part string) {
		a, err := operator.try(http.MethodGet, admin+"/checks/"+part, nil)
		answers <- a.status
		failed <- err
	}
	go ask("first")
	require.Equal(t, "first", <-begun)
	go ask("second")
	ticker := time.NewTicker(config.RequestTimeout)
	defer ticker.Stop()
	for range 3 {
		<-ticker.C
		require.Empty(t, begun, "the second waits")
		require.Empty(t, answers, "neither is cut off")
	}
	end <- struct{}{}
	require.Equal(t, "second", <-begun)
	end <- struct{}{}
	require.NoError(t, errors.Join(<-failed, <-failed))
	require.Equal(t, []int{http.StatusOK, http.StatusOK}, []int{<-answers, <-answers})
}
