# syntax=docker/dockerfile:1
# One image for every role: `plait api`, `plait worker --role …`, `plait migrate`. Target `gpu` adds CUDA.

FROM golang:1.26-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends make python3 python3-pip && rm -rf /var/lib/apt/lists/*
# The page is bundled with a newer Node than Debian's.
COPY --from=node:22-bookworm-slim /usr/local/bin/node /usr/local/bin/
COPY --from=node:22-bookworm-slim /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /src
# What is fetched changes seldom, the code often: the fetched files are a layer of their own.
COPY go.mod go.sum ./
RUN go mod download
COPY Makefile ./
COPY scripts scripts
COPY assets assets
COPY internal/assets internal/assets
COPY devserver/go.mod devserver/go.mod
RUN make assets assets-video assets-upscale
COPY . .
ARG VERSION=development
RUN make build VERSION="$VERSION"

FROM debian:bookworm-slim AS plait
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates curl && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/plait --create-home plait
COPY --from=build /src/build/plait /usr/lib/plait/plait
COPY --from=build /src/build/assets /usr/lib/plait/assets
COPY --from=build /src/build/assets-video /usr/lib/plait/assets-video
COPY --from=build /src/build/assets-upscale /usr/lib/plait/assets-upscale
RUN ln -s /usr/lib/plait/plait /usr/local/bin/plait && mkdir -p /var/lib/plait/blobs && chown -R plait:plait /var/lib/plait
USER plait
WORKDIR /var/lib/plait
ENV PLAIT_HTTP_ADDRESS=0.0.0.0:8080 \
    PLAIT_HTTP_METRICS_ADDRESS=0.0.0.0:9090 \
    PLAIT_BLOB_URL=/var/lib/plait/blobs \
    PLAIT_LOG_FORMAT=json
VOLUME /var/lib/plait/blobs
ENTRYPOINT ["plait"]

# ONNX Runtime with the CUDA provider, from its wheel. A wheel is a zip; nothing of it is run.
FROM build AS onnxruntime-gpu
RUN pip3 download --no-deps --require-hashes --only-binary=:all: --python-version 3.11 --platform manylinux_2_28_x86_64 \
        -r assets/requirements-gpu.txt -d /wheel \
    && python3 -m zipfile -e /wheel/*.whl /unpacked \
    && mkdir /onnxruntime && mv /unpacked/onnxruntime/capi/libonnxruntime*.so* /onnxruntime/ \
    && rm -f /onnxruntime/*tensorrt* && ln -s libonnxruntime.so.1.31.1 /onnxruntime/libonnxruntime.so

FROM nvidia/cuda:13.0.1-cudnn-runtime-ubuntu24.04 AS gpu
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates curl && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/plait --create-home plait
COPY --from=plait /usr/lib/plait /usr/lib/plait
COPY --from=onnxruntime-gpu /onnxruntime /usr/lib/plait/onnxruntime-gpu
RUN ln -s /usr/lib/plait/plait /usr/local/bin/plait && mkdir -p /var/lib/plait/blobs && chown -R plait:plait /var/lib/plait
USER plait
WORKDIR /var/lib/plait
ENV PLAIT_HTTP_METRICS_ADDRESS=0.0.0.0:9090 \
    PLAIT_BLOB_URL=/var/lib/plait/blobs \
    PLAIT_LOG_FORMAT=json \
    PLAIT_DEVICE_KIND=cuda \
    PLAIT_DEVICE_LIBRARY=/usr/lib/plait/onnxruntime-gpu/libonnxruntime.so
VOLUME /var/lib/plait/blobs
ENTRYPOINT ["plait"]

# The default target is the last stage.
FROM plait
