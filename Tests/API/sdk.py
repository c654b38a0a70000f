"""Real SDKs, of Sensors and PostHog, send events in the ways that they have: all are there once."""

import json
import sys
import urllib.parse

import posthog
import sensorsanalytics

from events import all_events
from service import Service, tool

COUNT = 10_000
POSTHOG_COUNT = 300


def recording(consumer_class, bodies):
    """A consumer that remembers what it sends."""

    class Recording(consumer_class):
        def _do_request(self, data):
            bodies.append(urllib.parse.urlencode(data).encode())
            return super()._do_request(data)

    return Recording


def send_by_posthog(service):
    """PostHog's SDK with nothing but another host: its events, gzipped or not, and its question for feature flags."""
    key = "phc_0123456789abcdef"
    for gzip in (False, True):
        errors = []
        client = posthog.Posthog(key, host=service.url, gzip=gzip, flush_at=50, on_error=lambda error, _: errors.append(error))
        for number in range(POSTHOG_COUNT):
            client.capture("bought", distinct_id=f"person-{number % 7}", properties={"index": number, "text": "加入 ☕️"})
        assert client.get_all_flags("person-1") in ({}, None)
        client.shutdown()
        assert not errors, errors
    events = all_events(service, event="bought", project=key)
    assert len({event["event_json"]["uuid"] for event in events}) == len(events) == 2 * POSTHOG_COUNT, len(events)
    assert {event["event_json"]["properties"]["index"] for event in events} == set(range(POSTHOG_COUNT))


def main():
    with Service(tool()) as service:
        url = f"{service.url}/v1/collect?project=default"
        bodies = []
        consumers = [
            (recording(sensorsanalytics.BatchConsumer, bodies)(url, max_size=50), COUNT - 1_300),
            (recording(sensorsanalytics.DefaultConsumer, bodies)(url), 300),
            (recording(sensorsanalytics.AsyncBatchConsumer, bodies)(url, flush_max_time=1, flush_size=20), 1_000),
        ]
        sent = 0
        for consumer, count in consumers:
            analytics = sensorsanalytics.SensorsAnalytics(consumer, project_name="default")
            for number in range(sent, sent + count):
                analytics.track(
                    f"person-{number % 97}", "$AppClick",
                    {"index": number, "$app_version": "5.2.1", "$screen_name": "HomeViewController", "text": "加入 ☕️ + / = &"})
            analytics.profile_set("person-1", {"vip": True})
            analytics.item_set("book", f"{sent}", {"price": 12.5})
            sent += count
            analytics.flush()
            analytics.close()
        found = {}
        events = all_events(service, event="$AppClick")
        for event in events:
            content = event["event_json"]
            content = json.loads(content) if isinstance(content, str) else content
            index = content["properties"]["index"]
            found[index] = found.get(index, 0) + 1
            assert content["properties"]["text"] == "加入 ☕️ + / = &", content
            assert event["distinct_id"] == f"person-{index % 97}", event
        missing = [index for index in range(COUNT) if index not in found]
        repeated = [index for index, count in found.items() if count > 1]
        assert not missing and not repeated, f"missing {missing[:20]} ({len(missing)}), repeated {repeated[:20]} ({len(repeated)})"
        assert len(found) == COUNT
        status, _, answer = service.request("GET", "/v1/rejects")
        assert status == 200 and json.loads(answer).get("total", 0) == 0, answer[:500]

        # Debug mode answers at once what is wrong.
        debug = sensorsanalytics.DebugConsumer(f"{service.url}/v1/debug?project=default", False)
        sensorsanalytics.SensorsAnalytics(debug, project_name="default").track("person-1", "tried", {"index": 1})
        assert not all_events(service, event="tried"), "a dry run was stored"
        send_by_posthog(service)
        print(f"sdk: {COUNT} events in {len(bodies)} requests are there once")


if __name__ == "__main__":
    sys.exit(main())
