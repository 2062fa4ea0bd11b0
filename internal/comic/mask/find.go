package mask

import "plait/internal/comic"

// find separates the ink of a region from its ground and grows it into a hole.
func find(s *inspection) Region {
	g := s.commonGround()
	interior, ok := g.interior()
	s.textured = g.isTexture(interior, ok) || ok && g.isCrossed(interior)
	// For drawn sounds and on textures, separate pieces of art are not lettering, so its style has to decide.
	if ok && s.region.Kind != comic.KindEffect && !s.textured {
		g.split(interior)
		if g.holds(leastGround, groundLevels) || g.holds(mostGround, coarseLevels) {
			return g.lettering()
		}
	}
	ink := s.inkOnArt()
	around := s.groundAround(ink)
	if around.holds(mostGround, groundLevels) {
		return around.lettering()
	}
	out := Region{Index: s.region.Index, Ground: around.color, Ink: ink, Hole: ink.Dilate(rim)}
	if s.textured {
		out.Class = Texture
		return out
	}
	if out.Rest = s.hasRest(out.Hole); out.Rest {
		// The rest may end in the first band around the hole and the soft edge of what is there.
		if wider := out.Hole.Dilate(restBand + rim); !s.hasRest(wider) {
			out.Hole, out.Rest = wider, false
		}
	}
	return out
}
