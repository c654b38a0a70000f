"""Pictures for the drawings of screens: icons of one stroke, and things of a shop in flat colours. All drawn for this project."""

# On 24 by 24, stroked.
ICONS = {
    "house": "M4 11 12 4l8 7M6 10v10h4v-6h4v6h4V10",
    "square.grid.2x2": "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    "cart": "M2 4h3l3 11h10l3-8H6.500M9 20h.01M17 20h.01",
    "cart.badge.plus": "M2 5h3l3 10h10l2-5M9 20h.01M17 20h.01M17 2v6M14 5h6",
    "person": "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21c0-5 4-7 8-7s8 2 8 7",
    "qrcode.viewfinder": "M3 8V4a1 1 0 0 1 1-1h4M16 3h4a1 1 0 0 1 1 1v4M21 16v4a1 1 0 0 1-1 1h-4M8 21H4a1 1 0 0 1-1-1v-4M8 8h3v3H8zM13 8h3v3h-3zM8 13h3v3H8zM14 14h2v2",
    "bell": "M6 17V11a6 6 0 0 1 12 0v6l2 2H4ZM10 21h4",
    "chevron.backward": "M15 4 7 12l8 8",
    "chevron.forward": "M9 4l8 8-8 8",
    "square.and.arrow.up": "M12 15V3M8 6.500 12 3l4 3.500M7 10H5v11h14V10h-2",
    "arrow.up": "M12 20V5M5 12l7-7 7 7",
    "headphones": "M4 16v-3a8 8 0 0 1 16 0v3M4 15h3v5H5a1 1 0 0 1-1-1ZM20 15h-3v5h2a1 1 0 0 0 1-1Z",
    "heart": "M12 20C5 15 3 12 3 8.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 9 1.500C21 12 19 15 12 20Z",
    "minus": "M6 12h12",
    "plus": "M12 6v12M6 12h12",
    "magnifyingglass": "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.500 15.500 20 20",
    "pencil": "M4 20l1-5L16 4l4 4L9 19Z",
    "questionmark.circle": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.8.4-1 .9-1 1.700M12 16.500h.01",
    "gear": "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100",
    "crown": "M4 18 3 7l5 4 4-6 4 6 5-4-1 11Z",
    "ticket": "M3 7h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4ZM14 7v10",
    "clock": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.500 2",
    "wallet": "M3 7h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2ZM3 7l12-3v3M17 13.500h.01",
    "box": "M3 8l9-5 9 5v9l-9 5-9-5ZM3 8l9 5 9-5M12 13v9",
    "truck": "M2 6h11v10H2zM13 9h5l3 4v3h-8M6.500 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
    "star": "M12 3l2.800 5.800 6.200.9-4.500 4.400 1 6.300L12 17.500 6.500 20.400l1-6.300L3 9.700l6.200-.9Z",
    "xmark": "M6 6l12 12M18 6 6 18",
    "wechat": "M9.500 4C5.400 4 2 6.700 2 10c0 1.900 1.100 3.500 2.800 4.600L4 17l3-1.500c.8.2 1.600.3 2.500.3M22 15c0-2.800-2.900-5-6.500-5S9 12.200 9 15s2.900 5 6.500 5c.7 0 1.400-.1 2-.3L20 21l-.6-2C21 18.100 22 16.600 22 15ZM7 9h.01M12 9h.01M13.500 14h.01M17.500 14h.01",
    "weibo": "M10 9c-4 1-7 4-7 7s3 4.500 7 4.500 8-2 8-5c0-2-2-2.500-2-2.500s.8-2-1-2.500-4 1-4 1 .5-2.500-1-2.500ZM15 4a5 5 0 0 1 5.500 6",
    "apple.logo": "M16 3c-2 .3-3.500 2-3.500 4M12 8c-1-.8-2.200-1-3.300-1C6 7 4 9.500 4 13c0 4 2.500 8 5 8 1.200 0 1.800-.7 3-.7s1.800.7 3 .7c2 0 3.800-2.800 4.500-5-3-1.300-3.200-5.500-.3-7C18 7.700 16.800 7 15.300 7c-1.100 0-2.300.2-3.300 1Z",
    "line.3.horizontal.decrease": "M4 7h16M7 12h10M10 17h4",
}


def icon(name, ink="currentColor", width=1.8):
    """An icon that fills its place; nothing for an unknown name."""
    path = ICONS.get(name.removesuffix(".fill"))
    if path is None:
        return ""
    return f'<svg viewBox="0 0 24 24" width="100%" height="100%" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"><path d="{path}"/></svg>'


def peach(x, y, r, tint="#ff9c8a"):
    return (f'<g transform="translate({x} {y}) scale({r / 30})"><path d="M0-24C16-34 32-18 29 2 27 20 12 29 0 29S-27 20-29 2C-32-18-16-34 0-24Z" fill="{tint}"/>'
            '<path d="M0-24C10-12 9 14 0 29-22 27-31 12-29-4-27-22-12-30 0-24Z" fill="#ffb9a3"/><path d="M0-24C8-8 8 14 0 29" fill="none" stroke="#e86f62" stroke-width="1.500"/>'
            '<path d="M2-25C8-40 24-40 28-36 24-26 12-22 2-25Z" fill="#69b578"/></g>')


THINGS = {
    "peach": ("#fff0e8", peach(34, 58, 21) + peach(66, 56, 23, "#ff8f80") + peach(50, 36, 19)),
    "coffee": ("#f3ebe3", '<rect x="27" y="18" width="46" height="66" rx="5" fill="#7a5238"/><path d="M27 30h46v-7a5 5 0 0 0-5-5H32a5 5 0 0 0-5 5Z" fill="#5e3d28"/><rect x="35" y="40" width="30" height="32" rx="4" fill="#f5e6d3"/><ellipse cx="50" cy="56" rx="8" ry="11" fill="#7a5238" transform="rotate(28 50 56)"/><path d="M45 47c8 4 2 14 10 18" fill="none" stroke="#f5e6d3" stroke-width="2"/>'),
    "beer": ("#eaf3ff", '<g fill="#f2b632"><rect x="20" y="30" width="18" height="50" rx="4"/><rect x="41" y="22" width="18" height="58" rx="4"/><rect x="62" y="30" width="18" height="50" rx="4"/></g><g fill="#d6dde8"><rect x="22" y="26" width="14" height="6" rx="2"/><rect x="43" y="18" width="14" height="6" rx="2"/><rect x="64" y="26" width="14" height="6" rx="2"/></g><g fill="#fff"><rect x="20" y="46" width="18" height="18"/><rect x="41" y="42" width="18" height="20"/><rect x="62" y="46" width="18" height="18"/></g><g fill="#d4572a"><circle cx="29" cy="55" r="5"/><circle cx="50" cy="52" r="6"/><circle cx="71" cy="55" r="5"/></g>'),
    "yoghurt": ("#eef8f4", '<path d="M28 30h44l-6 52H34Z" fill="#fff"/><path d="M29.500 44h41l-3 24h-35Z" fill="#5a9bd8"/><circle cx="50" cy="56" r="8" fill="#fff"/><path d="M46 56c2-5 8-4 8 0s-6 5-8 0Z" fill="#5a9bd8"/><rect x="24" y="22" width="52" height="10" rx="4" fill="#cfe3f5"/>'),
    "giftbox": ("#fdecef", '<rect x="20" y="40" width="60" height="42" rx="4" fill="#e2596b"/><rect x="16" y="30" width="68" height="14" rx="4" fill="#f07383"/><rect x="45" y="30" width="10" height="52" fill="#ffe2a8"/><path d="M50 30C38 12 26 20 32 28ZM50 30c12-18 24-10 18-2Z" fill="#ffe2a8"/>'),
    "tea": ("#eef5e6", '<path d="M22 40h46v16a22 22 0 0 1-46 0Z" fill="#fff"/><path d="M68 44h6a8 8 0 0 1 0 16h-7" fill="none" stroke="#fff" stroke-width="5"/><ellipse cx="45" cy="41" rx="23" ry="6" fill="#d98f54"/><rect x="16" y="80" width="58" height="5" rx="2.500" fill="#c9d8b8"/><path d="M38 30c-4-6 4-8 0-14M50 30c-4-6 4-8 0-14" fill="none" stroke="#a9bf93" stroke-width="3" stroke-linecap="round"/>'),
    "soda": ("#ffeef3", '<rect x="36" y="18" width="28" height="66" rx="7" fill="#ff9fb4"/><rect x="36" y="36" width="28" height="30" fill="#fff"/>' + peach(50, 51, 9) + '<rect x="40" y="13" width="20" height="7" rx="3" fill="#d5d9e2"/>'),
    "fruit": ("#ffeee0", '<circle cx="40" cy="56" r="22" fill="#f5743c"/><circle cx="64" cy="58" r="19" fill="#f59a3c"/><path d="M40 34c2-10 10-14 18-12-2 8-9 12-18 12Z" fill="#5fae6a"/>'),
    "meat": ("#fde8e6", '<path d="M22 56c0-20 18-32 36-28s24 22 14 36-50 18-50-8Z" fill="#d9564f"/><path d="M31 56c0-14 13-22 26-19s16 16 9 25-35 12-35-6Z" fill="#f0857a"/><circle cx="52" cy="51" r="8" fill="#fff1e6"/>'),
    "dairy": ("#e9f2fd", '<path d="M36 34l6-14h16l6 14v46a4 4 0 0 1-4 4H40a4 4 0 0 1-4-4Z" fill="#fff"/><path d="M36 52h28v18H36Z" fill="#6aa6e8"/><rect x="41" y="14" width="18" height="8" rx="2" fill="#4f86c6"/>'),
    "drink": ("#f1ecfb", '<path d="M44 14h12v18c10 4 12 10 12 18v32a4 4 0 0 1-4 4H36a4 4 0 0 1-4-4V50c0-8 2-14 12-18Z" fill="#5d4a8c"/><rect x="32" y="52" width="36" height="22" fill="#f4e3b5"/><rect x="43" y="10" width="14" height="8" rx="2" fill="#c9a54c"/>'),
    "rose": ("#fdeef2", '<path d="M50 52v36" stroke="#5f9e63" stroke-width="4"/><path d="M50 74c10 0 16-6 18-14-10 0-16 4-18 14Z" fill="#6fb274"/><circle cx="50" cy="36" r="22" fill="#f0829d"/><path d="M38 32c4-10 20-10 24 0M36 40c8 8 20 8 28 0M44 36c4-5 9-5 12 0" fill="none" stroke="#cf5c7a" stroke-width="3" stroke-linecap="round"/>'),
    "sunflower": ("#fff7de", '<path d="M50 52v36" stroke="#5f9e63" stroke-width="4"/><g fill="#f6b824">' + "".join(f'<ellipse cx="50" cy="17" rx="7" ry="13" transform="rotate({turn} 50 38)"/>' for turn in range(0, 360, 30)) + '</g><circle cx="50" cy="38" r="13" fill="#7a4a25"/>'),
}

# What the names of images in the captures stand for.
NAMES = {
    "fruit.peach": "peach", "coffee": "coffee", "beer": "beer", "cat.fruit": "fruit", "cat.meat": "meat", "cat.dairy": "dairy",
    "cat.drink": "drink", "cart.0": "peach", "cart.1": "yoghurt", "cart.2": "coffee", "order.0": "peach", "order.1": "yoghurt",
    "result.0": "peach", "result.1": "giftbox", "result.2": "tea", "result.3": "soda",
}


def thing(name, radius=10):
    """A thing of the shop on its tile."""
    ground, shapes = THINGS[NAMES.get(name, name)]
    return f'<svg viewBox="0 0 100 100" width="100%" height="100%"><rect width="100" height="100" rx="{radius}" fill="{ground}"/>{shapes}</svg>'


def banner(name):
    """A wide picture; what it says is a label of the capture."""
    grounds = {"banner.spring": ("#ff8a5c", "#ffc371"), "banner.newcomer": ("#6a7bff", "#8fd0ff"), "banner.member": ("#2b2b3a", "#6d5a3a")}
    first, second = grounds.get(name, ("#7cc6a4", "#d8f0c2"))
    return (f'<svg viewBox="0 0 300 136" width="100%" height="100%" preserveAspectRatio="none"><defs><linearGradient id="{name}" x2="1" y2="1"><stop stop-color="{first}"/><stop offset="1" stop-color="{second}"/></linearGradient></defs>'
            f'<rect width="300" height="136" rx="14" fill="url(#{name})"/><circle cx="250" cy="20" r="60" fill="#fff" opacity=".16"/><circle cx="205" cy="130" r="44" fill="#fff" opacity=".14"/>'
            + peach(214, 66, 30) + peach(258, 86, 24, "#ff8f80") + '<rect x="20" y="62" width="92" height="12" rx="6" fill="#fff" opacity=".85"/><rect x="20" y="82" width="64" height="9" rx="4.500" fill="#fff" opacity=".55"/></svg>')


def photo():
    """The large picture of a product."""
    return ('<svg viewBox="0 0 390 390" width="100%" height="100%"><defs><linearGradient id="photo" y2="1"><stop stop-color="#fff3ea"/><stop offset="1" stop-color="#ffd9c7"/></linearGradient></defs><rect width="390" height="390" fill="url(#photo)"/>'
            '<ellipse cx="195" cy="322" rx="150" ry="24" fill="#eab79d" opacity=".55"/>' + peach(120, 236, 74) + peach(266, 242, 78, "#ff8f80") + peach(194, 150, 66, "#ffa091") + "</svg>")
