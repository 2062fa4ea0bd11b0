package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// chart draws a chart with a frame, the numbers of an axis, and a curve in slanted lines.
func (s *sheet) chart(x, y float64) *sheet {
	s.fill(x, x+200, y, y+110)
	for i := range 5 {
		s.write(x+6, y+10+20*float64(i), 7, regular, fmt.Sprintf("%d.00", i))
	}
	for i := range 16 {
		at := x + 30 + 10*float64(i)
		s.page.Fixed = append(s.page.Fixed, document.Box{X0: at, X1: at + 10, Y0: y + 40 + 5*float64(i%2), Y1: y + 45 + 5*float64(i%2)})
	}
	return s.write(x+70, y+95, 9, bold, "Corn Prices")
}

// A chart stands beside a table, and its texts are no cells of the table.
func TestTheTextsOfAChartAreNoCellsOfTheTableBesideIt(t *testing.T) {
	s := newSheet()
	for i, name := range []string{"Iowa", "Ohio", "Utah", "Maine", "Texas"} {
		y := 700 - 20*float64(i)
		s.write(50, y, 10, regular, name).write(150, y, 10, regular, fmt.Sprintf("1.3%d", i)).write(220, y, 10, regular, fmt.Sprintf("2.1%d", i))
	}
	s.chart(330, 605)
	got := s.read()
	require.NotRegexp(t, `(?m)^table.*Corn`, got)
	require.NotRegexp(t, `(?m)^table.*: [0-4]\.00`, got)
	for _, b := range flow.Build(s.page, nil).Blocks {
		if b.Cell == nil {
			require.Greater(t, b.Box.X0, 330.0, b.Text)
			require.LessOrEqual(t, b.Room.X1, 530.0, b.Text)
		} else {
			require.Less(t, b.Cell.Column, 3)
		}
	}
}

// A box to tick, a round frame, and what stands before the ground of a page make no chart: the lines are those of a table.
func TestFormsAndGroundsAreNoCharts(t *testing.T) {
	for name, draw := range map[string]func(*sheet){
		"ticks": func(s *sheet) {
			s.fill(40, 300, 600, 720)
			for i := range 5 {
				s.page.Fixed = append(s.page.Fixed, document.Box{X0: 42, X1: 48, Y0: 700 - 20*float64(i), Y1: 706 - 20*float64(i)})
			}
		},
		"a round frame": func(s *sheet) {
			s.fill(40, 300, 600, 720)
			s.page.Fixed = append(s.page.Fixed, document.Box{X0: 41, X1: 299, Y0: 601, Y1: 719})
		},
		"a field": func(s *sheet) {
			s.fill(40, 300, 600, 720)
			s.page.Notes = append(s.page.Notes, document.Box{X0: 45, X1: 295, Y0: 602, Y1: 612})
		},
		"a page": func(s *sheet) {
			s.fill(0, 600, 0, 800)
			s.page.Fixed = append(s.page.Fixed, document.Box{X0: 10, X1: 590, Y0: 20, Y1: 90})
		},
	} {
		s := newSheet()
		draw(s)
		for i, name := range []string{"Iowa", "Ohio", "Utah", "Maine", "Texas"} {
			y := 700 - 20*float64(i)
			s.write(50, y, 10, regular, name).write(150, y, 10, regular, fmt.Sprintf("1.3%d", i)).write(220, y, 10, regular, fmt.Sprintf("2.1%d", i))
		}
		require.Equal(t, 15, strings.Count(s.read(), "table"), name)
	}
}

// A page with very many grounds and curves, and many texts beside them, is read in bounded time.
func TestManyGroundsAndCurvesAreReadInBoundedTime(t *testing.T) {
	s := newSheet()
	for range 20000 {
		s.fill(40, 400, 400, 720)
	}
	for i := range 150 {
		y := 405 + 2*float64(i)
		s.page.Fixed = append(s.page.Fixed, document.Box{X0: 45, X1: 395, Y0: y, Y1: y + 0.5})
	}
	for i := range 60 {
		s.write(20, 390-6*float64(i), 5, regular, strings.Repeat("a word ", 30))
	}
	require.NotEmpty(t, flow.Build(s.page, nil).Blocks)
}
