import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSignInLink } from '../accounts/users/sign-in-links.js';
import { createUser } from '../accounts/users/create-user.js';
import type { App } from '../platform/app.js';
import type { ConfigSession } from '../platform/cli/cli.js';
import { askFor } from '../platform/cli/prompts.js';
import { isInteractive } from '../platform/cli/terminal.js';
import { printable } from '../platform/text/printable.js';
import type { Config } from '../platform/config/schema.js';
import { AppError, codeOf } from '../platform/errors.js';
import { whyNotReady } from '../platform/models/why-not-ready.js';
import { packageRoot } from '../platform/package-root.js';
import { listRequests } from '../requests/read-requests.js';
import { updateRequest } from '../requests/update-request.js';
import { type ApiClient, createApiClient, type DemoKey } from './demo-api-client.js';
import { openApp } from './open-app.js';
import { type RunningServer, serve } from './serve.js';
import { setUp } from './set-up.js';

/** The questions about the manual, one in each language. */
const questions = [
  'Does Assistant need the internet?',
  '¿Qué tamaño puede tener un archivo PDF?',
  'Welche Rollen gibt es?',
];

/** The interval of polling for questions to a person, in milliseconds. */
const pollMs = 1000;

const operator = { kind: 'operator', organizationId: 1 } as const;
const staff = 'admin@demo.example';
const reader = 'reader@demo.example';

/**
 * The main job from end to end, over the API like a client: starts a server on a temporary folder, ingests and approves
 * a real PDF, and asks three questions. Then it serves a host page with the widget until interrupted.
 */
export async function runDemo(session: ConfigSession, options: { exit: boolean }): Promise<void> {
  const { out, interrupted } = session;
  const folder = await mkdtemp(join(tmpdir(), 'assistant-demo-'));
  const password = randomBytes(12).toString('base64url');
  // A closed terminal can neither ask nor show anything.
  process.once('SIGHUP', () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  out.note(`A temporary installation in ${folder}`);
  let started: Awaited<ReturnType<typeof start>> | undefined;
  let host: DemoHost | undefined;
  try {
    started = await start(session.config, folder, password);
    const { app, server } = started;
    const admin = await createApiClient(server.url, staff, password);
    await ingestManual(admin, (text) => out.note(text));
    const client = await createApiClient(server.url, reader, password);
    const reason = await whyNotReady(app.models, app.config.ollama);
    out.note(
      reason === undefined
        ? `Answers come from the model ${app.config.ollama.chat_model} at ${app.config.ollama.url}.`
        : `There is no language model at ${app.config.ollama.url}, so answers quote the manual word for word.`,
    );
    for (const question of questions) {
      if (interrupted.aborted) return;
      const answer = await client.ask(question, 'http://localhost/');
      const sources = answer.sources.map(
        (source) => `  [${source.number}] ${source.title}, page ${source.pages?.from ?? '?'}`,
      );
      const text = [``, `Q: ${question}`, `A: ${answer.response}`, ...sources];
      out.line({ question, ...answer }, printable(text.join('\n')));
    }
    if (options.exit || interrupted.aborted) return;
    host = await startHost(server.url, await admin.makeKey('Host page'));
    const program = relative(process.cwd(), join(packageRoot(), 'bin', 'assistant.js'));
    const token = await createSignInLink(app, operator);
    const backoffice = `${onThisMachine(server.url)}/backoffice/sign-in/link?token=${token}`;
    const cli = `ASSISTANT_DATABASE_PATH=${app.config.database.path} node ${program} requests`;
    out.note(
      [
        `\nOpen ${host.url} in your browser.\n`,
        '  1. Press one of its questions. The answer names its sources.',
        '  2. Press “Who paints the office?”, then “Ask a person”.',
        isInteractive(session.terminal)
          ? '     The question appears here, and here you type the answer.'
          : `     Answer in a terminal:\n       ${cli} list\n       ${cli} resolve 1 --response "…"`,
        '  3. Sign in as Ada, at the top of the page.\n',
        `The backoffice         ${backoffice}`,
        '                       (signs you in once, within five minutes; then use the account)',
        `The API                ${server.url}/api/docs`,
        `The browser extension  ${server.url}/extension/assistant-extension.zip`,
        `How to install it      docs/extension.md`,
        `Accounts for both      ${staff}, ${reader}`,
        `Their password         ${password}`,
        `The site’s source      templates/examples/node-host\n`,
        'Ctrl-C stops the demo and removes its folder.',
      ].join('\n'),
    );
    await answerRequests(app, session);
  } finally {
    await host?.stop();
    await started?.server.stop();
    await started?.app.close();
    await rm(folder, { recursive: true, force: true });
    // At a prompt, Ctrl-C ends only the prompt.
    if (host !== undefined || interrupted.aborted)
      out.note('\nStopped. The folder of the demo is removed.');
  }
}

/** Links that sign in are for this machine alone, and are refused under another name of it. */
function onThisMachine(url: string): string {
  return `http://localhost:${new URL(url).port || '80'}`;
}

async function start(
  base: Config,
  folder: string,
  password: string,
): Promise<{ app: App & { close(): Promise<void> }; server: RunningServer }> {
  const config: Config = {
    ...base,
    database: { ...base.database, path: join(folder, 'assistant.sqlite') },
    // The demo's host page runs on this machine.
    widget: { ...base.widget, allow_localhost: true },
    // The manual's own sections are good entries, and a model on a small machine would take minutes for them.
    ingestion: { ...base.ingestion, worker: true, entries: 'sections' },
    log: { ...base.log, level: 'warn' },
  };
  const app = await openApp(config);
  try {
    await setUp(app, {
      organization: () => Promise.resolve('Assistant'),
      app: () => Promise.resolve('Documentation'),
      domain: () => Promise.resolve('localhost'),
      newDomain: undefined,
      email: () => Promise.resolve(staff),
      password: () => Promise.resolve(password),
    });
    await createUser(app, operator, { email: reader, role: 'user', password });
    return { app, server: await serveSomewhere(app) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Uses the configured port if it is free, else any port. */
async function serveSomewhere(app: App): Promise<RunningServer> {
  try {
    return await serve(app);
  } catch (error) {
    if (codeOf(error) !== 'port_in_use') throw error;
    const server = { ...app.config.server, port: 0 };
    return serve({ ...app, config: { ...app.config, server } });
  }
}

async function ingestManual(admin: ApiClient, note: (text: string) => void): Promise<void> {
  const path = join(packageRoot(), 'docs', 'manual', 'assistant-manual.pdf');
  const started = performance.now();
  const batchId = await admin.upload('assistant-manual.pdf', await readFile(path), 'localhost');
  const batch = await admin.waitFor(batchId);
  if (batch.status !== 'completed') {
    throw new AppError(
      'internal',
      `The manual was not ingested: ${batch.error?.message ?? batch.status}`,
    );
  }
  const approved = await admin.approve(
    batchId,
    batch.entries.map((entry) => entry.id),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  note(
    `Ingested the manual: ${batch.total_pages} pages, ${approved} entries approved, in ${seconds} s.`,
  );
}

/** A file of the examples that customers copy. It serves files beside itself. */
const example = 'templates/examples/node-host';

/** Makes the host end with the demo, however that ends: a killed demo can't end it. */
const endWithParent = 'data:text/javascript,process.on("disconnect",()=>process.exit())';

interface DemoHost {
  url: string;
  stop(): Promise<void>;
}

/**
 * Runs the host example as any customer does: a separate process that knows only the service's address, a key and its
 * secret. Errors: `internal` when it does not start.
 */
async function startHost(service: string, { key, secret }: DemoKey): Promise<DemoHost> {
  const args = ['--import', endWithParent, join(packageRoot(), 'dist', example, 'host.js')];
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: join(packageRoot(), example),
    // The host gets no other environment variables of the service.
    env: {
      PATH,
      PORT: '0',
      WIDGET_SERVICE: service,
      WIDGET_KEY: key,
      WIDGET_SECRET: secret,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const url = await Promise.race([firstLine(child.stdout), ended]);
  if (url === undefined) throw new AppError('internal', 'The host page of the demo did not start.');
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
  });
}

/** Asks the person at the terminal the questions that visitors pass to a person, until interrupted. */
async function answerRequests(
  app: App,
  { terminal, interrupted, out }: ConfigSession,
): Promise<void> {
  if (!isInteractive(terminal) && !interrupted.aborted) await once(interrupted, 'abort');
  while (!interrupted.aborted) {
    const open = { status: 'open', page: 1, limit: 1 } as const;
    const [request] = (await listRequests(app, operator, open)).items;
    if (request === undefined) {
      await wait(pollMs, undefined, { signal: interrupted }).catch(() => undefined);
      continue;
    }
    out.note(`\nA visitor asks a person: ${request.question}`);
    try {
      const response = await askFor(terminal, undefined, { option: 'answer', what: 'Your answer' });
      await updateRequest(app, operator, request.id, { status: 'resolved', response });
      out.note('Sent. The answer is in the conversation on the site.');
    } catch (error) {
      if (codeOf(error) === 'shutting_down') return;
      throw error;
    }
  }
}
