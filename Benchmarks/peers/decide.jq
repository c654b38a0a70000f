# Decides events by rules: for each event a list of the ids that match. $rules is the index that jq_peer.py makes.

def is_number: type == "number";
def versions: split(".") | map(tonumber);

# Returns whether a test holds for the value of a property; null means no value, because no event has a null.
def holds($test):
  if $test.op == "exists" then . != null
  elif $test.op == "eq" then . == $test.value
  elif $test.op == "in" then . as $own | any($test.value[]; . == $own)
  elif $test.op == "prefix" then type == "string" and startswith($test.value)
  elif $test.op == "contains" then type == "string" and contains($test.value)
  elif $test.op == "lt" then is_number and . < $test.value
  elif $test.op == "ge" then is_number and . >= $test.value
  else error("test \($test.op)") end;

def in_range($version):
  . != null and (versions as $own
    | ($version.min == null or $own >= ($version.min | versions)) and ($version.max == null or $own <= ($version.max | versions)));

def matches($event):
  . as $rule | $event.properties as $own
  | ($rule.event == null or $rule.event == $event.event)
  and ($rule.screen == null or $rule.screen == $own["$screen_name"])
  and ($rule.regex == null or ($own["$element_path"] != null and ($own["$element_path"] | test($rule.regex))))
  and ($rule.content == null or ($own["$element_content"] | holds($rule.content)))
  and all($rule.props[]?; . as $test | $own[$test.key] | holds($test))
  and ($rule.version == null or ($own["$app_version"] | in_range($rule.version)));

$rules[0] as $index
| inputs as $event
| $event.properties as $own
| [ ($index.exact[$own["$element_path"] // ""], $index.pages[$own["$screen_name"] // ""], $index.anywhere)
    | .[]? | select(matches($event)) | .id ]
