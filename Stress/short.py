"""The cases of a short run: one of each kind, and every one that once failed."""

CASES = """
coverage: elements on a stream
coverage: ambiguous stretches
coverage --captures: siblings of distinct classes
board: siblings of distinct classes
board --events: ambiguous stretches
suggest --all: siblings of distinct classes
plan status: properties of an event
export posthog: rules
export posthog: rules that exclude
export sensors: rules
plan status: versions that an event is missing in
plan import: rows that change
plan import of a workbook: rows
plan import of a workbook: what one byte unpacks to
plan accept: planned events
plan take: names
plan import: properties of one event
resolve: name length on 100 levels
resolve: depth with controllers
resolve: siblings of distinct classes
resolve: a deep chain of long names with leaves
resolve: an alert's message and its elements
resolve: texts in one cell
resolve: attributes of a view
resolve: superclasses of one view
resolve: a chain of superclasses through views
resolve: entity references
resolve: elements on one line with an error at its end
resolve: bytes of a gzip file
resolve as a table: a deep chain of long names with leaves
resolve webdriveragent: texts in an alert
resolve uiautomator: siblings
resolve recursive-description: quotes in a text
resolve recursive-description: views in a text
resolve recursive-description: beginnings of views
resolve recursive-description: beginnings of escaped lines
resolve recursive-description: lines of controllers
resolve xcui-description: quotes in a text
resolve sentry: siblings
resolve calabash: text of a description
resolve webdriveragent: page source in JSON
resolve --style growingio: siblings with controllers
resolve --style sensors: segments
resolve --style sensors-web: elements of a page
resolve --style sensors-web: equal texts of a page
resolve --style posthog-web: rows of a page
index: siblings of distinct classes
index: elements with one identity
select kind-of: superclasses of one view
select kind-of: superclasses in a ring
select kind-of: a chain of superclasses through views
select: recursive wildcards of one class, in a tree of depth
select: name length under a name with wildcards
suggest: siblings of distinct classes
suggest: elements with one text
match --captures: superclasses of one view
match --captures: a chain of superclasses through views
match --captures: an alert's message and its elements
check --captures: superclasses of one view
check --captures: depth with distinct names
check --captures, rules with a wildcard: name length at depth 900
compile --captures: superclasses of one view
match: escapes in a text
match: keys
match: equal keys
match: digits of a number
match: digits of an exponent
match: components of a path
match: ambiguous stretches of 513 separators
match: ambiguous stretches of 2 separators
match: ambiguous stretches of the rule's classes
match: components without locators that match wildcards
match: length of a class name of a path
match: elements of an array of events
match: brackets
match: broken documents
match: lines that are no event
match --output events: keys
match, style sensors: undecided cells of a path
match, style hubbledata-android: ids of a path
match, style posthog: attributes of a path
match on a stream: distinct class names, 64 KB
match on a stream: distinct pages, 64 KB
match on a stream: distinct keys, 64 KB
match on a stream: one line without an end
explain: ambiguous stretches of 2 separators
check: rules
check: rules on one line
check: rules in JSON on one line
check: rules that match alike
check: exclude rules
check: selectors of a clause
check: clauses of include and unless
check: comparisons of a version
check: values of in
check: event IDs of a clause
check: properties of where
check: unknown keys on one line
check: unknown keys in JSON on one line
check: equal keys on one line
check: wrong selectors on one line
check: clauses that are used 16 times by aliases
check: a chain of classes
check: nested flow sequences
check: nested block mappings
check: flow keys that are sequences
check: lines of a plain text
check: escapes in a quoted text
check: length of a plain key
check --format sarif: findings on one line
check --events: property names
compile: heavy regular expressions
compile: alternatives of a regular expression
compile: rules with ambiguous identities
compile: wildcards of a glob
fmt: rules on one line
fmt: comments
fmt: nested flow mappings
match: steps against components
match: wildcards of a name against a name
match: a glob that grows with the text
match: a heavy regular expression on a long text
explain: rules against a long path
test: tests that fail
test: a failing test and rules
test: tests that fail beside many rules
test: unknown keys on one line
test --update: tests that fail
id -: bytes of a line
lookup: bytes of a line without an end
lookup: lines
convert: bytes of a line
convert --from sensors: components of a path
path: ambiguous separators
path: ambiguous stretches
match --dictionary: event IDs with equal first bytes
lookup: event IDs with equal first bytes
match --dictionary: a chain of elements
match --dictionary: a chain of superclasses
stats: versions of an app
match --tolerance: versions of an app
match with compiled rules: rules
fmt --diff: every other rule on its own lines
suggest --event: ambiguous stretches
suggest --event, style sensors: undecided kinds of a path
suggest --event, style lede: components of a path
select --event: components
select --event: elements of an alert
diff: rules that all match by turns
diff --format json: rules
diff --captures: cells
diff of captures: windows
diff --rules: rules that a release breaks
drift --events: elements of a rule that falls to zero
resolve --style sensors-android: rows of an alert
check --captures --events: selectors with a missing step
check --captures --events: steps of a selector against depth
check --fix --diff: comments that silence
select without a match: classes
explain --event FILE:LINE: lines
explain --event FILE:LINE: rules that miss by one thing
lsp: notifications of unknown methods
lsp: empty messages
lsp: requests that wait, and cancellations of others
lsp: a header without an end
lsp: documents that are open
lsp: changes of a document of 2,000 rules
lsp: questions about a document: wrong rules
lsp: questions about a document: braces with keys
lsp --captures: siblings of distinct classes
replay: signals of a long session
replay: elements of a capture that are tapped
""".strip().splitlines()
