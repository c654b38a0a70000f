#!/usr/bin/env python3
"""Writes big-list.xml: a table screen of exactly 5,000 <view> elements, the same bytes at every run.

Usage: python3 ViewTrees/make-big-list.py > ViewTrees/big-list.xml
Another count can be given as the only argument (32 at least).
"""
import sys

NAMES = ["有机白桃", "西冷牛排", "希腊式酸奶", "手冲咖啡豆", "精酿啤酒", "全麦吐司", "冷榨橄榄油", "海盐巧克力", "冻干草莓", "龙井绿茶"]
ROWS_PER_SECTION = 25
ROW_VIEWS = 11
HEADER_VIEWS = 3
ROW_HEIGHT = 96
HEADER_HEIGHT = 38
CELL = "UITableViewCell UIView"


def main():
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    if total < 32:
        sys.exit("make-big-list.py: at least 32 elements")
    lines = []
    count = 0

    def view(depth, attributes, is_open=False):
        nonlocal count
        count += 1
        lines.append("  " * depth + "<view " + attributes + (">" if is_open else "/>"))

    def close(depth):
        lines.append("  " * depth + "</view>")

    lines.append('<?xml version="1.0" encoding="UTF-8"?>')
    lines.append("<!-- A table of %d elements, written by make-big-list.py; do not edit. Proves: long lists stay fast, every row has its own" % total)
    lines.append("     section and row, indexes count within a row. Rows are in front-to-back order here. -->")
    lines.append('<viewTree version="1" app="com.example.shop" appVersion="5.2.1" os="iOS" osVersion="17.2" screen="390 844" capturedAt="2026-03-02T08:00:00Z">')
    view(1, 'class="UIWindow" frame="0 0 390 844"', True)
    view(2, 'class="UITransitionView" frame="0 0 390 844"', True)
    view(3, 'class="UIDropShadowView" frame="0 0 390 844"', True)
    view(4, 'class="UILayoutContainerView" controller="UINavigationController" frame="0 0 390 844" gestures="screenEdgePan"', True)
    view(5, 'class="UINavigationTransitionView" frame="0 0 390 844"', True)
    view(6, 'class="UIViewControllerWrapperView" frame="0 0 390 844"', True)
    view(7, 'class="UIView" controller="CatalogViewController" controllerTitle="全部商品" controllerSuperclasses="ShopBaseViewController UIViewController" frame="0 0 390 844"', True)
    view(8, 'class="UITableView" frame="0 0 390 844" gestures="pan"', True)

    tail = 4 + 5  # two scroll indicators with one subview each, and the navigation bar's views
    y = 0
    section = 0
    product = 0
    while total - count - tail >= HEADER_VIEWS + ROW_VIEWS:
        view(9, 'class="UITableViewHeaderFooterView" frame="0 %d 390 %d" role="header" section="%d"' % (y, HEADER_HEIGHT, section), True)
        view(10, 'class="_UITableViewHeaderFooterContentView" frame="0 0 390 %d"' % HEADER_HEIGHT, True)
        view(11, 'class="UILabel" frame="16 10 358 20" text="第 %d 组"' % (section + 1))
        close(10)
        close(9)
        y += HEADER_HEIGHT
        row = 0
        while row < ROWS_PER_SECTION and total - count - tail >= ROW_VIEWS:
            name = "%s %d" % (NAMES[product % len(NAMES)], product + 1)
            cents = 990 + (product * 737) % 20000
            on = product % 3 == 0
            view(9, 'class="CatalogCell" superclasses="%s" indexPath="%d %d" frame="0 %d 390 %d" identifier="catalog.%d"' % (CELL, section, row, y, ROW_HEIGHT, product), True)
            view(10, 'class="UITableViewCellContentView" frame="0 0 390 %d"' % ROW_HEIGHT, True)
            view(11, 'class="UIImageView" frame="16 16 64 64" imageName="product.%d"' % product)
            view(11, 'class="UILabel" frame="96 14 190 20" text="%s"' % name)
            view(11, 'class="UILabel" frame="96 38 190 16" text="月销 %d"' % ((product * 37) % 5000))
            view(11, 'class="PriceLabel" superclasses="UILabel UIView" frame="96 60 120 20" text="¥%d.%02d"' % (cents // 100, cents % 100))
            view(11, 'class="UIButton" frame="300 8 74 36" title="加入" actions="addToCart:" identifier="catalog.add"', True)
            view(12, 'class="UIButtonLabel" superclasses="UILabel UIView" frame="21 8 32 20" text="加入"')
            close(11)
            view(11, 'class="UISwitch" frame="323 54 51 31" on="%s" actions="watchPrice:"' % ("true" if on else "false"), True)
            view(12, 'class="UISwitchModernVisualElement" frame="0 0 51 31"')
            close(11)
            close(10)
            view(10, 'class="_UITableViewCellSeparatorView" frame="16 95.667 374 0.333"')
            close(9)
            y += ROW_HEIGHT
            row += 1
            product += 1
        section += 1
    spare = total - count - tail
    if spare > 0:  # a table footer view makes up the number
        view(9, 'class="CatalogFooterView" superclasses="UIView" frame="0 %d 390 44"' % y, spare > 1)
        for n in range(spare - 1):
            view(10, 'class="UILabel" frame="%d 12 28 20" text="%d"' % (16 + 30 * n, n))
        if spare > 1:
            close(9)
    view(9, 'class="_UIScrollViewScrollIndicator" frame="3 838 381 3" alpha="0"', True)
    view(10, 'class="UIView" frame="0 0 381 3"')
    close(9)
    view(9, 'class="_UIScrollViewScrollIndicator" frame="384 3 3 120" alpha="0"', True)
    view(10, 'class="UIView" frame="0 0 3 120"')
    close(9)
    for depth in (8, 7, 6, 5):
        close(depth)
    view(5, 'class="UINavigationBar" frame="0 47 390 44"', True)
    view(6, 'class="_UIBarBackground" frame="0 -47 390 91"')
    view(6, 'class="_UINavigationBarContentView" frame="0 0 390 44"', True)
    view(7, 'class="_UINavigationBarTitleControl" superclasses="UIControl UIView" frame="135 11.667 120 21"', True)
    view(8, 'class="UILabel" frame="0 0 120 21" text="全部商品"')
    close(7)
    for depth in (6, 5, 4, 3, 2, 1):
        close(depth)
    lines.append("</viewTree>")
    assert count == total, (count, total)
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode("utf-8"))


main()
