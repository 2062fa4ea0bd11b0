package flow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
)

// upright adds a vertical rule of half a point.
func (s *sheet) upright(x, y0, y1 float64) *sheet {
	s.op++
	s.page.Rules = append(s.page.Rules, document.Rule{Box: document.Box{X0: x, Y0: y0, X1: x + 0.5, Y1: y1}, Op: s.op})
	return s
}

// stations is a table with a head of two rows, a cell over two rows, and texts of one and two lines in the middle of their cells.
func stations() *sheet {
	s := newSheet()
	s.write(60, 686, 10, regular, "Region").write(160, 693, 10, regular, "Equipment").write(290, 686, 10, regular, "Remarks")
	s.write(160, 677, 10, regular, "Sensors").write(230, 677, 10, regular, "Radios")
	s.write(60, 641, 10, regular, "Northern").write(60, 629, 10, regular, "highlands")
	s.write(160, 656, 10, regular, "Warmth and").write(160, 644, 10, regular, "moisture").write(230, 650, 10, regular, "12")
	s.write(290, 656, 10, regular, "Visited by the team").write(290, 644, 10, regular, "on foot")
	s.write(160, 620, 10, regular, "Wind").write(230, 620, 10, regular, "4").write(290, 620, 10, regular, "Not in use")
	return s
}

const stationCells = `table 0,0: Region
table 0,1+1: Equipment
table 0,3: Remarks
table 1,1: Sensors
table 1,2: Radios
table 2,0: Northern highlands
table 2,1: Warmth and moisture
table 2,2 (no_text): 12
table 2,3: Visited by the team on foot
table 3,1: Wind
table 3,2 (no_text): 4
table 3,3: Not in use
`

func TestCellsBetweenRulesAreWhole(t *testing.T) {
	s := stations()
	for _, y := range []float64{702, 667, 612} {
		s.rule(50, 420, y)
	}
	s.rule(150, 280, 686).rule(150, 420, 636)
	for _, x := range []float64{50, 150, 280, 420} {
		s.upright(x, 612, 702)
	}
	s.upright(220, 612, 686)
	require.Equal(t, stationCells, s.read())
}

func TestCellsWithAGroundAreWhole(t *testing.T) {
	s := newSheet().fill(50, 150, 640, 680).fill(150, 300, 640, 680).fill(50, 150, 620, 640).fill(150, 300, 620, 640)
	s.write(60, 656, 10, regular, "Budget").write(160, 666, 10, regular, "The budget of the next").write(160, 646, 10, regular, "year is approved.")
	s.write(60, 626, 10, regular, "Travel").write(160, 626, 10, regular, "All by train")
	require.Equal(t, `table 0,0: Budget
table 0,1: The budget of the next year is approved.
table 1,0: Travel
table 1,1: All by train
`, s.read())
}

// A frame around parts of a page is no table, and neither are lists without rules between their rows cells.
func TestListsWithinAFrameAreNoCells(t *testing.T) {
	s := newSheet()
	for i, name := range []string{"Eddystone", "Bell Rock", "Fastnet", "Inchcape"} {
		y := 690 - 14*float64(i)
		s.write(60, y, 10, regular, name).write(260, y, 10, regular, "white").write(460, y, 10, regular, "a light")
	}
	s.rule(50, 560, 702).rule(50, 560, 640).rule(50, 560, 720)
	s.write(60, 706, 10, regular, "Name").write(260, 706, 10, regular, "Color").write(460, 706, 10, regular, "Sign")
	for _, x := range []float64{50, 250, 450, 560} {
		s.upright(x, 640, 720)
	}
	got := s.read()
	require.Contains(t, got, ": Bell Rock\n")
	require.Equal(t, 4, strings.Count(got, ": white\n"))
}

// The texts of a row without rules may have different numbers of lines, and stand in the middle of it.
func TestTextsInTheMiddleOfTheirRow(t *testing.T) {
	s := newSheet().write(50, 700, 10, regular, "Name").write(150, 700, 10, regular, "Work").write(330, 700, 10, regular, "Place")
	s.write(50, 680, 10, regular, "Anna").write(50, 668, 10, regular, "Example").write(150, 680, 10, regular, "Engineer of the northern")
	s.write(150, 668, 10, regular, "stations").write(330, 674, 10, regular, "Northtown")
	s.write(50, 642, 10, regular, "Bert").write(150, 642, 10, regular, "Technician").write(330, 648, 10, regular, "Harbor office,").write(330, 636, 10, regular, "first floor")
	s.write(50, 616, 10, regular, "Cora").write(150, 616, 10, regular, "Driver").write(330, 616, 10, regular, "Workshop")
	require.Equal(t, `table 0,0: Name
table 0,1: Work
table 0,2: Place
table 1,0: Anna Example
table 1,1: Engineer of the northern stations
table 1,2: Northtown
table 2,0: Bert
table 2,1: Technician
table 2,2: Harbor office, first floor
table 3,0: Cora
table 3,1: Driver
table 3,2: Workshop
`, s.read())
}

// Two tables with a caption between them have columns of their own, and sums below a table belong to it.
func TestTablesBelowEachOther(t *testing.T) {
	s := newSheet()
	row := func(y float64, right bool, texts ...string) {
		for i, text := range texts {
			x := 50 + 120*float64(i)
			if right {
				x = []float64{50, 400, 480}[i+3-len(texts)]
				if x > 50 {
					x -= 5 * float64(len(text))
				}
			}
			s.write(x, y, 10, regular, text)
		}
	}
	row(700, false, "Name", "Work", "Place")
	row(684, false, "Anna", "Engineer", "Northtown")
	row(668, false, "Bert", "Technician", "Harbor")
	row(646, false, "Costs in euros")
	row(630, true, "Batteries and chargers of all stations", "1,200", "1,310")
	row(614, true, "Fuel", "3,400", "2,950")
	row(598, true, "Training of employees", "500", "480")
	row(582, true, "Sum of the planned costs", "5,100")
	require.Equal(t, `table 0,0: Name
table 0,1: Work
table 0,2: Place
table 1,0: Anna
table 1,1: Engineer
table 1,2: Northtown
table 2,0: Bert
table 2,1: Technician
table 2,2: Harbor
text start: Costs in euros
table 0,0: Batteries and chargers of all stations
table 0,1 (no_text): 1,200
table 0,2 (no_text): 1,310
table 1,0: Fuel
table 1,1 (no_text): 3,400
table 1,2 (no_text): 2,950
table 2,0: Training of employees
table 2,1 (no_text): 500
table 2,2 (no_text): 480
table 3,0 (empty): `+`
table 3,1: Sum of the planned costs
table 3,2 (no_text): 5,100
`, s.read())
}
