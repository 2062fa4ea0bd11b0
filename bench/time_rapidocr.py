"""Times RapidOCR on pages, as what `make bench-read` compares with: python time_rapidocr.py PAGE...

RapidOCR runs as it comes, on all cores, but without its angle classifier, which costs time and turns short lines of
comics upside down. Loading and the first page, read once before, are not timed; decoding is. Prints one JSON object:
pages, seconds of all pages, the part of detection and of recognition, the peak memory of the process, the version.
"""

import importlib.metadata
import json
import logging
import resource
import sys
import time

import cv2
from rapidocr import RapidOCR


def main(paths):
    logging.disable(logging.WARNING)
    engine = RapidOCR()
    engine(cv2.imread(paths[0]), use_cls=False)
    parts = [0.0, 0.0]
    start = time.perf_counter()
    for path in paths:
        result = engine(cv2.imread(path), use_cls=False)
        for i, k in enumerate((0, 2)):
            if result.elapse_list[k] is not None:
                parts[i] += result.elapse_list[k]
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    json.dump({
        "version": importlib.metadata.version("rapidocr"), "pages": len(paths), "seconds": seconds,
        "detection": parts[0], "recognition": parts[1], "memory_mib_at_peak": peak / 1024,
    }, sys.stdout)


main(sys.argv[1:])
