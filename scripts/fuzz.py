"""Feeds damaged and hostile input to the readers, the lexer and the parsers, until the time is over.

Seeds are the logs and plan texts of the tests. Each round mutates one (bytes flipped, cut, repeated, pieces of other
seeds or of hostile text put in), and gives it to a target:

* `log`: a log's bytes, in every codec, to `read_stream` and `assemble`;
* `events`: single lines to the decoders, and what comes of them to rows and batches, as the Spark job does;
* `plan`: a plan text to `summarize_plan`, `read_plan`, `trace` and `redaction`;
* `expression`: a text to the lexer and the parser.

Any exception but the program's own, a round of more than `--limit` seconds, and memory that grows beyond `--memory` MiB
are findings: the input is kept in `--found`, and the program ends with 1.

Usage: `PYTHONPATH=src:tests python scripts/fuzz.py --minutes 10 [--seed 1] [--target plan]`
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from eventlog_lineage.errors import LineageError
from eventlog_lineage.events.assembly import assemble
from eventlog_lineage.events.reading import read_stream
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart
from eventlog_lineage.harvest.checkpoints import Batch, NewStatement
from eventlog_lineage.harvest.extract import Collector
from eventlog_lineage.harvest.row_batches import RowBatches, unpack
from eventlog_lineage.harvest.statement_rows import add_lineage, pack_text, summarized_event
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.grammar.parser import parse_expression
from eventlog_lineage.plan.plan_text import PlanText, SummaryCache, read_plan
from eventlog_lineage.plan.summary.plan_summary import pack_summary, unpack_summary
from eventlog_lineage.plan.tree.nodes import attribute_names
from eventlog_lineage.redaction import PLAIN
from support.event_logs import ENCODERS  # type: ignore[import-not-found]

TESTS = Path(__file__).resolve().parent.parent / "tests"
HOSTILE = [
    *("(" * 500, "[" * 500, "," * 500, "#" * 300, "#1" * 300, " AS x#1" * 200, "\n" * 300, "+- " * 300, ":  " * 300),
    *(
        "\n\n(1) Scan x\n",
        "\n\n== Physical Plan ==\n",
        "\n\nSubquery:1 Hosting operator id = 1 Hosting Expression = x\n",
    ),
    *(
        "\n+- *(1) Project [a#1]",
        "... 999999999999 more fields",
        "Output [999999999]: [",
        "(unknown)",
        "\x00",
        "\ud800",
    ),
    *(
        "CASE WHEN " * 100,
        "if (" * 100,
        "lambda x#1, " * 100,
        "Subquery scalar-subquery#1, [id=#2]",
        "9" * 400,
        "İ" * 50,
    ),
    *("password=", "://a:b@", "struct<a:" * 200, "CatalogTable(\nDatabase: ", "`" * 99, "IN dynamicpruning#1", "é漢😀"),
]
BYTES = [
    b"\x28\xb5\x2f\xfd",
    b"LZ4Block",
    b"\x82SNAPPY\x00",
    b"ZV\x01",
    b"\x1f\x8b",
    b"\xff" * 40,
    b"\x00" * 40,
    b'{"Event":"',
]
NUMBERS = ["-1", "0", "1e999", str(2**63), str(2**64), "null", '"x"', "[]", "{}", "true", "1.5", "[" * 2000]


class Late(BaseException):
    """A round takes too long."""


def main() -> None:
    """Run rounds until the time is over or something is found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--target", choices=sorted(TARGETS))
    parser.add_argument("--limit", type=int, default=20, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=2048, metavar="MIB")
    parser.add_argument("--found", type=Path, default=Path("/tmp/fuzz-found"))
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _late)
    chance = random.Random(options.seed)
    seeds = Seeds(chance)
    ends = time.monotonic() + options.minutes * 60
    rounds: Counter[str] = Counter()
    found = 0
    slowest = 0.0
    while time.monotonic() < ends:
        name = options.target or chance.choice(sorted(TARGETS))
        given, call = TARGETS[name](seeds)
        started = time.monotonic()
        signal.alarm(options.limit)
        try:
            call()
        except (Exception, Late):  # every one is a finding
            found += 1
            options.found.mkdir(parents=True, exist_ok=True)
            kept = options.found / f"{name}-{options.seed}-{sum(rounds.values())}"
            kept.write_bytes(given if isinstance(given, bytes) else given.encode("utf-8", "surrogatepass"))
            print(f"FOUND {kept}\n{traceback.format_exc(limit=-6)}", flush=True)
        finally:
            signal.alarm(0)
        slowest = max(slowest, time.monotonic() - started)
        rounds[name] += 1
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > options.memory * 1024:
            print(f"FOUND memory beyond {options.memory} MiB after {name}")
            found += 1
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    told = ", ".join(f"{count} {name}" for name, count in sorted(rounds.items()))
    print(f"{sum(rounds.values())} rounds ({told}), {found} found, slowest {slowest:.1f} s, peak {peak} MiB")
    sys.exit(1 if found else 0)


def _late(*_: object) -> None:
    raise Late


class Seeds:
    """What is mutated, and how."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        plans = [path.read_text() for path in (TESTS / "operators" / "fixtures").rglob("*.plan")]
        for path in (TESTS / "lineage").glob("e*/*.plans"):  # explain_modes, extended_text
            plans += [part.partition("\n")[2] for part in path.read_text().split("##### ")[1:]]
        self.plans = plans
        self.logs = [path.read_bytes() for path in (TESTS / "events" / "logs").rglob("*") if path.is_file()]
        texts = [b"".join(_text(log)) for log in self.logs]
        self.lines = [line for text in texts for line in text.split(b"\n") if line][:20_000]
        self.texts = [text for text in texts if text]

    def mutated_text(self, text: str) -> str:
        """A text with some pieces changed."""
        for _ in range(self.chance.randint(1, 6)):
            at, to = sorted(self.chance.randint(0, len(text)) for _ in range(2))
            to = min(to, at + self.chance.choice((1, 5, 50, 2000)))
            piece = self.chance.choice(
                (
                    lambda: "",
                    lambda: text[at:to] * self.chance.randint(2, 5),  # noqa: B023 - called at once
                    lambda: self.chance.choice(HOSTILE),
                    lambda: self._piece(self.chance.choice(self.plans)),
                    lambda: chr(self.chance.choice((10, 32, 35, 40, 41, 44, 58, 91, 93, 0x2028, 0x1F600))),
                )
            )()
            text = text[:at] + piece + text[to:]
        return text[:400_000]

    def _piece(self, text: str) -> str:
        at = self.chance.randint(0, len(text))
        return text[at : at + self.chance.randint(1, 400)]

    def mutated_bytes(self, content: bytes) -> bytes:
        """Bytes with some changed, cut, or put in."""
        for _ in range(self.chance.randint(1, 4)):
            at = self.chance.randint(0, len(content))
            to = min(at + self.chance.choice((0, 1, 8, 400)), len(content))
            piece = self.chance.choice(
                (b"", self.chance.choice(BYTES), self.chance.randbytes(self.chance.randint(1, 30)))
            )
            content = content[:at] + piece + content[to:]
        return content[: self.chance.randint(0, len(content))] if self.chance.random() < 0.3 else content


def _text(log: bytes) -> Iterator[bytes]:
    from eventlog_lineage.events.compression import Decoding  # noqa: PLC0415 - only here

    yield from Decoding(BytesIO(log))


Target = tuple[bytes | str, Callable[[], object]]


def fuzz_log(seeds: Seeds) -> Target:
    """A log's bytes, as stored or framed anew."""
    chance = seeds.chance
    content = chance.choice(seeds.logs)
    if chance.random() < 0.5:
        text = chance.choice(seeds.texts)[: chance.randint(1, 300_000)]
        cuts = sorted(chance.randint(0, len(text)) for _ in range(chance.randint(1, 9)))
        pieces = [text[a:b] for a, b in zip((0, *cuts), (*cuts, len(text)), strict=True)]
        content = chance.choice(list(ENCODERS.values()))(pieces)
    content = seeds.mutated_bytes(content)
    log = EventLog("log", Layout.SINGLE, (LogPart("log", len(content), 1, 1),))
    return content, lambda: assemble(read_stream(BytesIO(content)), log)


def fuzz_events(seeds: Seeds) -> Target:
    """Lines with fields of other types, to rows and batches."""
    chance = seeds.chance
    lines = []
    for line in chance.choices(seeds.lines, k=chance.randint(1, 30)):
        text = line.decode("utf-8", "replace")
        places = [at for at in range(len(text)) if text.startswith(":", at)][:400]
        for at in chance.sample(places, min(len(places), chance.randint(0, 3))):
            end = min((text.find(mark, at) for mark in ",}" if text.find(mark, at) > 0), default=len(text))
            text = text[: at + 1] + chance.choice(NUMBERS) + text[end:]
        lines.append(text.encode())
    content = b"\n".join(lines)

    def call() -> None:
        log = EventLog("log", Layout.SINGLE, (LogPart("log", len(content), 1, 1),))
        collector = Collector({})
        events = [summarized_event(event, PLAIN) for event in read_stream(BytesIO(content))]
        texts = {PlanText(text).summary.fingerprint: pack_text(text) for _, text in events if text}
        records = [*collector.take(assemble((event for event, _ in events), log), log, 0, 0), *collector.rest()]
        batches = RowBatches()
        for record in records:
            if isinstance(record, Batch):
                unpack(record.payload)
            elif isinstance(record, NewStatement):
                add_lineage(record._replace(texts=texts), batches)
        list(batches.rest())

    return content, call


def fuzz_plan(seeds: Seeds) -> Target:
    """A plan text to its lineage."""
    text = seeds.mutated_text(seeds.chance.choice(seeds.plans))

    def call() -> None:
        PLAIN.text(text)
        head = PlanText(text).summary
        assert unpack_summary(pack_summary(head)) == head
        known = SummaryCache(str)
        assert known.read(PlanText(text)) == head == known.read(PlanText(text))
        lineage = trace_texts(text)
        broken = [gap for gap in lineage.gaps if gap.reason is GapReason.INTERNAL_ERROR]
        assert not broken, broken

    return text, call


def fuzz_expression(seeds: Seeds) -> Target:
    """A piece of a plan as an expression."""
    plan = seeds.chance.choice(seeds.plans)
    text = seeds.mutated_text(seeds._piece(plan))

    def call() -> None:
        try:
            names = attribute_names(read_plan(plan))
        except LineageError:
            names = {}
        parse_expression(text, names)

    return text, call


TARGETS: dict[str, Callable[[Seeds], Target]] = {
    "events": fuzz_events,
    "expression": fuzz_expression,
    "log": fuzz_log,
    "plan": fuzz_plan,
}

if __name__ == "__main__":
    main()
