// Elements of stored screens by their event IDs, because the events of some SDKs name their elements by nothing else.

import { get } from "./api.js";

const known = new Map();
const waiting = [];
let running = 0;
const maximumRunning = 4;
const maximumKnown = 5000;

/** A promise of the element; of `null` where no stored screen has it, and while the service cannot be reached. */
export function storedElement(eventID) {
  if (!known.has(eventID)) {
    if (known.size >= maximumKnown) known.clear();
    known.set(eventID, new Promise((done) => waiting.push({ eventID, done })));
    readNext();
  }
  return known.get(eventID);
}

async function readNext() {
  if (running >= maximumRunning || !waiting.length) return;
  running += 1;
  const { eventID, done } = waiting.shift();
  try {
    const found = (await get(`/v1/elements/${eventID}`, { empty: true, limit: 1 })).elements[0];
    // A screen may be stored later.
    if (!found) setTimeout(() => known.delete(eventID), 60_000);
    done(found ?? null);
  } catch {
    known.delete(eventID);
    done(null);
  }
  running -= 1;
  readNext();
}
