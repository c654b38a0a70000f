"""An LLDB command that prints the views of a paused UIKit app as view-tree XML, without any code in the app.

    (lldb) command script import Probe/encircle_lldb.py
    (lldb) encircle -o home.xml

Typed text is omitted, as in the probe: the command first reads the classes of all views, then the texts of the views that
nobody types in. That takes three or more expressions, rather than some for each view: each walks its views inside the app and
answers with JSON. The expressions name no types of UIKit, and call no functions with a variable number of arguments, because
the debugger knows neither without the app's modules.
"""

import argparse
import json
import os
import re
import shlex
from datetime import datetime, timezone

# ---------------------------------------------------------------------------------------------------------------------
# Typed text


class InputNames:
    """Guesses from the names of classes whether people type in their views. In doubt, the answer is yes.

    This does the same as InputNames.swift, with the same lists.
    """

    PARTS = """
        textfield textinput textarea textbox edittext edittable textedit secure password passcode passphrase fieldeditor
        combobox searchbar searchfield searchbox searchview searchinput autocomplete verificationcode verifycode smscode
        authcode pincode pinentry textentry codeentry entryfield entryrenderer keyboard predictionview candidateview
        candidatebar uitextview autocorrect composer credential
    """.split()
    INPUT_WORDS = set("input inputs otp pwd passwd cvv cvc captcha editor".split())
    INPUT_NOUNS = set("edit editable pin field typing".split())
    GENERIC_WORDS = set("""
        view container wrapper box control component layout cell renderer host item widget native impl content group base
        node row wrap class
    """.split())
    HARMLESS_LAST_WORDS = set("""
        button icon image imageview switch toggle checkbox slider window separator background border shadow line underline
        controller
    """.split())
    HARMLESS_CLASSES = set("""
        UIInputSetContainerView UIInputSetHostView UIInputView RCTInputAccessoryContentView RCTInputAccessoryView
        RCTInputAccessoryViewContent RCTInputAccessoryComponentView UITableViewCellEditControl MKPinAnnotationView
    """.split())

    @classmethod
    def suggest_input(cls, name):
        if len(name.encode("utf-8", "surrogatepass")) > 4096:
            return True
        if name in cls.HARMLESS_CLASSES:
            return False
        words = cls._words(cls._simple_name(name))
        if words and words[-1] in cls.HARMLESS_LAST_WORDS:
            return False
        letters = re.sub("[^a-z]", "", "".join(words))
        if any(part in letters for part in cls.PARTS):
            return True
        if words and words[-1] in ("bar", "toolbar"):
            return False
        if any(word in cls.INPUT_WORDS for word in words):
            return True
        nouns = [word for word in words if word not in cls.GENERIC_WORDS and not re.fullmatch("[0-9]+", word)]
        return bool(nouns) and nouns[-1] in cls.INPUT_NOUNS

    @staticmethod
    def _simple_name(name):
        """Returns the name without its module and without the arguments of a generic class."""
        if name.startswith("_TtGC"):
            # Each identifier stands after its length: the module; P and the file of a private class; the class.
            rest, last, missing = name[5:], None, 2
            while missing:
                if rest.startswith("P"):
                    rest, missing = rest[1:], missing + 1
                digits = re.match("[0-9]{1,5}", rest)
                if not digits or not 0 < int(digits[0]) <= len(rest) - len(digits[0]):
                    break
                length, rest = int(digits[0]), rest[len(digits[0]):]
                last, rest, missing = rest[:length], rest[length:], missing - 1
            if not missing:
                name = last
        elif name.find("<") > 0:
            name = name[:name.index("<")]
        return name.rsplit(".", 1)[-1]

    @staticmethod
    def _words(name):
        """Returns the words in lower case: PinCode2View has pin, code, 2 and view, OTPView otp and view."""
        pattern = "[A-Z]+(?![a-z])|[A-Z]?[a-z\x80-\U0010ffff]+|[0-9]+"
        return [word.lower() for word in re.findall(pattern, name)]


OPEN, INPUT, INSIDE_INPUT = range(3)


def set_privacy(views):
    """Sets the privacy of views in pre-order, and whether people type in a view inside them."""
    known = {}

    def suggest_input(name):
        if name not in known:
            known[name] = InputNames.suggest_input(name)
        return known[name]

    for view in views:
        parent = views[view["parent"]] if view["parent"] >= 0 else None
        classes = view.get("classes") or []
        view["holdsInput"] = False
        if parent and parent["privacy"] != OPEN:
            view["privacy"] = INSIDE_INPUT
            continue
        is_button = "UIButton" in classes or "UISwitch" in classes
        is_input = (
            not classes or view.get("takesKeys", True) or "UISearchBar" in classes or "WKContentView" in classes
            or (not is_button and any(map(suggest_input, up_to(classes, "UIView")))))
        view["privacy"] = INPUT if is_input else OPEN
        while is_input and parent and not parent["holdsInput"]:
            parent["holdsInput"] = True
            parent = views[parent["parent"]] if parent["parent"] >= 0 else None


def up_to(classes, last):
    return classes[:classes.index(last) + 1] if last in classes else classes


# ---------------------------------------------------------------------------------------------------------------------
# The XML


def escaped(text):
    """Returns text as the value of an attribute. Characters that XML cannot represent become U+FFFD."""
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
    for character, reference in ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"):
        text = text.replace(character, reference)
    return text.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")


def shortened(text, length=16_384):
    return text.encode("utf-8", "replace")[:length].decode("utf-8", "ignore") if text is not None else None


def numbers(text, count):
    """Returns the numbers in the description of a rectangle or point, with spaces between them; None if any is missing."""
    found = re.findall(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", (text or "").partition(":")[2] or text or "")
    return " ".join(number_text(float(number)) for number in found) if len(found) == count else None


def number_text(number):
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def rgba(description):
    """Returns a color as CSS writes it, from its description; None for one that has no fixed components."""
    match = re.fullmatch(r"UIExtended(SRGB|Gray)ColorSpace ([-+.e\d ]+)", description or "")
    parts = [float(part) for part in match[2].split()] if match else []
    if len(parts) == 2:
        parts = [parts[0]] * 3 + parts[1:]
    if len(parts) != 4:
        return None
    return "rgba(%s, %s)" % (", ".join(str(round(part * 255)) for part in parts[:3]), number_text(parts[3]))


GESTURES = [
    ("UITapGestureRecognizer", "tap"), ("UILongPressGestureRecognizer", "longPress"),
    ("UIPinchGestureRecognizer", "pinch"), ("UIRotationGestureRecognizer", "rotation"),
    ("UISwipeGestureRecognizer", "swipe"), ("UIScreenEdgePanGestureRecognizer", "screenEdgePan"),
    ("UIPanGestureRecognizer", "pan"),
]


def attributes(view, texts):
    """Yields the attributes of a view, with None for missing ones."""
    classes = up_to(view.get("classes") or ["UIView"], "UIView")
    yield "class", classes[0]
    yield "superclasses", " ".join(classes[1:]) or None
    controller = up_to(view.get("controller") or [], "UIViewController")
    yield "controller", controller[0] if controller else None
    yield "controllerSuperclasses", " ".join(controller[1:]) or None
    is_alert = "UIAlertController" in controller
    yield "controllerTitle", None if is_alert else shortened(texts.get("controllerTitle"))
    path = view.get("indexPath") or []
    yield "indexPath", "%d %d" % tuple(path) if len(path) == 2 and max(path) < 2**31 else None
    if view.get("role") is not None:
        yield "section", str(view["section"])
        yield "role", view["role"]
    yield "frame", numbers(view.get("frame"), 4)
    offset = numbers(view.get("contentOffset"), 2)
    yield "contentOffset", None if offset == "0 0" else offset
    yield "placeholder", shortened(texts.get("placeholder"))
    yield "secure", "true" if view.get("secure") == "1" else None
    yield "title", texts.get("alertTitle") if is_alert else shortened(texts.get("title"))
    yield "message", texts.get("alertMessage") if is_alert else None
    yield "text", shortened(texts.get("text"))
    yield "label", shortened(texts.get("label"))
    yield "titleColor", rgba(view.get("titleColor")) if texts.get("title") is not None else None
    yield "imageName", texts.get("imageName")
    yield "actions", " ".join(view.get("actions") or []) or None
    kinds = [next((kind for name, kind in GESTURES if name in chain), None) for chain in view.get("gestures") or []]
    yield "gestures", " ".join(kind for kind in dict.fromkeys(kinds) if kind) or None
    if view.get("privacy") == OPEN:
        yield "on", {"1": "true", "0": "false"}.get(view.get("on"))
        index = view.get("selectedIndex") or "-1"
        yield "selectedIndex", None if index.startswith("-") else index
        yield "value", view.get("value")
    yield "selected", "true" if view.get("selected") == "1" else None
    yield "enabled", "false" if view.get("enabled") == "0" else None
    yield "hidden", "true" if view.get("hidden") == "1" else None
    yield "alpha", view.get("alpha") if view.get("alpha") != "1" else None
    yield "identifier", texts.get("identifier")
    yield "tag", view.get("tag") if view.get("tag") != "0" else None


def write_xml(header, views, texts):
    """Returns the document. Views are in pre-order; this is a loop, because views may be nested deeply."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']

    def tag(name, pairs, end):
        lines.append("<" + name + "".join(f' {key}="{escaped(value)}"' for key, value in pairs if value is not None) + end)

    tag("viewTree", header, ">")
    open_views = []
    for number, view in enumerate(views):
        while open_views and open_views[-1] != view["parent"]:
            open_views.pop()
            lines.append("</view>")
        has_subviews = number + 1 < len(views) and views[number + 1]["parent"] == number
        tag("view", attributes(view, texts.get(number, {})), ">" if has_subviews else "/>")
        if has_subviews:
            open_views.append(number)
    lines += ["</view>"] * len(open_views) + ["</viewTree>", ""]
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------------------------------
# The walk

# The requested texts of a view, as the bits of a number.
TEXTS, LABEL, PLACEHOLDER, IDENTIFIER = 1, 2, 4, 8


def allowed_texts(view):
    """Returns the texts of a view that may be read."""
    if view["privacy"] == INSIDE_INPUT:
        return 0
    if view["privacy"] == INPUT:
        return PLACEHOLDER | IDENTIFIER
    return TEXTS | IDENTIFIER | (0 if view["holdsInput"] else LABEL)


def capture(app, now=None):
    """Returns the views of an app as view-tree XML.

    `app` has three methods: `facts()` returns a dictionary about the app; `views()` a list with a dictionary for each view of
    all windows, in pre-order, each with the number of its parent, or -1; `texts(requests)` gets pairs of a view's address
    and of the bits above, and returns a dictionary for each.
    """
    views = foreground(app.views())
    set_privacy(views)
    requests = [(number, view["address"], allowed_texts(view)) for number, view in enumerate(views)]
    requests = [request for request in requests if request[2]]
    found = app.texts([request[1:] for request in requests])
    texts = {number: text for (number, _, _), text in zip(requests, found) if text}
    facts = app.facts()
    time = (now or datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ")
    screen = (numbers(facts.get("screen"), 4) or "").split()
    header = [("version", "1")] + [(key, facts.get(key)) for key in ("app", "appVersion", "os", "osVersion")]
    header += [("screen", " ".join(screen[2:]) or None), ("capturedAt", time)]
    return write_xml(header, views, texts)


def foreground(views):
    """Returns the views without the windows of scenes in the background, if there are others, from the back to the front."""
    windows = [number for number, view in enumerate(views) if view["parent"] < 0]
    ends = windows[1:] + [len(views)]
    parts = [views[start:end] for start, end in zip(windows, ends)]
    if any(part[0].get("scene") in ("0", "1") for part in parts):
        parts = [part for part in parts if part[0].get("scene") in ("0", "1", None)]
    parts.sort(key=lambda part: float(part[0].get("windowLevel") or 0))
    result = []
    for part in parts:
        first = len(result)
        start = part[0]["number"]
        for view in part:
            view = dict(view, parent=-1 if view["parent"] < 0 else view["parent"] - start + first)
            result.append(view)
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Expressions in Objective-C

def cls(name):
    return f'(Class)NSClassFromString(@"{name}")'


def is_kind(object_name, name):
    return f"(BOOL)[{object_name} isKindOfClass:{cls(name)}]"


def store(value, key):
    """Code that puts the description of an object, if there is one, into the facts."""
    return f"""{{
      id e_value = {value};
      if (e_value) {{ (void)[e_facts setObject:(id)[e_value description] forKey:@"{key}"]; }}
    }}"""


def class_names(object_name, array):
    """Code that puts the names of an object's class and its superclasses into a new array."""
    return f"""id {array} = (id)[{cls("NSMutableArray")} array];
    for (Class e_class = (Class)object_getClass({object_name}); e_class; e_class = (Class)class_getSuperclass(e_class)) {{
      (void)[{array} addObject:(id)NSStringFromClass(e_class)];
    }}"""


# Properties by kind of view: the kind, the key path of the property, and its name here. The kinds have methods for them,
# because an unknown key would end the expression.
PROPERTIES = [
    ("UIView", "frame", "frame"), ("UIView", "hidden", "hidden"), ("UIView", "alpha", "alpha"), ("UIView", "tag", "tag"),
    ("UIWindow", "windowLevel", "windowLevel"), ("UIWindow", "windowScene.activationState", "scene"),
    ("UIScrollView", "contentOffset", "contentOffset"),
    ("UIControl", "enabled", "enabled"), ("UIControl", "selected", "selected"),
    ("UISwitch", "on", "on"), ("UISegmentedControl", "selectedSegmentIndex", "selectedIndex"),
    ("UIPageControl", "currentPage", "selectedIndex"), ("UIStepper", "value", "value"), ("UISlider", "value", "value"),
    ("UIButton", "currentTitleColor", "titleColor"),
]


def result_of(value):
    """Code whose value is the JSON of an object, as data that outlives the expression."""
    return f"""(id)[(id)[{cls("NSJSONSerialization")} dataWithJSONObject:{value} options:(unsigned long)0 error:(id *)0] retain]"""


def facts_expression():
    bundle = f"(id)[{cls('NSBundle')} mainBundle]"
    device = f"(id)[{cls('UIDevice')} currentDevice]"
    return "\n".join([
        f"id e_facts = (id)[{cls('NSMutableDictionary')} dictionary];",
        store(f"(id)[{bundle} bundleIdentifier]", "app"),
        store(f'(id)[{bundle} objectForInfoDictionaryKey:@"CFBundleShortVersionString"]', "appVersion"),
        store(f"(id)[{device} systemName]", "os"), store(f"(id)[{device} systemVersion]", "osVersion"),
        store(f'(id)[(id)[{cls("UIScreen")} mainScreen] valueForKey:@"bounds"]', "screen"),
        result_of("e_facts") + ";",
    ])


def views_expression():
    properties = "\n".join(
        f'if ({is_kind("e_view", kind)}) ' + store(f'(id)[e_view valueForKeyPath:@"{path}"]', name)
        for kind, path, name in PROPERTIES)
    return f"""
id e_result = (id)[{cls("NSMutableArray")} array];
id e_open = (id)[{cls("NSMutableArray")} array];
id e_parents = (id)[{cls("NSMutableArray")} array];
id e_windows = (id)[(id)[{cls("UIApplication")} sharedApplication] valueForKey:@"windows"];
for (long e_i = (long)[e_windows count] - 1; e_i >= 0; e_i--) {{
  (void)[e_open addObject:(id)[e_windows objectAtIndex:(unsigned long)e_i]];
  (void)[e_parents addObject:(id)[{cls("NSNumber")} numberWithLong:(long)-1]];
}}
while ((unsigned long)[e_open count] > 0) {{
  id e_view = (id)[e_open lastObject];
  id e_facts = (id)[{cls("NSMutableDictionary")} dictionary];
  long e_number = (long)[e_result count];
  (void)[e_facts setObject:(id)[{cls("NSNumber")} numberWithLong:e_number] forKey:@"number"];
  (void)[e_facts setObject:(id)[e_parents lastObject] forKey:@"parent"];
  (void)[e_facts setObject:(id)[{cls("NSNumber")} numberWithUnsignedLong:(unsigned long)e_view] forKey:@"address"];
  (void)[e_open removeLastObject];
  (void)[e_parents removeLastObject];
  {class_names("e_view", "e_names")}
  (void)[e_facts setObject:e_names forKey:@"classes"];
  long e_keys = (BOOL)[e_view conformsToProtocol:(id)NSProtocolFromString(@"UIKeyInput")] ? 1 : 0;
  (void)[e_facts setObject:(id)[{cls("NSNumber")} numberWithLong:e_keys] forKey:@"takesKeys"];
  {properties}
  if ({is_kind("e_view", "UITextField")} || {is_kind("e_view", "UITextView")}) {{
    if ((BOOL)[e_view isSecureTextEntry]) {{ (void)[e_facts setObject:@"1" forKey:@"secure"]; }}
  }}
  id e_next = (id)[e_view nextResponder];
  if ({is_kind("e_next", "UIViewController")} && (BOOL)[e_next isViewLoaded] && (id)[e_next view] == e_view) {{
    {class_names("e_next", "e_controller")}
    (void)[e_facts setObject:e_controller forKey:@"controller"];
  }}
  id e_kinds = (id)[{cls("NSMutableArray")} array];
  id e_recognizers = (id)[e_view gestureRecognizers];
  for (unsigned long e_i = 0; e_i < (unsigned long)[e_recognizers count]; e_i++) {{
    {class_names("(id)[e_recognizers objectAtIndex:e_i]", "e_kind")}
    (void)[e_kinds addObject:e_kind];
  }}
  (void)[e_facts setObject:e_kinds forKey:@"gestures"];
  if ({is_kind("e_view", "UIControl")}) {{
    id e_actions = (id)[{cls("NSMutableArray")} array];
    id e_targets = (id)[(id)[e_view allTargets] allObjects];
    unsigned long e_events = (unsigned long)[e_view allControlEvents];
    for (unsigned long e_i = 0; e_i < (unsigned long)[e_targets count]; e_i++) {{
      id e_target = (id)[e_targets objectAtIndex:e_i];
      if ({is_kind("e_target", "NSNull")}) {{ e_target = (id)0; }}
      id e_own = (id)[{cls("NSMutableArray")} array];
      for (unsigned long e_bit = 0; e_bit < 32; e_bit++) {{
        if (!(e_events & (1UL << e_bit))) {{ continue; }}
        id e_some = (id)[e_view actionsForTarget:e_target forControlEvent:(unsigned long)(1UL << e_bit)];
        for (unsigned long e_j = 0; e_j < (unsigned long)[e_some count]; e_j++) {{
          id e_action = (id)[e_some objectAtIndex:e_j];
          if (!(BOOL)[e_own containsObject:e_action]) {{ (void)[e_own addObject:e_action]; }}
        }}
      }}
      (void)[e_actions addObjectsFromArray:e_own];
    }}
    (void)[e_facts setObject:e_actions forKey:@"actions"];
  }}
  if ({is_kind("e_view", "UITabBar")}) {{
    id e_items = (id)[e_view items];
    id e_item = (id)[e_view selectedItem];
    for (unsigned long e_i = 0; e_i < (unsigned long)[e_items count]; e_i++) {{
      if ((id)[e_items objectAtIndex:e_i] == e_item) {{
        {store(f"(id)[{cls('NSNumber')} numberWithUnsignedLong:e_i]", "selectedIndex")}
      }}
    }}
  }}
  BOOL e_isRow = {is_kind("e_view", "UITableViewCell")};
  BOOL e_isItem = {is_kind("e_view", "UICollectionViewCell")};
  BOOL e_isSection = {is_kind("e_view", "UITableViewHeaderFooterView")};
  BOOL e_isPart = !e_isItem && {is_kind("e_view", "UICollectionReusableView")};
  if (e_isRow || e_isItem || e_isSection || e_isPart) {{
    Class e_listClass = e_isRow || e_isSection ? {cls("UITableView")} : {cls("UICollectionView")};
    id e_list = (id)[e_view superview];
    while (e_list && !(BOOL)[e_list isKindOfClass:e_listClass]) {{ e_list = (id)[e_list superview]; }}
    if (e_list && (e_isRow || e_isItem)) {{
      id e_path = (id)[e_list indexPathForCell:e_view];
      if (e_path && (unsigned long)[e_path length] == 2) {{
        id e_numbers = (id)[{cls("NSMutableArray")} array];
        for (unsigned long e_i = 0; e_i < 2; e_i++) {{
          long e_index = (long)[e_path indexAtPosition:e_i];
          (void)[e_numbers addObject:(id)[{cls("NSNumber")} numberWithLong:e_index]];
        }}
        (void)[e_facts setObject:e_numbers forKey:@"indexPath"];
      }}
    }}
    long e_section = -1;
    id e_role = @"header";
    if (e_list && e_isSection) {{
      long e_count = (long)[e_list numberOfSections];
      for (long e_i = 0; e_i < e_count && e_section < 0; e_i++) {{
        if ((id)[e_list headerViewForSection:e_i] == e_view) {{ e_section = e_i; }}
        if ((id)[e_list footerViewForSection:e_i] == e_view) {{ e_section = e_i; e_role = @"footer"; }}
      }}
    }}
    for (int e_k = 0; e_k < 2 && e_list && e_isPart && e_section < 0; e_k++) {{
      id e_kind = e_k == 0 ? @"UICollectionElementKindSectionHeader" : @"UICollectionElementKindSectionFooter";
      id e_paths = (id)[e_list indexPathsForVisibleSupplementaryElementsOfKind:e_kind];
      for (unsigned long e_i = 0; e_i < (unsigned long)[e_paths count]; e_i++) {{
        id e_path = (id)[e_paths objectAtIndex:e_i];
        if ((unsigned long)[e_path length] != 2) {{ continue; }}
        if ((id)[e_list supplementaryViewForElementKind:e_kind atIndexPath:e_path] != e_view) {{ continue; }}
        e_section = (long)[e_path indexAtPosition:(unsigned long)0];
        if (e_k == 1) {{ e_role = @"footer"; }}
      }}
    }}
    if (e_section >= 0) {{
      (void)[e_facts setObject:(id)[{cls("NSNumber")} numberWithLong:e_section] forKey:@"section"];
      (void)[e_facts setObject:e_role forKey:@"role"];
    }}
  }}
  (void)[e_result addObject:e_facts];
  id e_subviews = (id)[e_view subviews];
  for (long e_i = (long)[e_subviews count] - 1; e_i >= 0; e_i--) {{
    (void)[e_open addObject:(id)[e_subviews objectAtIndex:(unsigned long)e_i]];
    (void)[e_parents addObject:(id)[{cls("NSNumber")} numberWithLong:e_number]];
  }}
}}
{result_of("e_result")};
"""


def texts_expression(requests):
    """Returns the expression that reads texts. It reads only what the bits of a request allow."""
    addresses = ", ".join(f"0x{address:x}UL" for address, _ in requests)
    bits = ", ".join(str(bits) for _, bits in requests)
    return f"""
id e_result = (id)[{cls("NSMutableArray")} array];
unsigned long e_addresses[] = {{ {addresses} }};
unsigned char e_allowed[] = {{ {bits} }};
for (unsigned long e_n = 0; e_n < {len(requests)}; e_n++) {{
  id e_view = (id)e_addresses[e_n];
  int e_bits = e_allowed[e_n];
  id e_facts = (id)[{cls("NSMutableDictionary")} dictionary];
  (void)[e_result addObject:e_facts];
  if (e_bits & {IDENTIFIER}) {store("(id)[e_view accessibilityIdentifier]", "identifier")}
  if (e_bits & {LABEL}) {store("(id)[e_view accessibilityLabel]", "label")}
  if ((e_bits & {PLACEHOLDER}) && ({is_kind("e_view", "UITextField")} || {is_kind("e_view", "UISearchBar")}))
    {store("(id)[e_view placeholder]", "placeholder")}
  if (!(e_bits & {TEXTS})) {{ continue; }}
  if ({is_kind("e_view", "UILabel")}) {store("(id)[e_view text]", "text")}
  if ({is_kind("e_view", "UIButton")}) {{
    id e_title = (id)[e_view currentTitle];
    if (!e_title) {{ e_title = (id)[(id)[e_view currentAttributedTitle] string]; }}
    {store("e_title", "title")}
    {store("(id)[(id)[e_view currentImage] accessibilityIdentifier]", "imageName")}
  }}
  if ({is_kind("e_view", "UIImageView")}) {store("(id)[(id)[e_view image] accessibilityIdentifier]", "imageName")}
  id e_next = (id)[e_view nextResponder];
  if ({is_kind("e_next", "UIViewController")} && (BOOL)[e_next isViewLoaded] && (id)[e_next view] == e_view) {{
    id e_title = (id)[e_next title];
    if ({is_kind("e_next", "UIAlertController")}) {{
      {store("e_title", "alertTitle")}
      {store("(id)[e_next message]", "alertMessage")}
    }} else {{
      if (!e_title && (id)[e_next navigationController]) {{ e_title = (id)[(id)[e_next navigationItem] title]; }}
      {store("e_title", "controllerTitle")}
    }}
  }}
}}
{result_of("e_result")};
"""


class ExpressionApp:
    """An app whose facts come from expressions in Objective-C.

    `evaluate(expression)` returns the bytes of the data that the expression gives, or raises RuntimeError.
    """

    # Views whose texts one expression reads.
    CHUNK = 500

    def __init__(self, evaluate):
        self.evaluate = evaluate

    def facts(self):
        return json.loads(self.evaluate(facts_expression()))

    def views(self):
        return json.loads(self.evaluate(views_expression()))

    def texts(self, requests):
        result = []
        for start in range(0, len(requests), self.CHUNK):
            result += self._texts(requests[start:start + self.CHUNK])
        return result

    def _texts(self, requests):
        """Reads texts. If that fails, for example because JSON cannot represent one of them, the texts that fail are omitted."""
        pending, found = [requests], []
        while pending:
            some = pending.pop()
            try:
                found += json.loads(self.evaluate(texts_expression(some)))
            except (RuntimeError, ValueError):
                if len(some) == 1:
                    found.append({})
                else:
                    middle = len(some) // 2
                    pending += [some[middle:], some[:middle]]
        return found


# ---------------------------------------------------------------------------------------------------------------------
# LLDB


def main_thread(process):
    for thread in process:
        if thread.GetQueueName() == "com.apple.main-thread":
            return thread
    return process.GetThreadAtIndex(0)


def evaluator(debugger):
    """Returns a function that evaluates expressions in the app that is paused."""
    import lldb

    process = debugger.GetSelectedTarget().GetProcess()
    if process.GetState() != lldb.eStateStopped:
        raise RuntimeError("there is no app that is paused: use `process interrupt` or a breakpoint first")
    # UIKit answers on the main thread only.
    frame = main_thread(process).GetFrameAtIndex(0)
    options = lldb.SBExpressionOptions()
    options.SetLanguage(lldb.eLanguageTypeObjC)
    options.SetTimeoutInMicroSeconds(20_000_000)
    options.SetTryAllThreads(True)
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetSuppressPersistentResult(True)

    def unsigned(expression):
        value = frame.EvaluateExpression(expression, options)
        if not value.GetError().Success():
            raise RuntimeError(value.GetError().GetCString() or "an expression failed")
        return value.GetValueAsUnsigned()

    def evaluate(expression):
        data = unsigned(expression)
        if data == 0:
            raise RuntimeError("the app could not write what it found as JSON")
        length = unsigned(f"(unsigned long)[(id)0x{data:x}UL length]")
        start = unsigned(f"(unsigned long)[(id)0x{data:x}UL bytes]")
        error = lldb.SBError()
        content = process.ReadMemory(start, length, error)
        frame.EvaluateExpression(f"(void)[(id)0x{data:x}UL release]", options)
        if not error.Success():
            raise RuntimeError(error.GetCString())
        return content

    return evaluate


def encircle(debugger, command, result, internal_dict):
    """Prints the views of the paused app as view-tree XML, or writes them to a file: encircle [-o FILE]"""
    parser = argparse.ArgumentParser(prog="encircle", description=encircle.__doc__)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the XML to this file")
    try:
        options = parser.parse_args(shlex.split(command))
        xml = capture(ExpressionApp(evaluator(debugger)))
        if options.output:
            # No shell has replaced `~`.
            with open(os.path.expanduser(options.output), "w", encoding="utf-8") as file:
                file.write(xml)
            result.AppendMessage(f"{options.output}: {xml.count('<view ')} views")
        else:
            result.AppendMessage(xml)
    except SystemExit:
        # argparse has said why.
        pass
    except (RuntimeError, ValueError, OSError) as error:
        result.SetError(f"encircle: {error}")


def __lldb_init_module(debugger, internal_dict):
    debugger.HandleCommand("command script add -o -f encircle_lldb.encircle encircle")
