//go:build race

package api_test

const raceFactor = 3
