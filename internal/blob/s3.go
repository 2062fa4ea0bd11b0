package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"plait/internal/core"
)

// s3 stores a blob as the object prefix/sha256/abcdef…
type s3 struct {
	client *minio.Client
	bucket string
	prefix string
}

const amazonEndpoint = "https://s3.amazonaws.com"

// spoolMemory is the size in bytes up to which content is buffered in memory until its hash, which is in its key, is known. Larger
// content is buffered in a file. Pages fit into memory.
const spoolMemory = 8 << 20

// requestTries is how often a request is attempted before the method fails. The step that calls it has its own retry rule.
const requestTries = 3

func openS3(u *url.URL) (Store, error) {
	query := u.Query()
	for name := range query {
		if name != "endpoint" && name != "region" {
			return nil, core.Errorf(core.CodeInvalidInput, "the parameters of an S3 location are endpoint and region, not %q", name)
		}
	}
	if u.Host == "" {
		return nil, core.NewError(core.CodeInvalidInput, "an S3 location is written s3://bucket/prefix")
	}
	endpoint := query.Get("endpoint")
	switch {
	case endpoint == "":
		endpoint = amazonEndpoint
	case !strings.Contains(endpoint, "://"):
		endpoint = "https://" + endpoint
	}
	e, err := url.Parse(endpoint)
	if err != nil || e.Host == "" || strings.Trim(e.Path, "/") != "" || (e.Scheme != "http" && e.Scheme != "https") {
		return nil, core.NewError(core.CodeInvalidInput, "the endpoint of an S3 location is written http://host:port or https://host")
	}
	client, err := minio.New(e.Host, &minio.Options{
		Creds: s3Credentials(), Secure: e.Scheme == "https", Region: query.Get("region"), MaxRetries: requestTries,
	})
	if err != nil {
		return nil, core.Errorf(core.CodeInvalidInput, "the S3 location cannot be used: %w", err)
	}
	return &s3{client: client, bucket: u.Host, prefix: strings.Trim(u.Path, "/")}, nil
}

// s3Credentials returns the credentials in the environment, or else those of the role of the machine or pod.
func s3Credentials() *credentials.Credentials {
	if os.Getenv("AWS_ACCESS_KEY_ID") != "" {
		return credentials.NewEnvAWS()
	}
	return credentials.NewIAM("")
}

func (s *s3) key(ref core.BlobRef) (string, error) {
	if _, err := core.ParseBlobRef(string(ref)); err != nil {
		return "", err
	}
	return path.Join(s.prefix, "sha256", ref.Hex()), nil
}

func (s *s3) Put(ctx context.Context, r io.Reader, maxBytes int64) (core.BlobRef, int64, error) {
	src := newSource(ctx, r, maxBytes)
	content, discard, err := spool(src)
	if err != nil {
		return "", 0, err
	}
	defer discard()
	ref := src.ref()
	key, err := s.key(ref)
	if err != nil {
		return "", 0, err
	}
	_, err = s.client.PutObject(ctx, s.bucket, key, content, src.size(), minio.PutObjectOptions{
		ContentType: "application/octet-stream",
		// With a chunked signature, the length of an empty body is unknown, and servers refuse the request.
		DisableContentSha256: src.size() == 0,
	})
	if err != nil {
		return "", 0, s.fault(ctx, err, ref)
	}
	return ref, src.size(), nil
}

// spool reads all of src, so that its hash is known, and returns a reader of the buffered content. discard releases the buffer.
func spool(src *source) (content io.Reader, discard func(), err error) {
	var head bytes.Buffer
	_, err = io.CopyN(&head, src, spoolMemory)
	if errors.Is(err, io.EOF) {
		return bytes.NewReader(head.Bytes()), func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := Unnamed()
	if err != nil {
		return nil, nil, err
	}
	discard = func() { _ = f.Close() } // an error does not matter: the file is gone
	_, err = io.Copy(onlyWriter{f}, io.MultiReader(&head, src))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		return f, discard, nil
	}
	discard()
	if src.err != nil {
		return nil, nil, src.err
	}
	return nil, nil, unavailable(err, "a blob cannot be stored")
}

func (s *s3) Open(ctx context.Context, ref core.BlobRef) (io.ReadSeekCloser, int64, error) {
	key, err := s.key(ref)
	if err != nil {
		return nil, 0, err
	}
	object, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, 0, s.fault(ctx, err, ref)
	}
	info, err := object.Stat() // GetObject has sent no request yet
	if err != nil {
		_ = object.Close()
		return nil, 0, s.fault(ctx, err, ref)
	}
	return check(object, info.Size, ref), info.Size, nil
}

func (s *s3) Read(ctx context.Context, ref core.BlobRef, maxBytes int64) ([]byte, error) {
	return readChecked(ctx, s, ref, maxBytes)
}

func (s *s3) Stat(ctx context.Context, ref core.BlobRef) (int64, error) {
	key, err := s.key(ref)
	if err != nil {
		return 0, err
	}
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return 0, s.fault(ctx, err, ref)
	}
	return info.Size, nil
}

func (s *s3) Delete(ctx context.Context, ref core.BlobRef) error {
	key, err := s.key(ref)
	if err != nil {
		return err
	}
	err = s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{})
	if err = s.fault(ctx, err, ref); core.CodeOf(err) == core.CodeBlobMissing {
		return nil
	}
	return err
}

func (s *s3) Check(ctx context.Context) error {
	key := path.Join(s.prefix, "check", uuid.NewString())
	_, err := s.client.PutObject(ctx, s.bucket, key, strings.NewReader("check"), 5, minio.PutObjectOptions{})
	if err == nil {
		err = s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{})
	}
	return s.fault(ctx, err, "")
}

// fault converts an error of a request: CodeBlobMissing for a missing object, CodeUnavailable for everything else, including a missing
// bucket.
func (s *s3) fault(ctx context.Context, err error, ref core.BlobRef) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	response := minio.ToErrorResponse(err)
	if response.Code == minio.NoSuchKey || (response.StatusCode == http.StatusNotFound && response.Code != minio.NoSuchBucket) {
		return missing(ref)
	}
	return unavailable(err, "a request to the blob store failed")
}

// Link implements [Linker] by a presigned URL.
func (s *s3) Link(ctx context.Context, ref core.BlobRef, lifetime time.Duration, contentType, disposition string) (string, error) {
	key, err := s.key(ref)
	if err != nil {
		return "", err
	}
	u, err := s.client.PresignedGetObject(ctx, s.bucket, key, lifetime, url.Values{
		"response-content-type": {contentType}, "response-content-disposition": {disposition},
	})
	if err != nil {
		return "", s.fault(ctx, err, ref)
	}
	return u.String(), nil
}
