"""Reads pages with RapidOCR, for `go run ./bench/quality -peer PYTHON`.

RapidOCR runs as it comes, on one thread as Plait does there, and with the same session options: denormals are flushed to zero.
Its angle classifier is off: it costs time and turns short lines of comics upside down. Each line of standard input is the path of
a page; each line of standard output is a JSON object: lines of {"box": [left, top, right, bottom], "text", "score"}, and cpu and
wall, in seconds, without decoding the page. The first line says the version.
"""

import importlib.metadata
import json
import logging
import sys
import time

import cv2
import onnxruntime
import rapidocr.inference_engine.onnxruntime.main as backend
from rapidocr import RapidOCR


def session(path, sess_options, **rest):
    sess_options.add_session_config_entry("session.set_denormal_as_zero", "1")
    sess_options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, sess_options=sess_options, **rest)


backend.InferenceSession = session


def say(value):
    print(json.dumps(value, ensure_ascii=False), flush=True)


def lines(result):
    if result.boxes is None:
        return
    for corners, text, score in zip(result.boxes, result.txts, result.scores):
        x, y = [float(p[0]) for p in corners], [float(p[1]) for p in corners]
        yield {"box": [min(x), min(y), max(x), max(y)], "text": text, "score": float(score)}


def main():
    logging.disable(logging.WARNING)
    cv2.setNumThreads(1)
    engine = RapidOCR()
    say({"version": importlib.metadata.version("rapidocr")})
    for path in sys.stdin:
        page = cv2.imread(path.rstrip("\n"))
        wall, cpu = time.perf_counter(), time.process_time()
        result = engine(page, use_cls=False)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        say({"lines": list(lines(result)), "cpu": cpu, "wall": wall})


main()
