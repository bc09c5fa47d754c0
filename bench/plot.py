#!/usr/bin/env python3
"""A bar chart of one benchmark run as SVG, written without any library.

usage: bench/plot.py RESULT.json OUT.svg
"""
import html
import json
import sys

COLOURS = {"tilec": "#1b7f5c", "auto": "#8fcfb5", "triton": "#3b6fb6", "torch": "#c9703a"}
BAR, GAP, GROUP_GAP, LEFT, TOP, WIDTH = 11, 2, 14, 190, 58, 560


def write_svg(path, data):
    """Horizontal bars, one group a case; a dashed line marks the device copy's bandwidth."""
    rows = [r for r in data["rows"] if any(name in r["times"] for name in ("tilec", "triton"))]
    copy = next((r["times"]["torch"]["tbs"] for r in data["rows"] if r["case"].startswith("copy")),
                0.0)
    top = max([copy] + [e["tbs"] for r in rows for e in r["times"].values()] or [1.0]) * 1.05
    top = top or 1.0
    parts, y = [], TOP
    for row in rows:
        bars = [name for name in COLOURS if name in row["times"]]
        middle = y + (len(bars) * (BAR + GAP)) / 2 + 3
        parts.append(f'<text x="{LEFT - 8}" y="{middle:.1f}" text-anchor="end">'
                     f'{html.escape(row["case"])}</text>')
        for name in bars:
            value = row["times"][name]["tbs"]
            length = value / top * WIDTH
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" '
                         f'fill="{COLOURS[name]}"/>')
            parts.append(f'<text x="{LEFT + length + 4:.1f}" y="{y + BAR - 2}" class="value">'
                         f'{value:.2f}</text>')
            y += BAR + GAP
        y += GROUP_GAP
    height = y + 24
    if copy:
        x = LEFT + copy / top * WIDTH
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{y - GROUP_GAP + 4}" '
                     'stroke="#555" stroke-dasharray="4 3"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 4}" text-anchor="middle">device copy '
                     f'{copy:.2f}</text>')
    about = data["about"]
    legend, x = [], LEFT
    for name, colour in COLOURS.items():
        label = {"auto": "tilec, its own warp count", "tilec": "tilec, best"}.get(name, name)
        legend.append(f'<rect x="{x}" y="30" width="11" height="11" fill="{colour}"/>'
                      f'<text x="{x + 16}" y="40">{label}</text>')
        x += 40 + 7 * len(label)
    title = f"{about['card']}, commit {about['commit']}, {about['date']}: TB/s"
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 50}" '
           f'height="{height}" font-family="sans-serif" font-size="11">'
           '<style>.value{font-size:9px;fill:#555}</style>'
           '<rect width="100%" height="100%" fill="white"/>'
           f'<text x="{LEFT}" y="20" font-size="13" font-weight="bold">{html.escape(title)}</text>'
           + "".join(legend) + "\n" + "\n".join(parts) + "\n</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write(svg)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as source:
        write_svg(sys.argv[2], json.load(source))
