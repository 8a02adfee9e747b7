import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A site with people of its own that has the assistant on its pages, in plain Node; README.md says how to run it.
 * What to take over: mintToken, the policy, the route /assistant-token, and what page.html and page.js say. The sign-in
 * stands for your own, and asks for no password.
 */

const service = setting('WIDGET_SERVICE').replace(/\/+$/, '');
const key = setting('WIDGET_KEY');
// It speaks for all of your people: it belongs into no code, no page and no log.
const secret = setting('WIDGET_SECRET');

/** What the page says in its languages, beside body.*.html. `?lang=` chooses one, and the widget speaks it too. */
const languages = new Map([
  ['en', { title: 'Getting started – Assistant', greeting: 'What would you like to know?' }],
  ['es', { title: 'Primeros pasos – Assistant', greeting: '¿Qué quiere saber?' }],
  ['de', { title: 'Erste Schritte – Assistant', greeting: 'Was möchten Sie wissen?' }],
]);

const people = new Map([
  ['ada', { displayName: 'Ada Lovelace', email: 'ada@people.example' }],
  ['grace', { displayName: 'Grace Hopper', email: 'grace@people.example' }],
]);
/** Who is signed in, by an id that nobody can guess. */
const sessions = new Map<string, string>();

const { origin } = new URL(service);
/** What `assistant keys snippet` prints, and what this site's own pages need. */
const policy = [
  "default-src 'none'",
  `script-src 'self' ${origin}`,
  `connect-src 'self' ${origin} ${origin.replace(/^http/, 'ws')}`,
  "style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types assistant",
].join('; ');

interface Reply {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

const server = createServer((request, response) => {
  answer(request)
    .catch((error: unknown) => {
      console.error(error);
      return json(502, { error: 'That did not work. Try again in a moment.' });
    })
    .then(({ status, type, body, headers }) => {
      response.writeHead(status, {
        'Content-Type': `${type}; charset=utf-8`,
        // What is made for one person is kept by no cache.
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      });
      response.end(body);
    }, console.error);
});
server.listen(Number(setting('PORT', '3000')), '127.0.0.1', () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/`);
});

async function answer(request: IncomingMessage): Promise<Reply> {
  const [path = '/', query] = (request.url ?? '/').split('?', 2);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const cookie = /(?:^|;\s*)session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const person = sessions.get(cookie);
  // Browsers say where a request comes from: no other site may sign anybody in here, or ask for a token.
  const isOwn = (request.headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
  switch (`${method ?? ''} ${path}`) {
    case 'GET /': {
      const chosen = new URLSearchParams(query).get('lang') ?? '';
      const spoken = request.headers['accept-language'];
      const language = languages.has(chosen) ? chosen : preferredLanguage(spoken);
      const headers = { Vary: 'Accept-Language' };
      return { status: 200, type: 'text/html', body: page(language, person), headers };
    }
    case 'GET /page.js':
      return { status: 200, type: 'text/javascript', body: readFileSync('page.js', 'utf8') };
    case 'GET /page.css':
      return { status: 200, type: 'text/css', body: readFileSync('page.css', 'utf8') };
    case 'GET /logo.svg':
      return { status: 200, type: 'image/svg+xml', body: readFileSync('logo.svg', 'utf8') };
    case 'GET /assistant-token':
      if (!isOwn) return json(403, { error: 'Only pages of this site may ask.' });
      if (person === undefined) return json(401, { error: 'Nobody is signed in.' });
      return json(200, { token: await mintToken(person) });
    case 'POST /sign-in': {
      if (!isOwn) return json(403, { error: 'Only pages of this site may sign in.' });
      const form = new URLSearchParams(await readForm(request));
      const chosen = form.get('person') ?? '';
      const language = form.get('lang') ?? '';
      sessions.delete(cookie);
      const id = randomBytes(32).toString('base64url');
      if (people.has(chosen)) sessions.set(id, chosen);
      // Where your site has HTTPS, add Secure.
      const session = `session=${id}; HttpOnly; SameSite=Lax; Path=/`;
      const Location = languages.has(language) ? `/?lang=${language}` : '/';
      return { ...json(303, {}), headers: { Location, 'Set-Cookie': session } };
    }
    default:
      return { status: 404, type: 'text/plain', body: 'There is no such page.' };
  }
}

/** The first language of an Accept-Language header (`de-AT,de;q=0.9`) that this page has. */
function preferredLanguage(accepted = ''): string {
  const wanted = accepted.split(',').map((part) => {
    const [tag = '', weight] = part.trim().split(/\s*;\s*q=/i);
    return { language: tag.slice(0, 2).toLowerCase(), weight: Number(weight ?? 1) };
  });
  const known = wanted.filter(({ language, weight }) => languages.has(language) && weight > 0);
  return known.sort((one, other) => other.weight - one.weight)[0]?.language ?? 'en';
}

/** A token that tells the service, for an hour, who is signed in here. */
async function mintToken(externalId: string): Promise<string> {
  const type = 'application/json';
  const response = await fetch(`${service}/widget/token`, {
    method: 'POST',
    headers: { 'X-Widget-Key': key, 'X-Widget-Secret': secret, 'Content-Type': type },
    body: JSON.stringify({ externalId, ...people.get(externalId) }),
    signal: AbortSignal.timeout(5000),
  });
  if (!response.ok) throw new Error(`/widget/token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

function page(language: string, person = ''): string {
  const name = people.get(person)?.displayName ?? '';
  const texts = languages.get(language);
  const values: Record<string, string> = { service, key, language, person, name, ...texts };
  const shown = name === '' ? 'out' : 'in';
  return readFileSync('page.html', 'utf8')
    .replace('{{body}}', () => readFileSync(`body.${language}.html`, 'utf8'))
    .replace(/<!-- signed (in|out) -->(.*?)<!-- end -->/gs, (_, of: string, part: string) =>
      of === shown ? part : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escape(values[name] ?? ''));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function json(status: number, body: object): Reply {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

async function readForm(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += String(part);
    if (text.length > 1000) throw new Error('The form is too long.');
  }
  return text;
}

function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value !== undefined) return value;
  throw new Error(`Set ${name} in the environment; README.md tells to what.`);
}
