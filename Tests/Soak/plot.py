"""Draws samples as line charts: an SVG of small panels and text."""
from html import escape

COLOURS = ["#c2571a", "#2b6cb0", "#2f855a", "#6b46c1", "#b7791f", "#c53030", "#2c7a7b", "#4a5568", "#97266d"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP = 640, 130, 70, 190, 40


def nice(top):
    """Returns a round number at or above `top`."""
    step = 1.0
    while step * 10 < top:
        step *= 10
    return next((step * factor for factor in (1, 2, 3, 4, 5, 6, 8, 10) if step * factor >= top), step * 10)


def short(value, unit):
    if unit == "MB":
        return f"{value:.3g} MB"
    return f"{value:.3g}{' ' + unit if unit else ''}"


def thin(points, most=180):
    """Reduces the points to at most that many: of each group the one with the median value, so that outliers do not
    decide."""
    size = max(1, -(-len(points) // most))
    return [sorted(points[i:i + size], key=lambda point: point[1])[len(points[i:i + size]) // 2] for i in range(0, len(points), size)]


def panel(title, unit, lines, days, y):
    top = nice(max((value for line in lines.values() for _, value in line), default=1) or 1)
    out = [f'<text x="{LEFT}" y="{y - 8}" class="title">{escape(title)}</text>']
    for day in range(int(days) + 1):
        x = LEFT + WIDTH * day / days
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y}" y2="{y + HEIGHT}" class="grid"/>')
        if day < days:
            out.append(f'<text x="{x + WIDTH / days / 2:.1f}" y="{y + HEIGHT + 13}" class="day">day {day + 1}</text>')
    for part in (0, 0.5, 1):
        at = y + HEIGHT * (1 - part)
        out.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{at}" y2="{at}" class="grid"/>')
        out.append(f'<text x="{LEFT - 6}" y="{at + 4}" class="scale">{short(top * part, unit)}</text>')
    for index, (name, line) in enumerate(sorted(lines.items())):
        colour = COLOURS[index % len(COLOURS)]
        points = " ".join(f"{LEFT + WIDTH * day / days:.1f},{y + HEIGHT * (1 - value / top):.1f}" for day, value in thin(line))
        out.append(f'<polyline points="{points}" stroke="{colour}"/>')
        out.append(f'<text x="{LEFT + WIDTH + 10}" y="{y + 10 + 13 * index}" fill="{colour}">{escape(name)}</text>')
    return out


def draw(path, title, panels, days):
    """Writes an SVG of panels: (title, unit, {name: [(day, value)]})."""
    height = TOP + len(panels) * (HEIGHT + 55)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" font-family="sans-serif" font-size="11">',
           "<style>.grid{stroke:#ddd}.title{font-size:13px;font-weight:bold}.day{text-anchor:middle;fill:#888}.scale{text-anchor:end;"
           "fill:#555}polyline{fill:none;stroke-width:1.3}</style>",
           f'<rect width="100%" height="100%" fill="#fff"/><text x="{LEFT}" y="14">{escape(title)}</text>']
    for index, (name, unit, lines) in enumerate(panels):
        out += panel(name, unit, lines, days, TOP + 10 + index * (HEIGHT + 55))
    path.write_text("\n".join([*out, "</svg>", ""]))
