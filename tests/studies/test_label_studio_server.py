"""An assessment through the real Label Studio: project, answers and export by its API, then tables.

It runs where LAWNG_LABEL_STUDIO names its program (`pip install label-studio` in an environment of its own), a minute.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lawng.cli import app
from lawng.schema.labels import Label
from lawng.studies.assessment.draw import Task, read_tasks
from lawng.studies.assessment.study import draw_assessment
from lawng.web.server import listen
from split_support import examples, write_split

PROGRAM = os.environ.get("LAWNG_LABEL_STUDIO", "")
TOKEN = "0123456789abcdef0123456789abcdef01234567"
ITEMS = 24


class Server:
    """Label Studio on this machine."""

    def __init__(self, url: str) -> None:
        import httpx

        # nothing but this machine is asked, whatever proxies the environment names
        self._client = httpx.Client(
            base_url=url, headers={"Authorization": f"Token {TOKEN}"}, trust_env=False, timeout=60
        )

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What it answers, as JSON."""
        found = self._client.request(method, path, json=body)
        assert found.is_success, f"{path}: {found.status_code} {found.text[:300]}"
        return found.json()

    def is_up(self) -> bool:
        """Whether it answers yet."""
        import httpx

        try:
            return self._client.get("/health").is_success
        except httpx.HTTPError:
            return False


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with listen("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    given = ["--no-browser", "--host", url, "--port", str(port), "--internal-host", "127.0.0.1"]
    user = ["--username", "one@example.org", "--password", "words-of-a-test", "--user-token", TOKEN]
    told = {
        "LATEST_VERSION_CHECK": "false",
        "COLLECT_ANALYTICS": "false",
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    }
    place_of_data = tmp_path / "label-studio"
    place_of_data.mkdir()
    with (tmp_path / "label-studio.log").open("w") as log:
        command = [PROGRAM, "start", *given, *user, "--data-dir", str(place_of_data)]
        run = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | told, start_new_session=True)
    found = Server(url)
    until = time.monotonic() + 240
    while not found.is_up():
        assert run.poll() is None, (tmp_path / "label-studio.log").read_text()[-2000:]
        assert time.monotonic() < until, "it does not come up"
        time.sleep(1)
    yield found
    run.terminate()
    run.wait(30)


def answer(task: Task, worker: int) -> dict[str, Any]:
    """As a person answers: the automatic label, but that the second one disagrees on every fifth item."""
    label = Label(task.label)
    if worker and int(task.example_id.rpartition(":")[2]) % 5 == 0:
        label = Label.NEUTRAL if label is not Label.NEUTRAL else Label.ENTAILMENT
    said = [
        {"from_name": "label", "to_name": "text2", "type": "choices", "value": {"choices": [f"definitely {label}"]}}
    ]
    if label is not Label.NEUTRAL:
        said.append({"from_name": "snippet", "to_name": "text2", "type": "textarea", "value": {"text": ["the words"]}})
    return {"result": said}


@pytest.mark.skipif(not PROGRAM, reason="LAWNG_LABEL_STUDIO names no Label Studio")
@pytest.mark.slow("starts Label Studio")
def test_an_assessment_goes_through_label_studio_to_table_4(server: Server, tmp_path: Path) -> None:
    (tmp_path / "build" / "data").mkdir(parents=True)
    for split, n in (("train", 6), ("validation", 6), ("test", 120)):
        write_split(tmp_path / "build" / "data" / f"{split}.parquet", examples(n))
    folder = tmp_path / "assessment"
    draw_assessment(tmp_path / "build", folder, ITEMS)
    tasks = {task.task_id: task for task in read_tasks(folder)}

    config = (folder / "label-studio.xml").read_text()
    made = {
        "title": "assessment",
        "label_config": config,
        "expert_instruction": (folder / "instructions.txt").read_text(),
    }
    project = server.ask("POST", "/api/projects", made)["id"]
    server.ask("POST", f"/api/projects/{project}/import", json.loads((folder / "label-studio-tasks.json").read_text()))
    shown = server.ask("GET", f"/api/tasks?project={project}&page_size=500&fields=all")["tasks"]
    assert {one["data"]["task_id"] for one in shown} == set(tasks)
    assert not any("label" in one["data"] or "screening" in one["data"] for one in shown)

    workers = [server.ask("GET", "/api/current-user/whoami")["id"]]
    workers.append(server.ask("POST", "/api/users/", {"email": "two@example.org", "username": "two"})["id"])
    for one in shown:
        for at, worker in enumerate(workers):
            said = answer(tasks[one["data"]["task_id"]], at) | {"completed_by": worker}
            server.ask("POST", f"/api/tasks/{one['id']}/annotations/", said)
    export = server.ask("GET", f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=false")
    (tmp_path / "export.json").write_text(json.dumps(export))

    rows = [f"{task.task_id},{task.label}" for task in tasks.values() if task.screening]
    (tmp_path / "screening.csv").write_text("\n".join(["task_id,label", *rows]))
    given = [str(folder), str(tmp_path / "export.json"), "--screening", str(tmp_path / "screening.csv")]
    result = CliRunner().invoke(app, ["annotate", "gold", *given])
    assert result.exit_code == 0, result.output
    read = [task for task in tasks.values() if not task.screening]
    agreed = sum(answer(task, 0) == answer(task, 1) for task in read)
    assert f"{len(read)} items read by two, {agreed} gold labels" in result.output
    assert (folder / "gold.csv").read_text().count("\n") == agreed + 1
    gold = (folder / "gold.csv").read_text().splitlines()[1:]
    assert all(line.endswith(",the words") != (",neutral,neutral," in line) for line in gold), "snippets come along"
    with (folder / "tables" / "table-4.csv").open(newline="") as lines:
        table = {row[""]: row for row in csv.DictReader(lines)}
    for view in ("short", "long"):
        own = [task for task in read if task.premise == view]
        share = sum(answer(task, 0) == answer(task, 1) for task in own) / len(own)
        assert table["agreement"][f"{view}, all"].startswith(f"{share:.3f} (")
        assert table["gold labels: balanced accuracy"][f"{view}, all"].startswith("1.000 (")
