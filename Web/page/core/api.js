// Talks to the service. Every failure is an APIError with what the service said.

/** The error that the service, or the network, gave instead of an answer. `status` 0: the service cannot be reached. */
export class APIError extends Error {
  constructor(status, error, body) {
    super(error?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = error?.code ?? "error";
    this.location = error?.location ?? null;
    this.details = error?.details ?? [];
    this.body = body;
  }
}

export const session = { authenticated: true, name: null, role: null, csrf: null, tokens_exist: false };
const order = { read: 0, author: 1, publish: 2 };

/** True if the session has this role. Without tokens, anyone who can reach the service can do everything. */
export function may(role) {
  if (!session.tokens_exist || !session.role) return true;
  return (order[session.role] ?? -1) >= order[role];
}

/** Listeners that are called when the session is over: the service asks for another, or the person has logged out. */
export const whenSessionEnds = new Set();

/** `parameters` without those that are empty, as a query string with its question mark. */
export function query(parameters) {
  const kept = Object.entries(parameters ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return kept.length ? `?${new URLSearchParams(kept)}` : "";
}

/**
 * Sends a request. `options`: `body` (an object is sent as JSON, text and blobs as they are), `type`, `headers`,
 * `signal`, `text` (the answer is text), `whole` (returns `{body, etag, status}`).
 */
export async function request(method, path, options = {}) {
  const { csrf } = session;
  const headers = {
    accept: options.text ? "text/plain, application/yaml, */*" : "application/json",
    ...options.headers,
  };
  let body = options.body;
  if (body !== undefined) {
    const isPlain = typeof body === "object" && !(body instanceof Blob) && !(body instanceof FormData);
    if (isPlain) body = JSON.stringify(body);
    if (!(body instanceof FormData))
      headers["content-type"] = options.type ?? (isPlain ? "application/json" : "text/plain");
  }
  if (method !== "GET" && csrf) headers["x-csrf-token"] = csrf;
  let response;
  let text = "";
  try {
    response = await fetch(path, { method, headers, body, signal: options.signal, credentials: "same-origin" });
    // The connection may also end within the answer.
    if (response.status !== 204) text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, { code: "unreachable", message: error.message });
  }
  let answer = text;
  const type = response.headers.get("content-type") ?? "";
  const isJSON = type.includes("json");
  // A proxy may answer in place of the service, for example with a page to log in to it.
  if (response.ok && text && (options.text ? type.includes("html") : !isJSON))
    throw new APIError(response.status, {
      code: "foreign-answer",
      message: "The answer is not one of the service. A proxy may require a login: load the page again.",
    });
  if (isJSON && !(options.text && response.ok)) {
    try {
      answer = JSON.parse(text);
    } catch {
      answer = null;
    }
  }
  if (!response.ok) {
    const failure = new APIError(response.status, answer?.error, answer);
    // A refusal may come so late that it is about an earlier session.
    const isOfSession = csrf === session.csrf;
    if (response.status === 401 && !options.quiet && isOfSession)
      for (const listener of whenSessionEnds) listener(failure);
    if (failure.code === "csrf" && (await hasOtherSession())) return request(method, path, options);
    throw failure;
  }
  return options.whole ? { body: answer, etag: response.headers.get("etag"), status: response.status } : answer;
}

/**
 * Reads the session anew and answers whether this tab goes on in it. Another tab may have logged in meanwhile, and the
 * browser has that session now. This tab goes on in it, unless it is another person's: nothing is written in the name of
 * somebody whom the page does not show.
 */
export async function sessionGoesOn() {
  const { name } = session;
  await readSession();
  if (session.authenticated && session.name === name) return true;
  // Unsaved input stays with the person whom the page shows.
  session.name = name;
  for (const listener of whenSessionEnds) listener();
  return false;
}

async function hasOtherSession() {
  const { csrf } = session;
  return (await sessionGoesOn()) && session.csrf !== csrf;
}

export const get = (path, parameters, options) => request("GET", path + query(parameters), options);
export const post = (path, body, options) => request("POST", path, { body, ...options });

/**
 * Follows a stream of events; `listeners` are called by the kind of event. Browsers come back by themselves after a break,
 * but give up when the answer is an error, such as 502 by a proxy whose service starts again. In that case this connects
 * again, after a delay that grows each time, and asks for what came after the last event. Returns a function that ends it.
 */
export function follow(path, parameters, listeners) {
  const shortest = 1000;
  const longest = 30_000;
  let last = parameters.last_event_id;
  let delay = shortest;
  let isOver = false;
  let source = null;
  let timer = null;
  const connect = () => {
    source = new EventSource(path + query({ ...parameters, last_event_id: last }));
    source.addEventListener("open", () => {
      delay = shortest;
    });
    source.addEventListener("error", retry);
    for (const [kind, listener] of Object.entries(listeners))
      source.addEventListener(kind, (event) => {
        last = event.lastEventId || last;
        listener(event);
      });
  };
  const retry = async () => {
    if (source.readyState !== EventSource.CLOSED) return;
    // A stream does not give the status of its answer.
    if (!(await sessionGoesOn().catch(() => true)) || isOver) return;
    timer = setTimeout(connect, delay);
    delay = Math.min(delay * 2, longest);
  };
  connect();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source.close();
  };
}

/** An id of this tab, among the tabs of the same person. */
const tab = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("-");

/** Posts a long request. Only the newest counts: the service cancels the previous one of this tab. */
export const postNewest = (path, body, options) => post(path, body, { ...options, headers: { "x-client-id": tab } });

/** Reads who is logged in, and the token that guards changes against other sites. */
export async function readSession() {
  try {
    Object.assign(session, await get("/v1/session", {}, { quiet: true }));
  } catch (error) {
    if (error.status === 0) throw error;
    session.authenticated = error.status !== 401;
  }
  return session;
}

export async function logIn(token) {
  Object.assign(session, await post("/v1/session", { token }, { quiet: true }));
  return readSession();
}

export async function logOut() {
  await request("DELETE", "/v1/session");
  // The view is left before the name is gone: its unsaved input stays with the person.
  for (const listener of whenSessionEnds) listener();
  Object.assign(session, { authenticated: false, name: null, role: null, csrf: null });
}
