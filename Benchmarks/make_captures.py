#!/usr/bin/env python3
"""Makes captures of any size for benchmarks, the same ones for the same seed.

    make_captures.py --kind uiautomator --bytes 5000000 --output big.xml
    make_captures.py --kind uiautomator --bytes 30000 --files 200 --output small/
    make_captures.py --kind viewtree --elements 1000000 --output million.xml

`uiautomator` writes what `uiautomator dump` does: one line, 17 attributes a node, some 340 bytes.
`viewtree` writes Encircle's own XML with everything in it that the path rules treat specially:
navigation bars, tables and collections (nested, with and without superclasses), child pages, page
slots, alerts, runtime-made class names.

A capture is written as a stream of screens that stops when the size is reached; whatever is open
then is closed. So the number of elements is exact, the number of bytes right to within one element.
The content is invented: screens of an imaginary shop, some of their text in Chinese.
"""
import argparse
import random
import sys
from pathlib import Path

PACKAGE = "com.example.shop"
# Texts are written into attributes as they are, so they are escaped here.
TEXTS = (
    "加入购物车", "首页", "立即购买", "满199减20，今日有效", "物流信息", "查看全部评价 (1,024)", "¥ 59.90",
    "夏季新款纯棉短袖T恤 男女同款",
    "Add to cart", "Orders", "Free returns within 30 days", "Tom &amp; Co.", "&lt;3", "24 h", "12:45", "Size M / blue", "4.8",
    "Delivery on Tuesday, 3 March, between 9:00 and 12:00", "OK", "取消", "退群", "第一行&#10;第二行", "“Best of 2025”",
)


class Full(Exception):
    """The capture has the size that was asked for."""


class XMLWriter:
    """Writes elements until the capture is full."""

    def __init__(self, file, tag: str, head: str, tail: str, indent: bool, elements: int | None, size: int | None):
        self.file, self.tag, self.tail, self.indent = file, tag, tail, indent
        self.elements_left, self.size = elements, size
        self.depth = self.count = self.written = 0
        self.put(head)

    def put(self, text: str):
        self.file.write(text)
        self.written += len(text) if text.isascii() else len(text.encode())

    def margin(self) -> str:
        return "\n" + "  " * (self.depth + 1) if self.indent else ""

    def element(self, attributes: str, end: str):
        if self.elements_left == 0:
            raise Full
        closing = self.depth * (len(self.tag) + 3 + (self.depth + 2 if self.indent else 0)) + len(self.tail)
        if self.size is not None and self.written + closing >= self.size and self.count:
            raise Full
        if self.elements_left:
            self.elements_left -= 1
        self.count += 1
        self.put(f"{self.margin()}<{self.tag} {attributes}{end}")

    def open(self, attributes: str):
        self.element(attributes, ">")
        self.depth += 1

    def leaf(self, attributes: str):
        self.element(attributes, "/>" if self.indent else " />")

    def close(self):
        self.depth -= 1
        self.put(f"{self.margin()}</{self.tag}>")

    def finish(self):
        while self.depth:
            self.close()
        self.put(self.tail)


class UIAutomator:
    """Screens as `uiautomator dump` writes them: bounds in pixels of the screen."""

    HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"

    def __init__(self, file, rng: random.Random, elements: int | None, size: int | None):
        self.xml = XMLWriter(file, "node", self.HEAD, "</hierarchy>", False, elements, size)
        self.rng = rng
        self.indexes = [0]

    def node(self, kind: str, box: tuple, text="", identifier="", description="", clickable=False, scrollable=False,
             checkable=False, children=None):
        index = self.indexes[-1]
        self.indexes[-1] += 1
        if "." not in kind:
            kind = "android.widget." + kind
        flag = ("false", "true")
        checked = checkable and self.rng.random() < 0.5
        resource = f"{PACKAGE}:id/{identifier}" if identifier and ":" not in identifier else identifier
        attributes = (
            f'index="{index}" text="{text}" resource-id="{resource}" class="{kind}" package="{PACKAGE}" '
            f'content-desc="{description}" checkable="{flag[checkable]}" checked="{flag[checked]}" '
            f'clickable="{flag[clickable]}" enabled="true" focusable="{flag[clickable]}" focused="false" '
            f'scrollable="{flag[scrollable]}" long-clickable="{flag[clickable and scrollable]}" '
            f'password="{flag[identifier == "password"]}" selected="false" '
            f'bounds="[{box[0]},{box[1]}][{box[2]},{box[3]}]"')
        if children is None:
            return self.xml.leaf(attributes)
        self.xml.open(attributes)
        self.indexes.append(0)
        children()
        self.indexes.pop()
        self.xml.close()

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def capture(self):
        screen = (0, 0, 1080, 2340)

        def content():
            self.node("android.view.ViewGroup", (0, 84, 1080, 252), identifier="toolbar", children=self.toolbar)
            while True:  # a pager's pages, as many as it takes
                self.node("androidx.viewpager.widget.ViewPager", (0, 252, 1080, 2172), identifier="pager", scrollable=True,
                          children=self.pages)

        def chrome(depth: int):
            if depth == 0:
                return content()
            kind = ("LinearLayout", "FrameLayout")[depth % 2]
            identifier = {3: "android:id/content", 2: "action_bar_root"}.get(depth, "")
            self.node(kind, screen, identifier=identifier, children=lambda: chrome(depth - 1))

        try:
            chrome(5)
        except Full:
            self.xml.finish()

    def toolbar(self):
        self.node("ImageButton", (0, 84, 147, 231), description="返回", clickable=True)
        self.node("TextView", (168, 121, 600, 194), text=self.text(), identifier="title")
        self.node("androidx.appcompat.widget.LinearLayoutCompat", (816, 84, 1080, 231), children=lambda: (
            self.node("TextView", (816, 99, 948, 215), identifier="action_search", description="Search", clickable=True),
            self.node("ImageView", (948, 99, 1080, 215), description="More options", clickable=True)))

    def pages(self):
        for page in range(self.rng.randint(1, 4)):
            left = page * 1080
            self.node("FrameLayout", (left, 252, left + 1080, 2172), children=lambda: self.page(left))

    def page(self, left: int):
        box = (left, 252, left + 1080, 2172)
        if self.rng.random() < 0.3:
            self.node("EditText", (left + 42, 270, left + 1038, 370), text=self.text(), identifier="search_box", clickable=True)
        self.node("androidx.swiperefreshlayout.widget.SwipeRefreshLayout", box, children=lambda: self.node(
            "androidx.recyclerview.widget.RecyclerView", box, identifier="feed", scrollable=True,
            children=lambda: self.rows(left)))

    def rows(self, left: int):
        top = 252
        for _ in range(self.rng.randint(6, 24)):
            height = self.rng.randint(120, 480)
            box = (left, top, left + 1080, top + height)
            row = self.rng.choice((self.product, self.product, self.carousel, self.setting, self.nested))
            self.node("android.view.ViewGroup", box, identifier="row", clickable=True, children=lambda: row(box))
            top += height

    def product(self, box: tuple):
        left, top, right, bottom = box
        self.node("ImageView", (left + 42, top + 20, left + 300, bottom - 20), identifier="picture", description=self.text())
        self.node("LinearLayout", (left + 320, top + 20, right - 42, bottom - 20), children=lambda: (
            self.node("TextView", (left + 320, top + 20, right - 42, top + 60), text=self.text(), identifier="name"),
            self.node("TextView", (left + 320, top + 60, right - 42, top + 90), text=self.text()),
            self.node("RatingBar", (left + 320, top + 90, left + 500, top + 110)),
            self.node("Button", (right - 300, top + 80, right - 42, bottom - 20), text="加入购物车", identifier="add_to_cart",
                      clickable=True)))

    def carousel(self, box: tuple):
        left, top, right, bottom = box

        def cards():
            for card in range(self.rng.randint(3, 9)):
                x = left + card * 320
                self.node("androidx.cardview.widget.CardView", (x, top, x + 300, bottom), clickable=True, children=lambda: (
                    self.node("ImageView", (x, top, x + 300, bottom - 60)),
                    self.node("TextView", (x, bottom - 60, x + 300, bottom), text=self.text())))

        self.node("HorizontalScrollView", box, scrollable=True, children=lambda: self.node(
            "LinearLayout", box, children=cards))

    def setting(self, box: tuple):
        left, top, right, bottom = box
        self.node("TextView", (left + 42, top + 20, right - 250, bottom - 20), text=self.text(), identifier="android:id/title")
        self.node("Switch", (right - 200, top + 20, right - 42, bottom - 20), identifier="switch", clickable=True, checkable=True)

    def nested(self, box: tuple):
        """A web or Flutter view: unnamed containers, one in another."""
        def inside(depth: int):
            for _ in range(self.rng.randint(0, 2)):
                self.node("android.view.View", box, description=self.text(), clickable=self.rng.random() < 0.3)
            if depth:
                self.node("android.view.View", box, children=lambda: inside(depth - 1))
        inside(self.rng.randint(1, 8))


class ViewTree:
    """Windows in Encircle's own XML: frames in points, in the superview's coordinates."""

    HEAD = ('<?xml version="1.0" encoding="UTF-8"?>\n<viewTree version="1" app="com.example.shop" appVersion="5.2.1" os="iOS" '
            'osVersion="17.2" screen="390 844" capturedAt="2026-03-02T08:00:00Z">')
    SCREEN = "0 0 390 844"

    def __init__(self, file, rng: random.Random, elements: int | None, size: int | None):
        self.xml = XMLWriter(file, "view", self.HEAD, "\n</viewTree>\n", True, elements, size)
        self.rng = rng

    def view(self, kind: str, frame: str, more="", children=None):
        attributes = f'class="{kind}" frame="{frame}"' + (" " + more if more else "")
        if children is None:
            return self.xml.leaf(attributes)
        self.xml.open(attributes)
        children()
        self.xml.close()

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def button(self, frame: str, action: str):
        kind = "NSKVONotifying_UIButton" if self.rng.random() < 0.1 else "UIButton"
        self.view(kind, frame, f'title="{self.text()}" actions="{action}" identifier="{action.rstrip(":")}"', lambda:
                  self.view("UIButtonLabel", "8 8 58 24", f'superclasses="UILabel UIView" text="{self.text()}"'))

    def capture(self):
        try:
            window = 0
            while True:  # windows, as many as it takes, each with more tabs; the alert first, so that small captures have one
                self.view("UIWindow", self.SCREEN, children=self.alert)
                tabs = min(window + 1, 40)
                self.view("UIWindow", self.SCREEN, children=lambda: self.view(
                    "UILayoutContainerView", self.SCREEN, 'controller="UITabBarController"', lambda: self.tabs(tabs)))
                window += 1
        except Full:
            self.xml.finish()

    def tabs(self, count: int):
        def navigation(screen):
            self.view("UINavigationTransitionView", self.SCREEN, children=lambda: self.view(
                "UIViewControllerWrapperView", self.SCREEN, children=screen))
            self.view("UINavigationBar", "0 47 390 44", children=self.navigation_bar)

        self.view("UITransitionView", self.SCREEN, children=lambda: [
            self.view("UIViewControllerWrapperView", self.SCREEN, children=lambda: self.view(
                "UILayoutContainerView", self.SCREEN,
                'controller="ShopNavigationController" controllerSuperclasses="UINavigationController UIViewController"',
                lambda: navigation(screen)))
            for screen in (self.channels_screen, self.reader_screen, self.table_screen)
            for _ in range(self.rng.randint(1, count))])
        self.view("UITabBar", "0 761 390 83", children=lambda: [
            self.view("UITabBarButton", f"{2 + 97 * tab} 1 93 48", f'superclasses="UIControl UIView" label="{self.text()}"')
            for tab in range(4)])

    def navigation_bar(self):
        self.view("_UIBarBackground", "0 -47 390 91")
        self.view("_UINavigationBarContentView", "0 0 390 44", children=lambda: (
            self.view("_UIButtonBarButton", "8 0 44 44", 'superclasses="UIControl UIView" actions="back:"'),
            self.view("UILabel", "150 10 90 24", f'text="{self.text()}"'),
            self.view("UIButton", "338 7 30 30", 'actions="share: logShare:"'),
            self.view("NSKVONotifying_UIButton", "300 7 30 30", 'actions="search:"')))

    def table_screen(self):
        self.view("UIView", self.SCREEN, 'controller="HomeViewController" controllerTitle="首页"', lambda: (
            self.view("UISearchBar", "0 91 390 52", 'placeholder="搜索商品"', lambda: self.view(
                "UISearchBarTextField", "8 8 374 36", 'superclasses="UISearchTextField UITextField UIControl UIView"')),
            self.view("UITableView", "0 143 390 618", children=self.table_cells),
            self.view("UIView", "0 700 390 61", children=lambda: (
                self.view("CartView", "0 0 195 61", 'controller="CartViewController"', lambda: self.button("0 0 50 50", "pay:")),
                self.view("CartView", "195 0 195 61", 'controller="CouponViewController"',
                          lambda: self.button("0 0 50 50", "useCoupon:"))))))

    def table_cells(self):
        for section in range(self.rng.randint(1, 3)):
            for row in range(self.rng.randint(2, 8)):
                position, frame = f'indexPath="{section} {row}"', f"0 {88 * row} 390 88"
                kind = self.rng.randrange(4)
                if kind == 0:
                    self.view("UITableViewCell", frame, position, lambda: self.content_view(self.labels))
                elif kind == 1:
                    self.view("ProductCell", frame, f'superclasses="UITableViewCell UIView" {position}',
                              lambda: self.content_view(self.product))
                elif kind == 2:  # what it is a kind of is to be seen from the list
                    self.view("BannerCell", frame, position, lambda: self.content_view(self.labels))
                else:
                    self.view("NSKVONotifying_CarouselCell", frame,
                              f'superclasses="CarouselCell UITableViewCell UIView" {position}',
                              lambda: self.content_view(lambda: self.view(
                                  "UICollectionView", "0 0 390 88", children=self.collection_cells)))

    def content_view(self, children):
        self.view("UITableViewCellContentView", "0 0 390 88", children=children)

    def labels(self):
        self.view("UILabel", "16 12 260 22", f'text="{self.text()}"')
        self.view("UILabel", "16 40 260 22", f'text="{self.text()}" titleColor="#666666"')
        self.view("UISwitch", "320 28 51 31", f'on="{self.rng.choice(("true", "false"))}" actions="toggle:"')

    def product(self):
        self.view("UIImageView", "16 8 72 72", f'imageName="product-{self.rng.randrange(1000)}" gestures="tap"')
        self.view("UILabel", "96 12 190 22", f'text="{self.text()}" label="{self.text()}"')
        self.button("300 24 74 40", "addToCart:")
        self.button("220 24 74 40", "like:")

    def collection_cells(self):
        self.view("UICollectionReusableView", "0 0 20 88", 'indexPath="0 0"')
        for item in range(self.rng.randint(2, 6)):
            known = self.rng.random() < 0.7
            self.view("CardCell", f"{100 * item} 0 90 88",
                      ('superclasses="UICollectionViewCell UICollectionReusableView UIView" ' if known else "")
                      + f'indexPath="0 {item}"', lambda: self.view("UIView", "0 0 90 88", children=lambda: (
                          self.view("UIImageView", "0 0 90 60"),
                          self.view("UILabel", "0 60 90 28", f'text="{self.text()}"'))))

    def channels_screen(self):
        """Child pages side by side in a scroll view, in the order of opening."""
        pages = list(range(self.rng.randint(2, 5)))
        self.rng.shuffle(pages)
        self.view("UIView", self.SCREEN, 'controller="ChannelsViewController" controllerSuperclasses="UIViewController"', lambda:
                  self.view("UIScrollView", "0 91 390 670", children=lambda: [
                      self.view("FeedView", f"{390 * page} 0 390 670", 'controller="FeedViewController"', lambda: (
                          self.button("0 0 50 50", "follow:"),
                          self.view("UISegmentedControl", "60 0 200 32", 'selectedIndex="1" actions="filter:"'),
                          self.view("UILabel", "0 60 390 40", f'text="{self.text()}"')))
                      for page in pages]))

    def reader_screen(self):
        """A page view controller: every child page in its own slot, the last one empty, one without a size."""
        def slots():
            for slot in range(3):
                self.view("UIView", f"{390 * slot} 0 390 844", children=lambda: self.view(
                    "PageView", self.SCREEN, 'controller="PageViewController"',
                    lambda: self.view("UILabel", "16 16 358 800", f'text="{self.text()}"')))
            self.view("UIView", "1170 0 0 0", children=lambda: self.view(
                "PageView", "0 0 390 844", 'controller="PageViewController"'))
            self.view("UIView", "1560 0 390 844")

        self.view("_UIPageViewControllerContentView", self.SCREEN, 'controller="UIPageViewController"', lambda: self.view(
            "_UIQueuingScrollView", self.SCREEN, 'superclasses="UIScrollView UIView"', slots))

    def alert(self):
        def action_views():
            for item, title in enumerate(("取消", "确定")):
                self.view("_UIAlertControllerCollectionViewCell", f"{135 * item} 0 135 44",
                          f'superclasses="UICollectionViewCell UICollectionReusableView UIView" indexPath="0 {item}"',
                          lambda: self.view("UIView", "0 0 135 44", children=lambda: self.view(
                              "_UIAlertControllerActionView", "0 0 135 44", f'gestures="tap" text="{title}"')))

        message = self.rng.choice(('message="确认退出群聊吗?" ', 'message="" ', ""))
        self.view("_UIAlertControllerView", "52 250 270 140", f'controller="UIAlertController" {message}title="{self.text()}"',
                  lambda: self.view("UIView", "0 0 270 140", children=lambda: self.view(
                      "UICollectionView", "0 96 270 44", children=action_views)))


KINDS = {"uiautomator": UIAutomator, "viewtree": ViewTree}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=sorted(KINDS), default="uiautomator", help="default: %(default)s")
    amount = parser.add_mutually_exclusive_group(required=True)
    amount.add_argument("--elements", type=int, metavar="N", help="elements a file, exactly")
    amount.add_argument("--bytes", type=int, metavar="N", help="bytes a file, about")
    parser.add_argument("--files", type=int, metavar="K", help="write K files into the directory OUTPUT, each different")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--output", type=Path, required=True, help="a file, or with --files a directory")
    options = parser.parse_args()
    for name in ("elements", "bytes", "files"):
        value = getattr(options, name)
        if value is not None and value < 1:
            parser.error(f"--{name} must be at least 1")

    if options.files is None:
        targets = [options.output]
    else:
        options.output.mkdir(parents=True, exist_ok=True)
        targets = [options.output / f"capture-{number:05}.xml" for number in range(options.files)]
    elements = size = 0
    for number, target in enumerate(targets):
        rng = random.Random(f"{options.seed}/{number}")
        with open(target, "w", encoding="utf-8", newline="\n", buffering=1 << 20) as file:
            capture = KINDS[options.kind](file, rng, options.elements, options.bytes)
            capture.capture()
        elements += capture.xml.count
        size += capture.xml.written
    print(f"{len(targets)} captures, {elements} elements, {size} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
