"""The shared look of the pictures: colours by role, a few shapes, and a check that no text overlaps another."""

from pathlib import Path
from xml.sax.saxutils import escape

WIDTH = 720
FOLDER = Path(__file__).parent
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

# role: (light fill, strong fill, line). Every picture has its own light panel, so one set serves dark pages too.
COLOURS = {
    "a": ("#d9e8fb", "#7db3f0", "#1f5fa8"),
    "b": ("#fde6cc", "#f5a953", "#a85a00"),
    "c": ("#d6efd4", "#7cc47a", "#2b7030"),
    "mem": ("#fff4b8", "#f2d544", "#8a7000"),
    "plain": ("#f0f0ec", "#c9c9c2", "#6b6b66"),
    "red": ("#fbdcdc", "#e98a8a", "#a32020"),
    "violet": ("#e8def8", "#b79ae8", "#5f3aa6"),
}
INK = "#1c1c1a"
SOFT = "#55554f"


class Picture:
    """One SVG file. Text boxes are estimated for the widest common font and must not overlap."""

    def __init__(self, name, height, title, description, width=WIDTH):
        self.name, self.width, self.height = name, width, height
        self.title, self.description = title, description
        self.parts = []
        self.boxes = []

    def rect(self, x, y, w, h, role="plain", strong=False, radius=0, dashed=False, line=None):
        light, full, edge = COLOURS[role]
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{radius:g}" '
            f'fill="{full if strong else light}" stroke="{line or edge}"{dash}/>'
        )

    def outline(self, x, y, w, h, role="plain", width=2.5, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="none" '
            f'stroke="{COLOURS[role][2]}" stroke-width="{width:g}"{dash}/>'
        )

    def text(self, x, y, words, size=13, anchor="start", bold=False, role=None, mono=False, soft=False):
        colour = COLOURS[role][2] if role else SOFT if soft else INK
        weight = ' font-weight="600"' if bold else ""
        family = f' font-family="{MONO}"' if mono else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
            f'fill="{colour}"{weight}{family} xml:space="preserve">{escape(words)}</text>'
        )
        w = len(words) * size * (0.605 if mono else 0.57 + 0.05 * bold)
        left = {"start": x, "middle": x - w / 2, "end": x - w}[anchor]
        self.boxes.append((left, y - 0.8 * size, left + w, y + 0.2 * size, words))

    def lines(self, x, y, words, size=13, step=None, **style):
        for i, line in enumerate(words):
            self.text(x, y + i * (step or 1.45 * size), line, size, **style)

    def line(self, x1, y1, x2, y2, role="plain", width=1.5, dashed=False, arrow=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        head = f' marker-end="url(#head-{role})"' if arrow else ""
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{COLOURS[role][2]}" '
            f'stroke-width="{width:g}"{dash}{head}/>'
        )

    def arrow(self, x1, y1, x2, y2, role="plain", width=1.5, dashed=False):
        self.line(x1, y1, x2, y2, role, width, dashed, arrow=True)

    def path(self, points, role="plain", width=2.5, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        where = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(
            f'<polyline points="{where}" fill="none" stroke="{COLOURS[role][2]}" stroke-width="{width:g}"{dash}/>'
        )

    def dot(self, x, y, role="plain", radius=4):
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[role][2]}"/>')

    def grid(self, x, y, rows, cols, cell, role, strong=(), label=None, size=11, height=None, roles=None):
        """Cells of a matrix. `strong`: a set of (row, col) or a test; `roles`: another role for some cells."""
        h = height or cell
        chosen = strong if callable(strong) else lambda r, c: (r, c) in strong
        for r in range(rows):
            for c in range(cols):
                which = (roles(r, c) if roles else None) or role
                self.rect(x + c * cell, y + r * h, cell, h, which, chosen(r, c))
                if label and label(r, c) is not None:
                    self.text(x + (c + 0.5) * cell, y + (r + 0.5) * h + 0.36 * size, str(label(r, c)), size, "middle")

    def check(self):
        for i, one in enumerate(self.boxes):
            if one[0] < 6 or one[1] < 4 or one[2] > self.width - 6 or one[3] > self.height - 4:
                yield f"{self.name}: '{one[4]}' leaves the picture ({one[2]:.0f} of {self.width})"
            for other in self.boxes[:i]:
                if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]:
                    yield f"{self.name}: '{one[4]}' overlaps '{other[4]}'"

    def save(self):
        heads = "".join(
            f'<marker id="head-{role}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{edge}"/></marker>'
            for role, (_, _, edge) in COLOURS.items()
            if f"#head-{role})" in "".join(self.parts)
        )
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" aria-labelledby="title desc" '
            f'font-family="{FONT}">\n'
            f'<title id="title">{escape(self.title)}</title>\n<desc id="desc">{escape(self.description)}</desc>\n'
            f"<defs>{heads}</defs>\n"
            f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" rx="8" '
            f'fill="#fcfcfa" stroke="#cfcfc8"/>\n' + "\n".join(self.parts) + "\n</svg>\n"
        )
        (FOLDER / f"{self.name}.svg").write_text(svg, encoding="utf-8")
