import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';

/*
 * A site with people of its own that has the assistant on its pages, with Express; README.md says how to run it.
 * What to take over: mintToken, the policy, the route /assistant-token, and what the page and page.js say. The sign-in
 * stands for your own, and asks for no password.
 */

const service = setting('WIDGET_SERVICE').replace(/\/+$/, '');
const key = setting('WIDGET_KEY');
// It speaks for all of your people: it belongs into no code, no page and no log.
const secret = setting('WIDGET_SECRET');

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
  "style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types assistant",
].join('; ');

const app = express();
app.disable('x-powered-by');
app.use((_, response, next) => {
  response.set({
    'Content-Security-Policy': policy,
    // What is made for one person is kept by no cache.
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
});
// Browsers say where a request comes from: no other site may sign anybody in here, or ask for a token.
app.use(['/sign-in', '/assistant-token'], (request, response, next) => {
  if ((request.get('sec-fetch-site') ?? 'same-origin') === 'same-origin') next();
  else response.status(403).json({ error: 'Only pages of this site may ask.' });
});

app.get('/', (request, response) => {
  response.type('html').send(page(sessions.get(cookieOf(request))));
});

app.get('/page.js', (_, response) => {
  response.type('text/javascript').send(script);
});

app.post('/sign-in', express.urlencoded({ extended: false, limit: '1kb' }), (request, response) => {
  const { person } = (request.body ?? {}) as { person?: unknown };
  sessions.delete(cookieOf(request));
  const id = randomBytes(32).toString('base64url');
  if (typeof person === 'string' && people.has(person)) sessions.set(id, person);
  // Where your site has HTTPS, add `secure: true`.
  response.cookie('session', id, { httpOnly: true, sameSite: 'lax' }).redirect(303, '/');
});

app.get('/assistant-token', async (request, response) => {
  const person = sessions.get(cookieOf(request));
  if (person === undefined) {
    response.status(401).json({ error: 'Nobody is signed in.' });
    return;
  }
  try {
    response.json({ token: await mintToken(person) });
  } catch (error) {
    console.error(error);
    response.status(502).json({ error: 'The assistant cannot be reached just now.' });
  }
});

const server = app.listen(Number(setting('PORT', '3000')), '127.0.0.1', () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/`);
});

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

function cookieOf(request: Request): string {
  return /(?:^|;\s*)session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

function page(person?: string): string {
  const declaration = `<meta name="assistant:widget-key" content="${key}">
    <meta name="assistant:token-endpoint" content="/assistant-token">`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Heron Outfitters</title>
    <link rel="icon" href="data:,">
    ${person === undefined ? '' : declaration}
    <script src="${service}/widget/v1/assistant.js" defer></script>
    <script src="/page.js" data-api-key="${key}" data-person="${escape(person ?? '')}" defer></script>
  </head>
  <body>
    <h1>Heron Outfitters</h1>
    <p>Signed in: <output>${escape(people.get(person ?? '')?.displayName ?? 'nobody')}</output></p>
    <form method="post" action="/sign-in">
      <button name="person" value="ada">Ada</button>
      <button name="person" value="grace">Grace</button>
      <button name="person" value="">Sign out</button>
    </form>
  </body>
</html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const script = `const { apiKey, person } = document.currentScript.dataset;

// Called when the widget first needs a token, and again shortly before that one expires.
async function getUserToken() {
  const response = await fetch('/assistant-token');
  if (response.status === 401) return null; // Signed out meanwhile: a visitor from now on.
  if (!response.ok) throw new Error('/assistant-token answered ' + response.status);
  return (await response.json()).token;
}

// Where the service can't be reached there is none, and the page is as it was without it.
window.initAssistant?.({ apiKey, ...(person && { getUserToken }) });
`;

function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value !== undefined) return value;
  throw new Error(`Set ${name} in the environment; README.md tells to what.`);
}
