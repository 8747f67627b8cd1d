"""Reads Swift source as text: what is code, where a brace belongs, and where an expression on a line ends.

It knows as much of the language as the formatted sources of this package need, and gives up where a line is not clear.
"""

import re

COMMENT, STRING = "\x01", "\x02"

CONTROL = re.compile(r"(?<![.\w])(if|guard|for|while|switch|do|catch|repeat|defer|else)\b")
FUNCTION = re.compile(r"(?<![.\w])(func\s+[^\s(<]+|subscript)\s*[(<]")
INITIALIZER = re.compile(r"(?<![.\w])(?:init[?!]?\s*[(<]|deinit\b)")
COMPUTED = re.compile(r"(?<![.\w])(?:var|let)\s+(\w+)\s*:\s*([^={}]+?)\s*$")
TYPE = re.compile(r"(?<![.\w])(enum|struct|class|protocol|extension|actor)\s+([\w.]+)")
ACCESSOR = re.compile(r"(?:^|\s)(get|set|didSet|willSet)(\s*\(\w+\))?(\s+throws(\(\w+\))?)?\s*$")


def masked(text):
    """The text with its comments and string literals replaced, character by character."""
    out = list(text)

    def cover(start, end, mark):
        for place in range(start, min(end, len(out))):
            if out[place] != "\n":
                out[place] = mark

    def string_end(start):
        quote = '"""' if text.startswith('"""', start) else '"'
        place = start + len(quote)
        while place < len(text):
            if text.startswith("\\(", place):
                place = interpolation_end(place + 2)
            elif text[place] == "\\":
                place += 2
            elif text.startswith(quote, place):
                return place + len(quote)
            else:
                place += 1
        return place

    def interpolation_end(start):
        place, depth = start, 1
        while place < len(text) and depth:
            if text[place] == '"':
                place = string_end(place)
                continue
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
        return place

    place = 0
    while place < len(text):
        if text.startswith("//", place):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            cover(place, end, COMMENT)
        elif text.startswith("/*", place) and (place == 0 or text[place - 1] in " \n"):
            end = text.find("*/", place) + 2
            cover(place, end, COMMENT)
        elif text[place] == '"':
            end = string_end(place)
            cover(place, end, STRING)
        else:
            end = place + 1
        place = end
    return "".join(out)


class Brace:
    """What an open brace belongs to: a function, an initializer, a computed property, a type, control flow, a closure."""

    def __init__(self, header):
        lines = header.rstrip().split("\n")
        last = lines[-1]
        self.name, self.result = "", None
        self.header = header
        if match := TYPE.search(header):
            self.kind, self.name = "type", match[2]
        elif INITIALIZER.search(header):
            self.kind = "init"
        elif match := FUNCTION.search(header):
            self.kind, self.name = "function", match[1].split()[-1]
            self.result = result_type(header)
        elif CONTROL.search(header):
            self.kind = "control"
        elif match := COMPUTED.search(last):
            self.kind, self.name, self.result = "property", match[1], match[2]
        elif match := ACCESSOR.search(last):
            self.kind, self.name = "accessor", match[1]
        else:
            self.kind = "closure"


def result_type(header):
    """The type after the arrow of a function's header."""
    match = re.search(r"->\s*([^>]+?)(\s+where\b.*)?\s*$", header, re.S)
    return match[1].strip() if match else None


class Source:
    """The lines of a file, and the open braces at the beginning of each."""

    def __init__(self, path, text):
        self.path = path
        self.lines = text.split("\n")
        code = masked(text)
        self.code = [line.replace(COMMENT, " ").rstrip() for line in code.split("\n")]
        self.braces = []
        stack, header = [], ""
        parens = 0
        self.parens = []
        for line in self.code:
            self.braces.append(list(stack))
            self.parens.append(parens)
            for character in line:
                if character == "{":
                    stack.append(Brace(header))
                    header = ""
                elif character == "}":
                    if stack:
                        stack.pop()
                    header = ""
                else:
                    header += character
                parens += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
            header = header.rstrip() + "\n" if header.strip() else ""
            # A blank line ends a statement, and a declaration before it is none of a brace after it.
            if not line.strip():
                header = ""

    def callable(self, number):
        """The innermost function or property that a line belongs to; `None` within a closure."""
        for brace in reversed(self.braces[number]):
            if brace.kind == "control":
                continue
            if brace.kind == "accessor" and brace.name == "get":
                continue
            return brace if brace.kind in ("function", "property") else None
        return None

    def in_initializer(self, number):
        return any(brace.kind == "init" for brace in self.braces[number])

    def next_code(self, number):
        for line in self.code[number + 1 :]:
            if line.strip():
                return line.strip()
        return ""

    def previous_code(self, number):
        for line in reversed(self.code[:number]):
            if line.strip():
                return line.strip()
        return ""

    def goes_on(self, number, logic_ends=False):
        """Whether the expression at the end of a line goes on in the next. `logic_ends`: `&&` and `||` end it."""
        line, following = self.code[number].strip(), self.next_code(number)
        if logic_ends and re.match(r"(&&|\|\|) ", following):
            return False
        if re.match(r"[.?:]|&&|\|\||[-+*/%<>=!&|^]+ |\?\? ", following):
            return True
        return bool(re.search(r"( [-+*/%<>=!&|^?]+| \?\?| &&| \|\||=|->)$", line)) and not logic_ends

    def began_before(self, number, logic_ends=False):
        """Whether the expression at the start of a line began before."""
        line, before = self.code[number].strip(), self.previous_code(number)
        if logic_ends and re.match(r"(&&|\|\|) ", line):
            return False
        if re.match(r"[.?:]|&&|\|\||[-+*/%<>=!&|^]+ |\?\? ", line):
            return True
        return bool(re.search(r" ([-+*/%<>!&|^?]+|\?\?|==|!=|<=|>=)$", before))


LOGIC = ("&&", "||")
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">", "===", "!==")
ALWAYS = ("=", "+=", "-=", "*=", "|=", "&=", "?", ":", "->", "in", "return", "if", "guard", "while", "where", "else",
          "throw", "try", "try?", "try!", "await", "case", "for", "switch", "let", "var", "is", "as", "as?")
OPERATOR = re.compile(r"(?<=\s)([-+*/%<>=!&|^?.]+)(?=\s|$)|(?<![\w.$`])([a-z]+[?!]?)(?=\s)|(:)(?=\s|$)")


def stops(code, ends):
    """The words and operators of a line that end an expression: where they begin, and where they end."""
    found = []
    for match in OPERATOR.finditer(code):
        word = match[1] or match[2] or match[3]
        if word in ALWAYS or word in ends:
            found.append((match.start(), match.end()))
    for match in re.finditer(r"\.\.[.<]", code):
        if ".." in ends:
            found.append((match.start(), match.end()))
    return found


def bounds(code, start, end, ends):
    """The expression around an operator at `start..<end`, or `None` if it is not on one line or not clear.

    Returns its range, and whether it reaches the beginning and the end of the line.
    """
    marks = stops(code, ends)
    before = {stop: begin for begin, stop in marks}
    after = {begin for begin, _ in marks}

    left, depth = start, 0
    while left > 0:
        if depth == 0 and left in before and before[left] < start and left < start + 1:
            break
        character = code[left - 1]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0:
                break
            depth -= 1
        elif character in ",;" and depth == 0:
            break
        left -= 1
    right, depth = end, 0
    while right < len(code):
        if depth == 0 and right in after:
            break
        character = code[right]
        if character == "{" and depth == 0:
            # A body, unless it is a trailing closure's.
            if not re.search(r"(?<![.\w])(if|guard|while|for|where|switch)\b", code[:start]):
                return None
            break
        if character in "([{":
            depth += 1
        elif character in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif character in ",;" and depth == 0:
            break
        right += 1
    begins = not code[:left].strip()
    finishes = not code[right:].strip()
    left += len(code[left:start]) - len(code[left:start].lstrip())
    right -= len(code[end:right]) - len(code[end:right].rstrip())
    if left >= start or right <= end:
        return None
    return left, right, begins, finishes


def is_balanced(code):
    depth = 0
    for character in code:
        depth += 1 if character in "([{" else -1 if character in ")]}" else 0
        if depth < 0:
            return False
    return depth == 0


def split(code, start, end):
    """The ranges between the commas of a list."""
    ranges, depth, begin = [], 0, start
    for place in range(start, end):
        character = code[place]
        depth += 1 if character in "([{" else -1 if character in ")]}" else 0
        if character == "," and depth == 0:
            ranges.append((begin, place))
            begin = place + 1
    ranges.append((begin, end))
    trimmed = []
    for begin, finish in ranges:
        text = code[begin:finish]
        begin += len(text) - len(text.lstrip())
        trimmed.append((begin, begin + len(text.strip())))
    return trimmed
