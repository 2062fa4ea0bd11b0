package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines between whose contents a page with tags has another text are no paragraph.
func TestLinesBesideOtherLinesOfTaggedPagesAreTextsOfTheirOwn(t *testing.T) {
	s := newSheet().write(50, 700, 10, regular, "10 Walnut Street").write(300, 700, 10, regular, "mail me here").write(50, 688, 10, regular, "Des Moines in Iowa")
	s.write(300, 688, 10, regular, "and look there")
	s.page.Tagged = true
	got := s.read()
	require.Contains(t, got, ": mail me here\n")
	require.Contains(t, got, ": and look there\n")
}
