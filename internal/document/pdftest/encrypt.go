package pdftest

import (
	"bytes"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// Encrypt encrypts a file with AES-256. An empty user password makes a file that opens without one, and keeps its restrictions.
func Encrypt(file []byte, user, owner string) ([]byte, error) {
	api.DisableConfigDir()
	var encrypted bytes.Buffer
	settings := model.NewAESConfiguration(user, owner, 256)
	err := api.Encrypt(bytes.NewReader(file), &encrypted, settings)
	return encrypted.Bytes(), err
}
