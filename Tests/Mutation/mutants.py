#!/usr/bin/env python3
"""Chooses mutants of the library's sources, and inserts all of them into a copy, each behind a switch.

    mutants.py choose COUNT SEED DIRECTORY [PATH…]     writes DIRECTORY/mutants.json; PATH limits the files
    mutants.py choose-again DIRECTORY                  chooses as before, from the sources as they are now
    mutants.py insert DIRECTORY                        writes the sources with their mutants into DIRECTORY/tree
    mutants.py reject DIRECTORY LOG                    leaves out the mutants that the compiler complains about
    mutants.py check DIRECTORY                         fails if the sources have changed since
    mutants.py list [PATH…]                            prints all mutants

`scripts/mutate` runs these one after another. A mutant is a change within one statement that keeps the number of lines:
`a < b` becomes `(MutantSwitch.isOn(17) ? a <= b : a < b)`. The program that is built has all of them, and the environment
variable XDND_MUTANT turns one on.
"""

import functools
import hashlib
import json
import pathlib
import re
import sys

from swift_text import COMPARISONS, LOGIC, STRING, Source, bounds, is_balanced, split

# Where mutants are made, by the name in the report. The most specific directory counts.
ROOMS = {
    "Wire": "Sources/XDnD/Wire",
    "Content": "Sources/XDnD/Content",
    "Machines": "Sources/XDnD/Machines",
    "Grab": "Sources/XDnD/Machines/Grab",
    "Driver": "Sources/XDnD/Driver",
    "Files": "Sources/Files",
    "FileOperations": "Sources/FileOperations",
}
KINDS = ("comparison", "arithmetic", "logic", "condition", "constant", "statement", "result")
# The modules that have mutants. Each gets the switch.
MODULES = ("Sources/XDnD", "Sources/Files", "Sources/FileOperations")

# Left out, because unit tests rightly do not hold words for people, log lines and traps:
UNTESTED_FILES = (
    "Sources/XDnD/Content/Negotiation+Explanation.swift",  # explains a negotiation in words
    "Sources/XDnD/Driver/ExchangeTrace.swift",  # writes the trace
)
UNTESTED_PROPERTIES = ("description", "debugDescription", "explanation", "message")
UNTESTED_LINE = re.compile(
    r"\blogger\b|\btrace\.|\b(assert|assertionFailure|precondition|preconditionFailure|fatalError)\(|\bfunc ignored\b"
    r"|\breserveCapacity\b")
# The numbers of time limits, and of named limits and sizes: one more or less is no other behaviour.
UNTESTED_NUMBER = re.compile(
    r"\.(seconds|milliseconds|microseconds|nanoseconds)\(\s*$|\bstatic let \w+(: \w+)? = (\d[\d_]* (<<|\*) )*$")

NUMBER = "@NUMBER@"

# Two mutants for the check of the check: one changes nothing, the other must be noticed.
NULL_MUTANT, SURE_MUTANT = 9001, 9002
SELF_CHECKS = (
    (NULL_MUTANT, "Sources/XDnD/Wire/MessageWords.swift", "l1 >> 24", "l1 >> 24"),
    (SURE_MUTANT, "Sources/XDnD/Wire/MessageWords.swift", "l1 != 0", "l1 == 0"),
)

SWITCH = """internal import Glibc

enum MutantSwitch {
  private static let number = getenv("XDND_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
  static func isOn(_ mutant: Int) -> Bool { mutant == number }
}
"""


def is_on(number=NUMBER):
    return f"MutantSwitch.isOn({number})"


class Mutant:
    """A change of a statement. Edits are (line, start, end, text), where `NUMBER` in `text` stands for the mutant's number."""

    def __init__(self, source, kind, edits, before, after, line):
        self.path, self.kind, self.edits, self.line = str(source.path), kind, edits, line
        self.before, self.after = before, after
        self.room = max((path, name) for name, path in ROOMS.items() if self.path.startswith(path + "/"))[1]
        self.lines = range(edits[0][0], edits[-1][0] + 1)


class Finder:
    """Finds the mutants of one file."""

    def __init__(self, source, enums):
        self.source, self.enums = source, enums
        self.mutants = []
        self.number = 0

    def find(self):
        source = self.source
        opaque_until = None
        for self.number, code in enumerate(source.code):
            if opaque_until is not None:
                if source.parens[self.number] > opaque_until:
                    continue
                opaque_until = None
            if UNTESTED_LINE.search(code):
                if self.number + 1 < len(source.parens) and source.parens[self.number + 1] > source.parens[self.number]:
                    opaque_until = source.parens[self.number]
                continue
            if not code.strip() or self.is_untested() or re.match(r"\s*(#|@|import\b|internal import\b)", code):
                continue
            if re.search(r"\bvar (%s)\b" % "|".join(UNTESTED_PROPERTIES), code):
                continue
            self.operators(code)
            self.conditions(code)
            self.constants(code)
            self.statements(code)
            self.results(code)
        return self.mutants

    def is_untested(self):
        return any(
            brace.kind == "property" and brace.name in UNTESTED_PROPERTIES for brace in self.source.braces[self.number])

    def add(self, kind, start, end, switched, plain, line_edits=None):
        """A mutant that replaces `start..<end` of the line: by `switched` in the copy, by `plain` in the report."""
        line = self.source.lines[self.number]
        edits = line_edits or [(self.number, start, end, switched)]
        before = line.strip()
        after = (line[:start] + plain + line[end:]).strip() if line_edits is None else plain
        self.mutants.append(Mutant(self.source, kind, edits, before, after, self.number + 1))

    def variant(self, choices, start):
        """One of several mutations of a place. The choice depends on the place alone, so that it stays the same."""
        key = f"{self.source.path} {self.source.lines[self.number].strip()} {start}"
        return choices[int(hashlib.sha256(key.encode()).hexdigest(), 16) % len(choices)]

    # ---- Operators

    def operators(self, code):
        if re.match(r"\s*(\w+ )*(func|init|extension|struct|class|enum|protocol|typealias|subscript)\b", code):
            begin = code.find("{")
            if begin < 0:
                return
        else:
            begin = 0
        for match in re.finditer(r"(?<= )(==|!=|<=|>=|<|>|\+|-|&&|\|\||\+=|-=)(?= )", code):
            operator, start = match[1], match.start()
            if start < begin:
                continue
            if operator in ("+=", "-="):
                self.compound(code, operator, start)
                continue
            if operator in LOGIC:
                kind, ends = "logic", ("||",) if operator == "&&" else ()
                new = "||" if operator == "&&" else "&&"
            elif operator in COMPARISONS:
                kind, ends = "comparison", LOGIC
                new = self.variant(
                    {"==": ("!=",), "!=": ("==",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="),
                     ">=": (">", "<")}[operator], start)
            else:
                kind, ends = "arithmetic", LOGIC + COMPARISONS + ("??", "..")
                new = "-" if operator == "+" else "+"
                near = code[start - 2] + code[start + 2]
                if any(character in near for character in "[]" + STRING):
                    continue
            self.swap(code, kind, operator, new, start, ends)

    def swap(self, code, kind, old, new, start, ends):
        found = bounds(code, start, start + len(old), ends)
        if not found:
            return
        left, right, begins, finishes = found
        logic_ends = old not in LOGIC
        if begins and self.source.began_before(self.number, logic_ends):
            return
        if finishes and self.source.goes_on(self.number, logic_ends):
            return
        line = self.source.lines[self.number]
        expression = line[left:right]
        mutated = line[left:start] + new + line[start + len(old) : right]
        self.add(kind, left, right, f"({is_on()} ? {mutated} : {expression})", mutated)

    def compound(self, code, operator, start):
        found = self.statement_on(code)
        if not found:
            return
        left, right = found
        line = self.source.lines[self.number]
        statement = line[left:right]
        if any(character in code[left:right] for character in "[" + STRING):
            return
        offset = start - left
        if offset < 0 or start >= right:
            return
        mutated = statement[:offset] + ("-=" if operator == "+=" else "+=") + statement[offset + 2 :]
        self.add("arithmetic", left, right, f"if {is_on()} {{ {mutated} }} else {{ {statement} }}", mutated)

    # ---- Conditions

    def conditions(self, code):
        for match in re.finditer(r"(?<![.\w])(if|guard|where) ", code):
            if match[1] == "where" and re.search(r"(?<![.\w])(func|extension|init|struct|class|protocol)\b", code):
                continue
            start = match.end()
            end, depth = start, 0
            while end < len(code):
                character = code[end]
                if depth == 0 and (
                    character == "{" or re.match(r" else\b", code[end:])
                    or match[1] == "where" and re.match(r":(\s|$)", code[end:])
                ):
                    break
                if character in "([{":
                    depth += 1
                elif character in ")]}":
                    if depth == 0:
                        break
                    depth -= 1
                end += 1
            clauses = split(code, start, end)
            if end == len(code):
                # The last clause may go on in the next line.
                if not code.endswith(","):
                    following = self.source.next_code(self.number)
                    if not re.match(r"\{|else\b", following):
                        clauses.pop()
            for left, right in clauses:
                clause = code[left:right]
                if not clause or not is_balanced(clause) or re.match(r"(let|var|case)\b|#", clause):
                    continue
                text = self.source.lines[self.number][left:right]
                plain = text[1:] if re.fullmatch(r"![\w.]+", text) else f"!{text}" if re.fullmatch(
                    r"[\w.?]+(\([^()]*\))?", text) else f"!({text})"
                self.add("condition", left, right, f"({text}) != {is_on()}", plain)

    # ---- Constants

    def constants(self, code):
        if re.match(r"\s*(indirect )?case\b", code) and (" = " in code or not self.body_of_case(code)):
            return
        begin = self.body_of_case(code) or 0
        for match in re.finditer(r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|\d[\d_]*)(?![\w.]*[\w])(?!\.\d)", code):
            if match.start() < begin or UNTESTED_NUMBER.search(code[: match.start()]):
                continue
            literal, start = match[1], match.start()
            value = int(literal.replace("_", ""), 0)
            up, down = value + 1, value - 1
            new = self.variant((up, down) if value > 0 else (up,), start)
            text = f"0x{new:X}" if literal.startswith("0x") else str(new)
            self.add("constant", start, match.end(), f"({is_on()} ? {text} : {literal})", text)

    def body_of_case(self, code):
        """Where the statement after a `case` and its colon begins."""
        match = re.match(r"\s*(case|default)\b", code)
        if not match:
            return None
        depth = 0
        for place in range(match.end(), len(code)):
            character = code[place]
            depth += 1 if character in "([{" else -1 if character in ")]}" else 0
            if character == ":" and depth == 0 and (place + 1 == len(code) or code[place + 1] == " "):
                return place + 1
        return None

    # ---- Statements

    def statement_on(self, code):
        """The range of the line's only statement, without the `case` before it."""
        begin = self.body_of_case(code)
        if begin is None and re.match(r"\s*case\b", code):
            return None
        start = begin or 0
        start += len(code[start:]) - len(code[start:].lstrip())
        if start >= len(code) or not is_balanced(code[start:]) or ";" in code[start:]:
            return None
        if self.source.parens[self.number]:
            return None
        if self.source.goes_on(self.number) or begin is None and self.source.began_before(self.number):
            return None
        return start, len(code)

    CALL = r"(?:try[?!]? )?(?:self\.)?[\w.?!]+(?:\[[^\[\]]*\])?[\w.?!]*"
    SIMPLE = re.compile(CALL + r"(\(.*\)| (=|\+=|-=|\|=) .+)$")
    FIRST = re.compile(CALL + r"(\(| (=|\+=|-=|\|=) .*[\[(])$")
    RESERVED = re.compile(
        r"(return|if|guard|for|while|switch|case|let|var|func|throw|break|continue|defer|do|repeat|super|init|static|private"
        r"|package|public|import|self\.init|await|struct|enum|class|extension|where|else|fallthrough)\b")

    def statements(self, code):
        source = self.source
        if not any(brace.kind in ("function", "property", "accessor", "init", "closure")
                   for brace in source.braces[self.number]):
            return
        line = source.lines[self.number]
        found = self.statement_on(code)
        if found:
            left, right = found
            text = code[left:right]
            if self.RESERVED.match(text) or not self.SIMPLE.match(text):
                return
            if source.in_initializer(self.number) and re.match(r"(self\.)?\w+ = ", text):
                return
            if self.is_result(text):
                return
            self.add("statement", left, right, f"if !{is_on()} {{ {line[left:right]} }}", "/* removed */")
            return
        # A statement of several lines.
        text = code.strip()
        if source.parens[self.number] or self.RESERVED.match(text) or not self.FIRST.match(text):
            return
        if self.source.began_before(self.number) or source.in_initializer(self.number):
            return
        end = self.number + 1
        while end < len(code) and source.parens[end + 1]:
            end += 1
        if end + 1 >= len(source.code) or not re.match(r"\s*.*[)\]]+$", source.code[end]):
            return
        following = next((item.strip() for item in source.code[end + 1 :] if item.strip()), "")
        if re.match(r"[.?:]|&&|\|\||[-+*/] ", following) or self.is_result(text, end):
            return
        start = len(code) - len(code.lstrip())
        edits = [
            (self.number, start, start, f"if !{is_on()} {{ "),
            (end, len(source.code[end]), len(source.code[end]), " }"),
        ]
        self.add("statement", start, start, "", "/* removed */", edits)

    def is_result(self, text, end=None):
        """Whether a statement may be the implicit result of its function: the only one, and no assignment."""
        if re.search(r" (=|\+=|-=|\|=) ", text.split("(")[0]):
            return False
        brace = self.source.callable(self.number)
        if brace and brace.kind == "function" and brace.result is None:
            return False
        after = next(
            (item.strip() for item in self.source.code[(end or self.number) + 1 :] if item.strip()), "")
        return self.source.previous_code(self.number).endswith(("{", "in", ":")) and after.startswith("}")

    # ---- Results

    def results(self, code):
        line = self.source.lines[self.number]
        found = self.statement_on(code)
        if found:
            left, right = found
            text = code[left:right]
            if match := re.match(r"return ", text):
                self.result(left + len(match[0]), right, self.source.callable(self.number))
            elif match := re.match(r"[\w.?!]+ = (?=\.\w+$)", text):
                self.result(left + len(match[0]), right, None)
            elif left > len(code) - len(code.lstrip()) and re.fullmatch(r"true|false|\.\w+|\[[^\]:]+\]", text):
                self.result(left, right, self.source.callable(self.number))
            return
        # A property or function on one line: `var isHeld: Bool { … }`.
        match = re.match(r"\s*(?:[\w()@]+ )*(?:(?:var \w+: ([^{}=]+?))|(?:func .*\) (?:throws(?:\(\w+\))? )?-> ([^{}]+?)))"
                         r" \{ (.*) \}$", code)
        if match and is_balanced(match[3]):
            body = match[3]
            body_start = match.start(3)
            if re.match(r"(if|switch|get|return|guard|let|var|for|while|_read)\b", body) or ";" in body:
                return
            self.result(body_start, body_start + len(body), None, (match[1] or match[2]).strip())
        elif match := re.search(r"(?<=return )(\.\w+|true|false|nil)(?= \}$)", code):
            if match[1] != "nil":
                self.result(match.start(), match.end(), self.source.callable(self.number))

    def result(self, start, end, brace, type_name=None):
        line = self.source.lines[self.number]
        text = line[start:end]
        type_name = type_name or (brace.result if brace else None)
        head = re.match(r"try[?!]? ", text)
        prefix = head[0] if head else ""
        body = text[len(prefix) :]
        if type_name == "Bool" or body in ("true", "false"):
            plain = {"true": "false", "false": "true"}.get(body, f"!({body})")
            self.add("result", start, end, f"{prefix}({body}) != {is_on()}", prefix + plain)
        elif re.fullmatch(r"\.\w+", body) and (other := self.other_case(body[1:], type_name)):
            self.add("result", start, end, f"{is_on()} ? .{other} : {body}", f".{other}")
        elif type_name is None and re.fullmatch(r"\[.+\]", body) and ":" not in body:
            self.add("result", start, end, f"{is_on()} ? [] : ({body})", "[]")
        elif type_name and re.match(r"\[[^:]+\]$", type_name) and body != "[]":
            self.add("result", start, end, f"{prefix}{is_on()} ? [] : ({body})", "[]")
        elif type_name and type_name.endswith("?") and body != "nil":
            self.add("result", start, end, f"{prefix}{is_on()} ? nil : ({body})", "nil")
        elif type_name == "String" and body != '""':
            self.add("result", start, end, f'{prefix}{is_on()} ? "" : ({body})', '""')

    def other_case(self, name, type_name):
        """Another case of the enumeration that has this one."""
        owners = [cases for cases in self.enums.values() if name in cases]
        if type_name:
            last = type_name.rstrip("?").split(".")[-1]
            named = [cases for owner, cases in self.enums.items() if owner.split(" ")[0] == last and name in cases]
            owners = named or owners
        if len(owners) != 1 or len(owners[0]) < 2:
            return None
        cases = owners[0]
        return cases[(cases.index(name) + 1) % len(cases)]


def enumerations(sources):
    """The cases without values of each enumeration, by its name and file."""
    enums = {}
    for source in sources:
        for number, code in enumerate(source.code):
            match = re.match(r"\s*(?:indirect )?case (\w+(?: = [^,]+)?(?:, \w+(?: = [^,]+)?)*)$", code)
            braces = source.braces[number]
            if not match or not braces or braces[-1].kind != "type" or "enum" not in braces[-1].header:
                continue
            cases = enums.setdefault(f"{braces[-1].name.split('.')[-1]} {source.path}", [])
            cases += [name.split(" ")[0] for name in match[1].split(", ")]
    return enums


def read_sources():
    paths = sorted({path for module in MODULES for path in pathlib.Path(module).rglob("*.swift")})
    return [Source(path, path.read_text()) for path in paths]


def digest(path):
    """What tells whether a file is the one that the mutants were made from."""
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def all_mutants(only=()):
    sources = read_sources()
    enums = enumerations(sources)
    mutants = []
    for source in sources:
        path = str(source.path)
        if path in UNTESTED_FILES or not any(path.startswith(room + "/") for room in ROOMS.values()):
            continue
        if only and not any(path == item or path.startswith(item.rstrip("/") + "/") for item in only):
            continue
        mutants += Finder(source, enums).find()
    return mutants


def choose(count, seed, directory, only):
    """Takes from each room and each kind in turn. What comes after `count` stands in for mutants that do not compile."""
    mutants = all_mutants(only)
    buckets = {}
    for mutant in mutants:
        buckets.setdefault((mutant.room, mutant.kind), []).append(mutant)
    for bucket in buckets.values():
        bucket.sort(key=functools.partial(rank, seed), reverse=True)
    taken, chosen = set(self_check_places()), []
    wanted = count + max(20, count // 2)
    while any(buckets.values()) and len(chosen) < wanted:
        for kind in KINDS:
            for room in ROOMS:
                bucket = buckets.get((room, kind), [])
                while bucket:
                    mutant = bucket.pop()
                    places = {(mutant.path, line) for line in mutant.lines}
                    # One mutant a line: they are inserted side by side.
                    if not places & taken:
                        taken |= places
                        chosen.append(mutant)
                        break
    chosen = chosen[:wanted]
    paths = sorted(str(path) for module in MODULES for path in pathlib.Path(module).rglob("*.swift"))
    data = {
        "seed": seed, "count": count, "only": only, "found": len(mutants),
        "digests": {path: digest(path) for path in paths},
        "mutants": [
            {
                "number": number, "room": mutant.room, "kind": mutant.kind, "path": mutant.path, "line": mutant.line,
                "before": mutant.before, "after": mutant.after, "edits": mutant.edits, "rejected": False,
            }
            for number, mutant in enumerate(chosen, 1)
        ],
    }
    pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
    save(directory, data)
    print(f"{len(mutants)} mutants found, {min(count, len(chosen))} chosen with seed {seed}")


def choose_again(directory):
    """Chooses with the same seed, and keeps what is known of mutants in files that have not changed."""
    old = load(directory)
    log = pathlib.Path(directory) / "results.tsv"
    results = dict(line.split("\t", 1) for line in log.read_text().splitlines()) if log.exists() else {}
    choose(old["count"], old["seed"], directory, old["only"])
    new = load(directory)
    known = {key(mutant): mutant for mutant in old["mutants"]}
    kept = []
    for mutant in new["mutants"]:
        before = known.get(key(mutant))
        path = mutant["path"]
        if before and old["digests"].get(path) == new["digests"][path]:
            mutant["rejected"] = before["rejected"]
            if result := results.get(str(before["number"])):
                kept.append(f"{mutant['number']}\t{result}\n")
    save(directory, new)
    log.write_text("".join(kept))
    print(f"{len(kept)} results kept")


def key(mutant):
    return mutant["path"], mutant["line"], mutant["before"], mutant["after"]


def self_check_places():
    """The file and line of each mutant for the self-check."""
    places = []
    for _, path, old, _ in SELF_CHECKS:
        lines = pathlib.Path(path).read_text().split("\n")
        found = [(path, number) for number, line in enumerate(lines) if old in line and "//" not in line]
        if len(found) != 1:
            sys.exit(f"{path}: '{old}' is not there once; the mutants for the self-check need another place")
        places += found
    return places


def rank(seed, mutant):
    key = f"{seed} {mutant.path} {mutant.before} {mutant.after} {mutant.lines[0]}"
    return hashlib.sha256(key.encode()).hexdigest()


def load(directory):
    return json.loads((pathlib.Path(directory) / "mutants.json").read_text())


def save(directory, data):
    path = pathlib.Path(directory) / "mutants.json"
    interim = path.with_suffix(".new")
    interim.write_text(json.dumps(data, indent=1))
    interim.rename(path)


def write(path, text):
    """Writes a file if it differs: what has not changed is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def insert(directory):
    data = load(directory)
    tree = pathlib.Path(directory) / "tree"
    edits = {path: [] for path in data["digests"]}
    for mutant in data["mutants"]:
        if not mutant["rejected"]:
            for line, start, end, text in mutant["edits"]:
                edits[mutant["path"]].append((line, start, end, text.replace(NUMBER, str(mutant["number"]))))
    for (number, path, old, new), (_, line) in zip(SELF_CHECKS, self_check_places()):
        start = pathlib.Path(path).read_text().split("\n")[line].index(old)
        edits[path].append((line, start, start + len(old), f"({is_on(number)} ? {new} : {old})"))
    for path, changes in edits.items():
        lines = pathlib.Path(path).read_text().split("\n")
        for line, start, end, text in sorted(changes, reverse=True):
            lines[line] = lines[line][:start] + text + lines[line][end:]
        write(tree / path, "\n".join(lines))
    for module in MODULES:
        write(tree / module / "MutantSwitch.swift", SWITCH)


def reject(directory, log):
    """Rejects the mutant of each line with an error, or the nearest one before it in the same function or so."""
    data = load(directory)
    tree = str((pathlib.Path(directory) / "tree").resolve()) + "/"
    errors = set()
    for line in pathlib.Path(log).read_text(errors="replace").split("\n"):
        match = re.match(r"(/[^:]+\.swift):(\d+):\d+: error: (.*)", line)
        if match and match[1].startswith(tree):
            errors.add((match[1][len(tree) :], int(match[2]), match[3]))
    rejected, unclear = 0, []
    inside = {}
    for path, line, message in sorted(errors):
        here = [mutant for mutant in data["mutants"] if mutant["path"] == path]
        hits = [
            mutant for mutant in here if mutant["edits"][0][0] < line <= mutant["edits"][-1][0] + 1]
        inside[path, line] = bool(hits)
        for mutant in hits:
            rejected += not mutant["rejected"]
            mutant["rejected"] = True
            mutant["error"] = message
    if not rejected:
        # Errors elsewhere, as about a variable that is not set: the nearest mutant is to blame.
        for path, line, message in sorted(errors):
            if inside[path, line]:
                continue
            near = [
                mutant for mutant in data["mutants"]
                if mutant["path"] == path and not mutant["rejected"] and abs(mutant["line"] - line) < 60]
            if not near:
                unclear.append(f"{path}:{line}: {message}")
                continue
            mutant = min(near, key=lambda item: (item["line"] > line, abs(item["line"] - line)))
            mutant["rejected"], mutant["error"] = True, message
            rejected += 1
    save(directory, data)
    print(f"{len(errors)} errors; left out: {rejected} mutants")
    if unclear or not rejected:
        sys.exit("errors that no mutant explains:\n" + "\n".join(unclear))


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "choose":
        choose(int(arguments[0]), int(arguments[1]), arguments[2], arguments[3:])
    elif command == "insert":
        insert(*arguments)
    elif command == "reject":
        reject(*arguments)
    elif command == "check":
        for item, old_digest in load(*arguments)["digests"].items():
            if not pathlib.Path(item).exists() or digest(item) != old_digest:
                sys.exit(f"{item} has changed since the mutants were made; begin a new run, or use --survivors")
    elif command == "choose-again":
        choose_again(*arguments)
    elif command == "list":
        for item in all_mutants(arguments):
            print(f"{item.room}\t{item.kind}\t{item.path}:{item.line}\n  - {item.before}\n  + {item.after}")
    else:
        sys.exit(__doc__)
