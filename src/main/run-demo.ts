import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createUser } from '../accounts/create-user.js';
import type { App } from '../platform/app.js';
import type { ConfigSession } from '../platform/cli/cli.js';
import { askFor } from '../platform/cli/prompts.js';
import { isInteractive, printable } from '../platform/cli/terminal.js';
import type { Config } from '../platform/config/schema.js';
import { AppError, codeOf } from '../platform/errors.js';
import { whyNotReady } from '../platform/models/why-not-ready.js';
import { packageRoot } from '../platform/package-root.js';
import { listRequests } from '../requests/read-requests.js';
import { updateRequest } from '../requests/update-request.js';
import { createApiClient, type ApiClient } from './demo-api-client.js';
import { startHost, type DemoHost } from './demo-host.js';
import { openApp } from './open-app.js';
import { serve, type RunningServer } from './serve.js';
import { setUp } from './set-up.js';

/** What is asked of the manual, one question in each language. */
const questions = [
  'How long is an access token valid?',
  '¿Cuántas veces se intenta procesar un lote?',
  'Wer darf interne Einträge sehen?',
];

/** Time between two looks for questions to a person, in milliseconds. */
const pollMs = 1000;

const operator = { kind: 'operator', organizationId: 1 } as const;
const staff = 'admin@demo.example';
const reader = 'reader@demo.example';

/**
 * The main job from end to end, over the API as a client would: a server on a temporary folder, a real PDF
 * ingested and approved, three questions answered; then it serves on, with a host that has the widget on its page, until
 * interrupted.
 */
export async function runDemo(session: ConfigSession, options: { exit: boolean }): Promise<void> {
  const { out, interrupted } = session;
  const folder = await mkdtemp(join(tmpdir(), 'assistant-demo-'));
  const password = randomBytes(12).toString('base64url');
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
        : 'No Ollama with a model answers, so answers are quoted from the knowledge word for word.',
    );
    for (const question of questions) {
      if (interrupted.aborted) return;
      const answer = await client.ask(question, 'http://localhost/');
      const sources = answer.sources.map(
        (source) => `  [${source.number}] ${source.title}, page ${source.pages?.from ?? '?'}`,
      );
      const text = [``, `Q: ${question}`, `A: ${answer.response}   (${answer.mode})`, ...sources];
      out.line({ question, ...answer }, printable(text.join('\n')));
    }
    if (options.exit || interrupted.aborted) return;
    host = await startHost(server.url, await admin.makeKey('Host page'));
    out.note(`\nOpen the demo’s site   ${host.url} (its source: templates/examples/node-host)`);
    out.note(`The API is at          ${server.url}/api (health: ${server.url}/health/ready)`);
    out.note(
      `The browser extension  ${server.url}/extension/assistant-extension.zip (docs/extension.md)`,
    );
    out.note(
      `Sign in to the API or in the extension as ${staff} or ${reader} with the password ${password}`,
    );
    const program = relative(process.cwd(), join(packageRoot(), 'bin', 'assistant.js'));
    const cli = `ASSISTANT_DATABASE_PATH=${app.config.database.path} node ${program} requests`;
    out.note(
      isInteractive(session.terminal)
        ? 'When somebody asks a person on the site, you are asked here, and your answer appears there.'
        : `When somebody asks a person on the site, answer in a terminal:\n  ${cli} list\n  ${cli} resolve 1 --response "…"`,
    );
    out.note('Ctrl-C ends the demo and removes its folder.');
    await answerRequests(app, session);
  } finally {
    await host?.stop();
    await started?.server.stop();
    await started?.app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asks the person at the terminal the questions that visitors hand to a person, until it is interrupted. */
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
    out.note(`\nSomebody asks a person: ${request.question}`);
    try {
      const response = await askFor(terminal, undefined, { option: 'answer', what: 'Your answer' });
      await updateRequest(app, operator, request.id, { status: 'resolved', response });
      out.note('Sent: the answer is on the site.');
    } catch (error) {
      if (codeOf(error) === 'shutting_down') return;
      throw error;
    }
  }
}

async function start(
  base: Config,
  folder: string,
  password: string,
): Promise<{ app: App & { close(): Promise<void> }; server: RunningServer }> {
  const config: Config = {
    ...base,
    database: { ...base.database, path: join(folder, 'assistant.sqlite') },
    // The manual's own sections are good entries, and a model on a small machine would take minutes for them.
    // Its host page is on this machine.
    widget: { ...base.widget, allow_localhost: true },
    ingestion: { ...base.ingestion, worker: true, entries: 'sections' },
    log: { ...base.log, level: 'warn' },
  };
  const app = await openApp(config);
  try {
    await setUp(app, {
      organization: () => Promise.resolve('Demo'),
      app: () => Promise.resolve('Manual'),
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

/** At the configured port where it is free, else at any. */
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
