import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, messageOf } from '../../platform/errors.js';
import { html, Html } from '../../platform/http/html.js';
import { newSecret } from '../../platform/random-secret.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { challengeOf } from '../providers/single-use.js';
import { serverKey } from './session-file.js';

/** The server waits for its provider for the same time. */
const patienceMs = 900_000;

export interface BrowserSignIn<T> {
  url: URL;
  provider: string;
  organization: string | undefined;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** Receives the address to open in a browser. */
  tell: (address: string) => void;
  /** Exchanges the code. The browser then shows whether it succeeded. */
  exchange: (code: string, codeVerifier: string) => Promise<T>;
  signal: AbortSignal;
}

/**
 * Lets a person sign in by an identity provider in a browser. The browser returns with a code to a listener on this
 * machine. Returns the result of `exchange`. Refuses as the server does.
 */
export async function signInByBrowser<T>(input: BrowserSignIn<T>): Promise<T> {
  const codeVerifier = newSecret();
  const state = randomBytes(16).toString('base64url');
  const server = createServer();
  try {
    const port = await listen(server, input.port);
    const asked = new URLSearchParams({
      provider: input.provider,
      ...(input.organization === undefined ? {} : { organization: input.organization }),
      code_challenge: challengeOf(codeVerifier),
      return_to: `http://127.0.0.1:${port}/?state=${state}`,
    });
    const exchange = (code: string) => input.exchange(code, codeVerifier);
    const answered = answerOf(server, { state, exchange, signal: input.signal });
    input.tell(`${serverKey(input.url)}/api/auth/sso/start?${asked.toString()}`);
    return await answered;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = `--port: ${port} can't be listened on (${error.code ?? error.message}).`;
      reject(new AppError('port_in_use', sentence, { cause: error }));
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

interface Listening<T> {
  state: string;
  exchange: (code: string) => Promise<T>;
  signal: AbortSignal;
}

/** Waits for the code from the browser and exchanges it. Requests without the right state are refused. */
function answerOf<T>(server: Server, { state, exchange, signal }: Listening<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new AppError('request_timeout', 'Nobody signed in in time. Begin again.'));
    }, patienceMs);
    const stop = () => reject(new AppError('shutting_down', 'Interrupted: nobody is signed in.'));
    signal.addEventListener('abort', stop);
    server.on('close', () => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    });
    if (signal.aborted) stop();
    let isTaken = false;
    server.on('request', ({ method, url = '' }, response) => {
      // Unchecked client input: a path such as // is not a valid address.
      const asked = parseUrl(url, 'http://127.0.0.1');
      const isOurs = asked?.pathname === '/' && asked.searchParams.get('state') === state;
      if (method !== 'GET' || !isOurs || isTaken) {
        show(response, 404, 'There is nothing here.');
        return;
      }
      isTaken = true;
      const given = asked.searchParams;
      const code = given.get('code');
      const refusal = given.get('error_description') ?? 'The sign-in failed.';
      const refused = new AppError('sign_in_refused', refusal);
      const exchanged = code === null ? Promise.reject(refused) : exchange(code);
      exchanged.then(
        (gotten) => {
          response.on('close', () => resolve(gotten));
          show(response, 200, 'You are signed in. Go back to the terminal, and close this window.');
        },
        (error: unknown) => {
          const failure = error instanceof Error ? error : new Error(String(error));
          response.on('close', () => reject(failure));
          show(response, 200, messageOf(error));
        },
      );
    });
  });
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 36rem; margin: 15vh auto; padding: 0 1rem; font: 1.125rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.25rem; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The page has no linked style and no script, because this listener serves nothing else. */
function show(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'`,
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Assistant</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <h1>Assistant</h1>
        <p>${sentence}</p>
      </body>
    </html>`;
  response.end(page.markup);
}
