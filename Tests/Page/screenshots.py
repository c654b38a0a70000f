"""Draws the screenshots of the shop's captures, ViewTrees/screenshots/NAME.png: everything in a capture is drawn in its place,
so that rings fit. What people typed is not in them.

usage: Scripts/page-test screenshots [NAME] …
"""

import html
import io
import sys
import xml.etree.ElementTree

from PIL import Image
from playwright.sync_api import sync_playwright

from pictures import ICONS, NAMES, banner, icon, photo, thing
from support import CHROMIUM, ROOT, Service

SHIPPED = ["home-feed", "product-page", "cart", "search", "order-v5.1", "order-v5.2", "tab-bar", "login", "action-sheet",
           "ios-shop", "alert-ios10", "segmented"]
FOLDER = ROOT / "ViewTrees" / "screenshots"
SCALE = 1.5
MOST_BYTES = 40_000
RED, INK, GREY, BLUE = "#f5402c", "#20242b", "#8a909c", "#2f6fed"


HOME = '<div class="home"></div>'


class Element:
    """An element of a capture: the service's facts about it, and the attributes of its view."""

    def __init__(self, facts, view, parent):
        self.name = facts["class"]
        self.frame = facts["frame"]
        self.hidden = facts["hidden"]
        self.content = facts["content"] or ""
        self.parent = parent
        self.view = view
        self.superclasses = view.get("superclasses", "")

    def get(self, name):
        return self.view.get(name, "")

    def is_kind(self, *names):
        return any(name in f"{self.name} {self.superclasses}".split() for name in names)

    @property
    def around(self):
        """The elements around it, from the inside out."""
        one = self.parent
        while one:
            yield one
            one = one.parent

    def inside(self, *words):
        """The nearest element around it whose class contains one of these words."""
        return next((one for one in self.around if any(word in one.name for word in words)), None)


def box(element, classes, content="", style=""):
    x, y, width, height = element.frame
    return f'<div class="box {classes}" style="left:{x}px;top:{y}px;width:{width}px;height:{height}px;{style}">{content}</div>'


def text(element, words, size, ink=INK, weight=400, centre=False):
    wraps = element.frame[3] > 30 and len(words) > 12
    return box(element, f"text{' centre' if centre else ''}{' wrap' if wraps else ''}", html.escape(words),
               f"font-size:{size}px;color:{ink};font-weight:{weight};overflow:visible")


class Drawing:
    """The HTML of one capture."""

    def __init__(self, elements, has_profile):
        self.elements = elements
        self.has_profile = has_profile
        self.has_alert = any("AlertController" in element.name for element in elements)

    @property
    def html(self):
        return "".join(part for element in self.elements if element.frame and not element.hidden for part in [self.draw(element)] if part)

    def draw(self, element):
        for fits, draw in self.kinds:
            if fits(element):
                return draw(self, element)
        return ""

    # MARK: Texts

    def label(self, element):
        words, height = element.get("text") or element.content, element.frame[3]
        if not words or element.inside("UITextField", "UISearchBarTextField", "LoginField", "UITextView"):
            return ""
        if element.is_kind("PriceLabel") or words.startswith("¥"):
            return text(element, words, 24 if height > 24 else 17, RED, 700)
        if element.inside("NavigationBar"):
            ink = "#fff" if self.has_profile else INK
            return text(element, words, 17, ink, 600, centre=True) if "Button" not in element.name else text(element, words, 16, RED)
        if element.inside("TabBarButton"):
            badge = element.inside("BadgeView")
            chosen = element.inside("TabBarButton").get("selected") == "true"
            return text(element, words, 11 if badge else 10.5, "#fff" if badge else RED if chosen else GREY, 600 if badge else 500, centre=True)
        option = element.inside("AlertControllerActionView")
        if option:
            return text(element, words, 17, RED if words in ("清空", "退出", "申请退款") else BLUE, 600 if words == "取消" else 400, centre=True)
        if element.inside("AlertController"):
            is_title = height < 25
            return text(element, words, 17 if is_title else 13, INK if is_title else GREY, 700 if is_title else 400, centre=True)
        button = element.inside("Button")
        if button and "Cell" not in button.name:
            return self.title(element, button, words)
        if element.inside("Segment"):
            return text(element, words, 14, INK, 600, centre=True)
        if element.inside("SkuChip"):
            chosen = element.inside("SkuChip").get("selected") == "true"
            return text(element, words, 14, RED if chosen else INK, 600 if chosen else 400, centre=True)
        if element.inside("BannerCell"):
            return text(element, words, 17, "#fff", 700)
        if element.inside("HeaderFooterView"):
            return text(element, words, 16, INK, 700)
        if element.inside("ProfileHeaderView"):
            return text(element, words, 20 if height > 22 else 13, "#fff", 700 if height > 22 else 500)
        if element.inside("CategoryCell", "ExtraCell"):
            return text(element, words, 13, INK, 500, centre=True)
        if element.inside("UIDatePicker"):
            return text(element, words, 16, BLUE, 600, centre=True)
        if "合计" in words[:2] or words.startswith("实付"):
            return text(element, words, 16, RED, 700)
        quiet = height <= 18 or words.startswith(("已售", "已优惠", "运费", "商品合计", "缓存")) or "/" in words
        size = {True: 12.5, False: 15}[quiet] if height <= 22 else 15 if len(words) > 8 else 26 if height >= 28 else 20
        return text(element, words, size, GREY if quiet else INK, 700 if height > 22 and len(words) < 12 else 500 if not quiet else 400, centre=words == "欢迎回来")

    def title(self, element, button, words):
        if button.name in ("OrderEntryButton",):
            return text(element, words, 13, INK, 500, centre=True)
        strong = button.is_kind("PrimaryButton", "CheckoutButton")
        small = element.frame[3] < 16
        plain = words in ("全选", "运费说明", "客服", "收藏", "忘记密码?", "注册账号") or small
        ink = "#fff" if strong else GREY if small or words == "运费说明" else INK if plain else RED
        if button.get("title") == "广告":
            ink = "#fff"
        if button.get("title") in ("联系客服", "取消订单", "更多", "打印发票"):
            ink = INK
        return text(element, words, 11 if small else 16 if strong else 14, ink, 600 if strong else 500, centre=True)

    # MARK: Pictures

    def image(self, element):
        name = element.get("imageName")
        if name in NAMES:
            return box(element, "", thing(name))
        if name.startswith("banner."):
            return box(element, "", banner(name), f"height:{element.frame[3] + 8}px")
        if name.startswith("theme."):
            return box(element, "", banner({"theme.0": "banner.spring", "theme.1": "banner.newcomer"}.get(name, "banner.member")))
        if name.startswith("peach."):
            return box(element, "", photo())
        if name == "avatar":
            return box(element, "", thing("peach", 50), "border-radius:50%;box-shadow:0 0 0 3px rgb(255 255 255 / 60%)")
        if name == "logo":
            return box(element, "", thing("peach", 22), "box-shadow:0 6px 18px rgb(245 80 47 / 25%);border-radius:18px")
        if name == "checkmark.circle.fill":
            return box(element, "", f'<svg viewBox="0 0 24 24" width="100%" height="100%"><circle cx="12" cy="12" r="11" fill="{RED}"/><path d="M7 12.500l3.500 3.500L17 9" fill="none" stroke="#fff" stroke-width="2.200" stroke-linecap="round"/></svg>')
        if name == "circle":
            return box(element, "", '<svg viewBox="0 0 24 24" width="100%" height="100%"><circle cx="12" cy="12" r="10" fill="none" stroke="#c3c8d2" stroke-width="1.800"/></svg>')
        if name == "xmark.circle.fill":
            if element.inside("UITextField", "LoginField"):
                return ""
            return box(element, "", '<svg viewBox="0 0 24 24" width="100%" height="100%"><circle cx="12" cy="12" r="11" fill="#bcc2cd"/><path d="M8 8l8 8M16 8l-8 8" stroke="#fff" stroke-width="2"/></svg>')
        if name.removesuffix(".fill") not in ICONS:
            return ""
        ink = INK
        if element.inside("TabBarButton"):
            ink = RED if element.inside("TabBarButton").get("selected") == "true" else GREY
        elif element.inside("NavigationBar") and self.has_profile:
            ink = "#fff"
        elif name in ("chevron.forward", "magnifyingglass"):
            ink = "#b4bac5"
        elif name in ("cart.badge.plus", "arrow.up", "pencil", "chevron.backward"):
            ink = RED
        elif element.inside("ThirdPartyButton"):
            ink = {"wechat": "#1fb454", "weibo": RED}.get(name, INK)
        elif element.inside("ProfileRowCell", "OrderEntryButton"):
            ink = "#f56a3c"
        return box(element, "", icon(name, ink))

    # MARK: Controls

    def button(self, element):
        title, image = element.get("title"), element.get("imageName")
        if element.inside("NavigationBar", "SearchBar", "UITextField", "LoginField") or element.name.startswith("_UIModern"):
            return ""
        if element.is_kind("PrimaryButton", "CheckoutButton"):
            return box(element, "button warm" if title == "加入购物车" else "button strong")
        if element.is_kind("CountButton", "ThirdPartyButton"):
            return box(element, "round")
        if element.is_kind("_UIStepperButton"):
            return text(element, {"minus": "−", "plus": "＋"}.get(image, ""), 18, INK, 500, centre=True)
        if title == "广告":
            return box(element, "", banner("banner.newcomer"), "border-radius:12px")
        if title in ("联系客服", "取消订单", "更多", "打印发票", "获取验证码", "收藏") and not image:
            return box(element, "button line")
        if not title or image or title in ("全选", "运费说明", "忘记密码?", "注册账号"):
            return ""
        return box(element, "button")

    def field(self, element):
        shown = element.get("placeholder")
        words = element.get("text") if "SearchBar" in element.name else "••••••••" if element.get("secure") else shown
        inset = 34 if "SearchBar" in element.name else 14
        ink = INK if "SearchBar" in element.name else "#a3a9b5"
        return box(element, "field text", html.escape(words or ""), f"padding-left:{inset}px;font-size:16px;color:{ink}")

    def switch(self, element):
        return box(element, f"switch{' on' if element.get('on') == 'true' else ''}")

    def slider(self, element):
        part = float(element.get("value") or 0)
        part = part / 100 if part > 1 else part
        high = element.frame[3]
        bare = "Progress" in element.name
        knob = "" if bare else f'<i style="position:absolute;left:calc({part * 100}% - {part * 24}px);top:{high / 2 - 12}px;width:24px;height:24px;border-radius:50%;background:#fff;box-shadow:0 1px 5px rgb(0 0 0/28%)"></i>'
        line = f"position:absolute;top:{high / 2 - 2}px;height:4px;border-radius:2px;"
        return box(element, "", f'<i style="{line}left:0;right:0;background:#e1e4ea"></i><i style="{line}left:0;width:{part * 100}%;background:{RED}"></i>{knob}', "overflow:visible")

    def page_control(self, element):
        words = element.get("value") or "1/3"
        now, count = (int(part) for part in words.split("/"))
        dots = "".join(f'<i style="display:inline-block;width:{16 if number + 1 == now else 7}px;height:7px;border-radius:4px;margin:0 3px;background:{RED if number + 1 == now else "rgb(120 120 130/35%)"}"></i>' for number in range(count))
        return box(element, "text centre", dots)

    def navigation_bar(self, element):
        x, y, width, height = element.frame
        return f'<div class="box nav{" clear" if self.has_profile else ""}" style="left:{x}px;top:0;width:{width}px;height:{y + height}px"></div>'

    def alert(self, element):
        """An alert, with its title and message where the capture says them without a label."""
        if "TVMac" in element.name:
            return ""
        said = {one.get("text") for one in self.elements}
        title, message = (word if word not in said else "" for word in (element.get("title"), element.get("message")))
        return box(element, "alert", f'<div style="text-align:center;padding-top:20px;font-size:17px;font-weight:700">{html.escape(title)}</div><div style="text-align:center;padding-top:6px;font-size:13px;color:{GREY}">{html.escape(message)}</div>')

    def option(self, element):
        sheet = element.frame[2] > 300
        corners = {"取消": "0 0 0 14px", "清空": "0 0 14px 0", "退出": "0 0 14px 0"}
        first = element.get("text") == "申请退款"
        alone = sheet and element.get("text") == "取消"
        radius = "14px" if alone else "14px 14px 0 0" if first else "0 0 14px 14px" if sheet and element.get("text") == "查看物流" else corners.get(element.get("text"), "0")
        return box(element, "option", style=f"border-radius:{radius};height:{element.frame[3] + 0.5}px")

    kinds = [
        (lambda e: e.is_kind("UIScrollView") and "Indicator" in e.name, lambda self, e: ""),
        (lambda e: "TextLayout" in e.name or e.name == "UITextFieldLabel", lambda self, e: ""),
        (lambda e: e.name == "UIDimmingView", lambda self, e: box(e, "shade")),
        (lambda e: e.name in ("_UIAlertControllerView", "_UIAlertControllerPhoneTVMacView"), alert),
        (lambda e: e.name == "_UIAlertControllerActionView", option),
        (lambda e: e.name == "UINavigationBar", navigation_bar),
        (lambda e: e.name == "UITabBar" or e.name in ("BuyBar", "GiftBar", "OrderBar", "CartFooterView"), lambda self, e: box(e, "bar")),
        (lambda e: e.name == "_UIBadgeView", lambda self, e: box(e, "badge", style="left:%spx;width:%spx" % (e.frame[0] + 2, e.frame[2] - 4))),
        (lambda e: e.is_kind("UISwitch"), switch),
        (lambda e: e.is_kind("UISlider", "UIProgressView"), slider),
        (lambda e: e.is_kind("UIPageControl"), page_control),
        (lambda e: e.is_kind("UIStepper"), lambda self, e: box(e, "stepper")),
        (lambda e: e.is_kind("UISegmentedControl"), lambda self, e: box(e, "segments")),
        (lambda e: e.name == "UISegment", lambda self, e: box(e, "segment on", style=f"width:{e.frame[2] - 4}px;height:{e.frame[3] - 4}px") if e.get("selected") == "true" or (e.parent and e.parent.get("selectedIndex") == "1" and e.frame[0] > 190 and len(e.parent.view) == 2) else ""),
        (lambda e: e.name == "UIDatePicker", lambda self, e: box(e, "field")),
        (lambda e: e.is_kind("UITextField", "UITextView"), field),
        (lambda e: e.name == "SkuChip", lambda self, e: box(e, f"chip{' on' if e.get('selected') == 'true' else ''}")),
        (lambda e: e.name == "UISearchBar", lambda self, e: box(e, "cell")),
        (lambda e: e.name == "ProfileHeaderView", lambda self, e: box(e, "profile")),
        (lambda e: e.name == "UIStackView" and e.inside("ProfileHeaderView"), lambda self, e: box(e, "profile-card", style=f"width:{e.frame[2] - 24}px")),
        (lambda e: e.name in ("OrderAddressView", "OrderAddressCardView"), lambda self, e: box(e, "cell")),
        (lambda e: e.name == "CouponBannerView", lambda self, e: box(e, "", style="background:#fff4e0")),
        (lambda e: e.name == "ExtraCell", lambda self, e: box(e, "card", style="background:#fff1ec")),
        (lambda e: e.name in ("BannerCell", "CategoryCell"), lambda self, e: ""),
        (lambda e: e.name.endswith("HeaderFooterView"), lambda self, e: box(e, "head")),
        (lambda e: e.name.endswith("Cell"), lambda self, e: box(e, "cell" if "Strip" in e.name or "Extras" in e.name else "cell line")),
        (lambda e: e.name == "UIView" and e.frame[0] == 0 and 30 < e.frame[3] < 130 and e.frame[1] > 500 and e.frame[2] == 390 and len(e.view) > 1, lambda self, e: box(e, "cell")),
        (lambda e: e.is_kind("UIButton") and "Label" not in e.name, button),
        (lambda e: e.is_kind("UIImageView") and e.get("imageName"), image),
        (lambda e: e.is_kind("UILabel", "UIButtonLabel") or e.name.endswith("Label"), label),
    ]


def bouquets(elements):
    """The flower shop has no pictures; its rows get one between the texts and the buttons."""
    kinds = {"粉玫瑰": "rose", "向日葵": "sunflower"}
    return "".join(f'<div class="box" style="left:108px;top:{e.frame[1] - 10}px;width:76px;height:76px">{thing(kinds[e.get("text")])}</div>' for e in elements if e.get("text") in kinds)


def document(name, facts, root):
    views = [view for view in root.iter() if view.tag == "view"]
    elements = []
    for fact, view in zip(facts, views, strict=True):
        elements.append(Element(fact, view, elements[fact["parent"]] if fact["parent"] is not None else None))
    has_profile = any(element.name == "ProfileHeaderView" for element in elements)
    drawing = Drawing(elements, has_profile)
    ink = "#fff" if has_profile else INK
    small = ";height:20px;font-size:12px;zoom:.9" if root.get("screen", "").endswith(" 667") else ""
    top = (3, 4) if small else (15, 18)
    status = (f'<div class="status" style="color:{ink}{small}"><span style="position:absolute;left:34px;top:{top[0]}px">9:41</span>'
              f'<svg style="position:absolute;right:26px;top:{top[1]}px" width="66" height="14" viewBox="0 0 66 14" fill="{ink}"><rect x="0" y="8" width="3" height="5" rx="1"/><rect x="5" y="6" width="3" height="7" rx="1"/><rect x="10" y="3" width="3" height="10" rx="1"/><rect x="15" y="0" width="3" height="13" rx="1"/><path d="M24 5a10 10 0 0 1 14 0l-2 2a7 7 0 0 0-10 0ZM28 9a4.500 4.500 0 0 1 6 0l-3 3.500Z"/><rect x="43.500" y="1.500" width="18" height="11" rx="3" fill="none" stroke="{ink}" opacity=".5"/><rect x="45" y="3" width="15" height="8" rx="1.500"/><rect x="63" y="5" width="1.500" height="4" rx=".7"/></svg></div>')
    ground = "#fff" if name in ("login", "product-page", "segmented", "search") else ""
    extra = bouquets(elements) if name == "ios-shop" else ""
    return f'<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="drawing.css"><body{f" style=background:{ground}" if ground else ""}>{drawing.html}{extra}{status}{"" if small else HOME}'


def light(png):
    """The picture with a palette: as many colours as its size allows."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in (128, 96, 64, 48, 32):
        out = io.BytesIO()
        picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    raise SystemExit(f"a screenshot has more than {MOST_BYTES} bytes")


def exact(service, name):
    """The ID of the capture with exactly this name."""
    captures = service.request("GET", "/v1/captures?limit=500")["captures"]
    return next(capture["id"] for capture in captures if capture["name"] == name)


def main():
    service = Service()
    total = 0
    FOLDER.mkdir(exist_ok=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=SCALE).new_page()
            style = (ROOT / "Tests" / "Page" / "drawing.css").read_text()
            for name in sys.argv[1:] or SHIPPED:
                facts = service.request("GET", f"/v1/captures/{exact(service, name)}/elements")["elements"]
                root = xml.etree.ElementTree.parse(ROOT / "ViewTrees" / f"{name}.xml").getroot()
                width, height = (int(part) for part in root.get("screen").split())
                page.set_viewport_size({"width": width, "height": height})
                page.set_content(document(name, facts, root).replace('<link rel="stylesheet" href="drawing.css">', f"<style>{style}</style>"))
                picture = light(page.screenshot())
                (FOLDER / f"{name}.png").write_bytes(picture)
                total += len(picture)
                print(f"{name}: {len(picture)} bytes")
            browser.close()
    finally:
        service.stop()
    print(f"{total} bytes")


if __name__ == "__main__":
    main()
