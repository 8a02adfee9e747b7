import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import type { OpenedApp } from './open-app.js';
import { wholeNumber } from '../platform/cli/arguments.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import { codeOf, messageOf } from '../platform/errors.js';

export function addServerCommands(program: CommandGroup): void {
  program.addConfig({
    name: 'serve',
    description: 'serve the API, and work on ingestion, until stopped',
    options: [
      ['--host <address>', 'the address to listen on (else server.host)'],
      [
        '--port <number>',
        'the port to listen on (else server.port)',
        wholeNumber('--port', 0, 65_535),
      ],
    ],
    answer: '{ url }, as a line once it serves',
    examples: ['assistant serve', 'assistant serve --host 0.0.0.0 --port 80'],
    run: runServer,
  });
  program.addConfig({
    name: 'worker',
    description:
      'ingest uploads, embed passages, send messages and remove old data until stopped, beside or instead of the server',
    options: [['--once', 'end when nothing is due any more']],
    answer:
      '{ status, threads }, as a line once it waits; with --once { attempts, embedding_failure? }',
    examples: ['assistant worker', 'assistant worker --once'],
    run: runWorker,
  });
}

async function runServer(
  session: ConfigSession,
  options: { host?: string; port?: number },
): Promise<ExitCode> {
  const { serve } = await import('./serve.js');
  const { config, out } = session;
  const server = {
    ...config.server,
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
  };
  const app = await openInstallation(session, { ...config, server });
  try {
    const running = await serve(app);
    out.line({ url: running.url }, `Assistant serves at ${running.url}`);
    await noteWhatIsMissing(app, session);
    await untilInterrupted(session);
    out.note('Stopping: running requests end, leases are given back.');
    await running.stop();
    return 0;
  } finally {
    await app.close();
  }
}

async function runWorker(session: ConfigSession, options: { once?: boolean }): Promise<ExitCode> {
  const app = await openInstallation(session, session.config);
  try {
    if (options.once === true) {
      const { workOnce } = await import('../ingestion/worker/run-worker.js');
      const { runDueDeliveries } = await import('../notifications/deliver-due.job.js');
      const { embedDuePassages } = await import('../search/vectors/embed-due-passages.js');
      const { enforceRetention } = await import('../privacy/enforce-retention.job.js');
      await enforceRetention(app, session.interrupted);
      const attempts =
        (await workOnce(app, session.interrupted)) +
        (await runDueDeliveries(app, session.interrupted));
      // Last, so that the new entries are embedded too. Without a model, words still find them.
      const failure = await embedDuePassages(app, { signal: session.interrupted }).then(
        () => null,
        (error: unknown) => {
          if (codeOf(error) !== 'model_unavailable') throw error;
          return messageOf(error);
        },
      );
      if (failure !== null) session.out.note(`Passages were not embedded: ${failure}`);
      session.out.result(
        { attempts, ...(failure === null ? {} : { embedding_failure: failure }) },
        attempts === 0 ? 'Nothing was due.' : `Nothing is due any more (attempts: ${attempts}).`,
      );
      return failure === null ? 0 : 5;
    }
    const { openWorker } = await import('../ingestion/worker/run-worker.js');
    const { startDeliveryWorker } = await import('../notifications/deliver-due.job.js');
    const worker = openWorker(app);
    const sender = startDeliveryWorker(app);
    const { startEmbeddingWorker } = await import('../search/vectors/embed-passages.job.js');
    const embedder = startEmbeddingWorker(app);
    const { startRetentionWorker } = await import('../privacy/enforce-retention.job.js');
    const keeper = startRetentionWorker(app);
    const { threads } = session.config.ingestion;
    const text = 'The worker waits for uploads and messages. Ctrl-C stops it.';
    session.out.line({ status: 'waiting', threads }, text);
    await noteWhatIsMissing(app, session);
    await untilInterrupted(session);
    await Promise.all([worker.stop(), sender.stop(), embedder.stop(), keeper.stop()]);
    return 0;
  } finally {
    await app.close();
  }
}

/**
 * Opens the application. Refuses with `not_found` a folder that has neither a configuration nor a database: it is no
 * installation, most often the wrong folder.
 */
async function openInstallation({ configFile }: ConfigSession, config: Config): Promise<OpenedApp> {
  if (configFile === undefined) {
    const { requireDatabase } = await import('../platform/db/require-database.js');
    requireDatabase(config.database.path);
  }
  const { openApp } = await import('./open-app.js');
  return openApp(config);
}

/** An installation without a set-up still serves. The log of its start says what is missing. */
async function noteWhatIsMissing(app: App, { out, config }: ConfigSession): Promise<void> {
  const { isSetUp } = await import('./set-up.js');
  if (await isSetUp(app)) return;
  out.note(
    `There is no organization yet in ${config.database.path}. Set one up with: assistant init`,
  );
}

async function untilInterrupted({ interrupted }: ConfigSession): Promise<void> {
  if (interrupted.aborted) return;
  await new Promise<void>((resolve) => {
    interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}

export function addDemoCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'demo',
    description: 'show the whole way on the product’s own manual, in a temporary folder',
    options: [['--exit', 'end after the answers instead of serving on']],
    answer: '{ question, response, mode, found, sources, … }, as a line for each answer',
    examples: ['assistant demo', 'assistant demo --exit'],
    async run(session, options: { exit?: boolean }) {
      const { runDemo } = await import('./run-demo.js');
      await runDemo(session, { exit: options.exit === true });
      return 0;
    },
  });
}
