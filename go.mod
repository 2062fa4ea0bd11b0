module plait

go 1.26.0
