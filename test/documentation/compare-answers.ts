import assert from 'node:assert/strict';

/** The parts of an HTTP answer in text form. */
export interface HttpText {
  status: string;
  headers: Map<string, string>;
  /** Parsed if it is JSON. */
  body: unknown;
}

/** The last answer in the output of `curl -i` or in a page. */
export function readHttp(text: string): HttpText {
  const unix = text.replaceAll('\r\n', '\n');
  const start = unix.lastIndexOf('HTTP/1.1 ');
  assert.ok(start >= 0, `there is no answer in: ${text}`);
  const whole = unix.slice(start).trimEnd();
  const end = whole.includes('\n\n') ? whole.indexOf('\n\n') : whole.length;
  const [first = '', ...lines] = whole.slice(0, end).split('\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = whole.slice(end).trim();
  const isJson = /^[[{]/.test(body);
  return {
    status: first.replace('HTTP/1.1 ', ''),
    headers: new Map(headers),
    body: isJson ? (JSON.parse(body) as unknown) : body,
  };
}

/**
 * Compares a real answer with the one that a page shows: the status, each shown header, and the body with all its
 * fields. A random id matches any id, a time any time, and … any text. At the end of a list, … matches further items.
 */
export function compareAnswers(real: HttpText, shown: HttpText, where: string): void {
  const detail = `${where}; the real answer:\n${JSON.stringify(real.body, null, 2)}`;
  assert.equal(real.status, shown.status, detail);
  for (const [name, value] of shown.headers) {
    assert.ok(fits(real.headers.get(name) ?? '', value), `${name} ${detail}`);
  }
  compare(real.body, shown.body, '', detail);
}

function compare(real: unknown, shown: unknown, path: string, detail: string): void {
  const here = `${path === '' ? 'the body' : path}: ${detail}`;
  if (typeof shown === 'string') {
    const text = typeof real === 'string' ? real : JSON.stringify(real);
    assert.ok(fits(text, shown), here);
  } else if (Array.isArray(shown)) {
    assert.ok(Array.isArray(real), here);
    const items = shown.at(-1) === '…' ? shown.slice(0, -1) : shown;
    if (items.length === shown.length) assert.equal(real.length, shown.length, here);
    items.forEach((item, index) => compare(real[index], item, `${path}[${index}]`, detail));
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof real === 'object' && real !== null, here);
    assert.deepEqual(Object.keys(real), Object.keys(shown), here);
    for (const [key, value] of Object.entries(shown)) {
      compare((real as Record<string, unknown>)[key], value, `${path}.${key}`, detail);
    }
  } else assert.equal(real, shown, here);
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

function fits(real: string, shown: string): boolean {
  const [given, expected] = [real, shown].map((text) =>
    text.replaceAll(uuid, '<uuid>').replaceAll(time, '<time>'),
  );
  const parts = (expected ?? '')
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(given ?? '');
}
