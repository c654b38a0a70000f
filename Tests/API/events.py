"""What a service has stored, read over its API."""

import urllib.parse


def all_events(service, **filters):
    """All events that match, newest first."""
    events, query = [], {"limit": 1000} | filters
    while True:
        page = service.json("GET", "/v1/events?" + urllib.parse.urlencode(query))
        events += page["events"]
        if not page.get("next"):
            return events
        query["before"] = page["next"]
