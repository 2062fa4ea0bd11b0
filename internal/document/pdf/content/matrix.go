package content

import "math"

// Matrix is an affine transformation of row vectors: (x, y) becomes (A·x + C·y + E, B·x + D·y + F).
type Matrix struct{ A, B, C, D, E, F float64 }

// Identity changes nothing.
var Identity = Matrix{A: 1, D: 1}

// Translation moves by x and y.
func Translation(x, y float64) Matrix { return Matrix{A: 1, D: 1, E: x, F: y} }

// Mul applies m first and n after it.
func (m Matrix) Mul(n Matrix) Matrix {
	return Matrix{
		A: m.A*n.A + m.B*n.C, B: m.A*n.B + m.B*n.D,
		C: m.C*n.A + m.D*n.C, D: m.C*n.B + m.D*n.D,
		E: m.E*n.A + m.F*n.C + n.E, F: m.E*n.B + m.F*n.D + n.F,
	}
}

// Apply transforms a point.
func (m Matrix) Apply(x, y float64) (float64, float64) {
	return m.A*x + m.C*y + m.E, m.B*x + m.D*y + m.F
}

// Inverse returns the inverse; ok is false for a matrix without one.
func (m Matrix) Inverse() (n Matrix, ok bool) {
	det := m.A*m.D - m.B*m.C
	if math.Abs(det) < 1e-12 || math.IsNaN(det) || math.IsInf(det, 0) {
		return Identity, false
	}
	n = Matrix{A: m.D / det, B: -m.B / det, C: -m.C / det, D: m.A / det}
	n.E, n.F = -(m.E*n.A + m.F*n.C), -(m.E*n.B + m.F*n.D)
	return n, true
}

// finite reports whether every element is an ordinary number.
func (m Matrix) finite() bool {
	for _, v := range []float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return false
		}
	}
	return true
}
