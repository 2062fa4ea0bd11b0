"""Translate comic pages with the Python client: client.py ADDRESS KEY FROM TO OUT.cbz PAGE..."""

import sys
import time
from http import HTTPStatus
from pathlib import Path

from plait_client import AuthenticatedClient
from plait_client.api.default import create_translation, get_result, get_task
from plait_client.models import CreateTranslationFilesBody, Error, Status, Task
from plait_client.types import File

ENDED = {Status.SUCCESS, Status.PARTIAL, Status.ERROR, Status.CANCELED}


def checked(answer):
    """Return what the server answered, or fail with its error."""
    if isinstance(answer, Error):
        raise SystemExit(f"{answer.code}: {answer.message} (request {answer.request_id})")
    return answer


def translate(client: AuthenticatedClient, source: str, target: str, pages: list[Path], key: str) -> Task:
    """Create a task and wait for its end. The same key gives the same task, so that the request can be repeated."""
    files = [File(payload=page.open("rb"), file_name=page.name) for page in pages]
    body = CreateTranslationFilesBody(from_=source, to=target, file=files)
    task = checked(create_translation.sync(client=client, body=body, idempotency_key=key))
    while task.status not in ENDED:
        time.sleep(0.5)
        task = checked(get_task.sync(task.id, client=client))
    return task


def main() -> None:
    address, key, source, target, out, *pages = sys.argv[1:]
    client = AuthenticatedClient(base_url=address, token=key, timeout=60)
    with client:
        task = translate(client, source, target, [Path(page) for page in pages], f"client.py {out} {' '.join(pages)}")
        print(f"task {task.id}: {task.status.value}, {task.success_count} of {task.total_count} pages")
        answer = get_result.sync_detailed(task.id, client=client)
        if answer.status_code != HTTPStatus.OK:
            checked(answer.parsed)
        Path(out).write_bytes(answer.content)


if __name__ == "__main__":
    main()
