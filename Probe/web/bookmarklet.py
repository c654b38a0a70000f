#!/usr/bin/env python3
"""bookmarklet.py SERVICE [--token TOKEN] [--picture]: prints the address of a bookmark that sends a service the page that is shown.

The service must allow the page's origin (`--allowed-origin`), and a page with a content security policy must allow connections to the
service. With --picture the browser asks which tab it may take a picture of; the capture then is the part of the page that is seen."""
import argparse
import json
import pathlib
import urllib.parse

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("service", help="the address of the service, such as https://encircle.example.com")
parser.add_argument("--token", help="a token of the role author, if the service asks for one; it can be read in the bookmark")
parser.add_argument("--picture", action="store_true", help="send a picture, too")
options = parser.parse_args()
# Otherwise the address would count as a path of the page's own server, which would get the capture and the token.
if not options.service.lower().startswith(("http://", "https://")):
    parser.error("the address of the service begins with http:// or https://, such as https://encircle.example.com")

snapshot = "\n".join(
    line for line in (pathlib.Path(__file__).parent / "snapshot.js").read_text(encoding="utf-8").splitlines()
    if not line.lstrip().startswith("//")).rstrip(";\n")
# A title can end within a character: encodeURIComponent would refuse it, URLSearchParams replaces the half.
script = """
(async () => {
  const [service, token, wantsPicture] = %s;
  async function picture() {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, preferCurrentTab: true });
    try {
      const video = Object.assign(document.createElement('video'), { srcObject: stream, muted: true });
      await video.play();
      const canvas = Object.assign(document.createElement('canvas'), { width: video.videoWidth, height: video.videoHeight });
      canvas.getContext('2d').drawImage(video, 0, 0);
      return await new Promise((done) => canvas.toBlob(done, 'image/png'));
    } finally {
      for (const track of stream.getTracks()) track.stop();
    }
  }
  try {
    const image = wantsPicture ? await picture().catch(() => null) : null;
    globalThis.encircleVisiblePart = Boolean(image);
    const capture = %s;
    const title = JSON.parse(capture).title || location.pathname;
    const form = new FormData();
    form.append('capture', new Blob([capture], { type: 'application/json' }), 'page.json');
    if (image) form.append('screenshot', image, 'page.png');
    const name = new URLSearchParams({ name: title });
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const answer = await fetch(`${service}/v1/captures?${name}`, { method: 'POST', headers, body: form });
    const body = await answer.json();
    alert(answer.ok ? `Encircle: ${title}` : `Encircle: ${body.error?.message ?? answer.status}`);
  } catch (error) {
    alert(`Encircle: ${error.message}`);
  } finally {
    delete globalThis.encircleVisiblePart;
  }
})()
""" % (json.dumps([options.service.rstrip("/"), options.token, options.picture]), snapshot)
print("javascript:" + urllib.parse.quote("\n".join(line.strip() for line in script.strip().splitlines()) + ";void 0", safe="~()*!.'"))
