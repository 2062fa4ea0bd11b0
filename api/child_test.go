package api_test

const envServeDatabase = "PLAIT_TEST_SERVE_DATABASE"

func serveUntilStdinEnds() int { return 0 }
