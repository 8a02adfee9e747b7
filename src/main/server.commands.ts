import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import type { OpenedApp } from './open-app.js';
import type { Telemetry } from './telemetry/telemetry.js';
import { wholeNumber } from '../platform/cli/arguments.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import { codeOf, messageOf } from '../platform/errors.js';

export function addServerCommands(program: CommandGroup): void {
  program.addConfig({
    name: 'serve',
    description: 'serve the API and process uploads, until stopped',
    options: [
      ['--host <address>', 'the address to listen on (default: server.host)'],
      [
        '--port <number>',
        'the port to listen on (default: server.port)',
        wholeNumber('--port', 0, 65_535),
      ],
    ],
    answer: '{ url }, as one line when the server is ready',
    examples: ['assistant serve', 'assistant serve --host 0.0.0.0 --port 80'],
    run: runServer,
  });
  program.addConfig({
    name: 'worker',
    description:
      'process uploads, read sources, embed passages, send messages and delete old data until stopped, beside the server or without it',
    options: [['--once', 'stop when no work is due']],
    answer:
      '{ status, threads }, as one line when it waits for work; with --once { attempts, embedding_failure? }',
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
  const { app, telemetry } = await openInstallation(session, { ...config, server });
  let withdraw: (() => void) | undefined;
  try {
    const running = await serve(app);
    telemetry?.sendMetrics(running.metrics);
    const { url } = running;
    withdraw = await announce(app, 'serve', url);
    out.line({ url }, `Assistant serves at ${url}\nThe backoffice for staff is ${url}/backoffice`);
    await noteWhatIsMissing(app, session);
    await untilInterrupted(session);
    out.note('Stopping: running requests finish, other work is released.');
    await running.stop();
    return 0;
  } finally {
    withdraw?.();
    await telemetry?.stop();
    await app.close();
  }
}

async function runWorker(session: ConfigSession, options: { once?: boolean }): Promise<ExitCode> {
  const { app, telemetry } = await openInstallation(session, session.config);
  let withdraw: (() => void) | undefined;
  try {
    if (telemetry !== undefined) {
      const { createMetrics } = await import('./metrics.js');
      telemetry.sendMetrics(createMetrics(app));
    }
    if (options.once === true) {
      const { workOnce } = await import('../ingestion/worker/run-worker.js');
      const { runDueDeliveries } = await import('../notifications/deliver-due.job.js');
      const { embedDuePassages } = await import('../search/vectors/embed-due-passages.js');
      const { enforceRetention } = await import('../privacy/enforce-retention.job.js');
      await enforceRetention(app, session.interrupted);
      const { runDueSources } = await import('../sources/run-due-sources.job.js');
      const attempts =
        (await runDueSources(app, session.interrupted, { work: true })) +
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
        attempts === 0 ? 'Nothing was due.' : `No work is due any more (attempts: ${attempts}).`,
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
    const { startSourceWorkers } = await import('../sources/run-due-sources.job.js');
    const reader = startSourceWorkers(app);
    withdraw = await announce(app, 'worker', null);
    const { threads } = session.config.ingestion;
    const text = 'The worker waits for uploads and messages. Ctrl-C stops it.';
    session.out.line({ status: 'waiting', threads }, text);
    await noteWhatIsMissing(app, session);
    await untilInterrupted(session);
    const workers = [worker, sender, reader, embedder, keeper];
    await Promise.all(workers.map((one) => one.stop()));
    return 0;
  } finally {
    withdraw?.();
    await telemetry?.stop();
    await app.close();
  }
}

interface Installation {
  app: OpenedApp;
  telemetry: Telemetry | undefined;
}

/**
 * Opens the application, and telemetry if a collector is set. Errors: `not_found` for a folder that has neither a
 * configuration nor a database: it is no installation, most often the wrong folder.
 */
async function openInstallation(
  { configFile }: ConfigSession,
  config: Config,
): Promise<Installation> {
  if (configFile === undefined) {
    const { requireDatabase } = await import('../platform/db/require-database.js');
    requireDatabase(config.database);
  }
  const { openApp } = await import('./open-app.js');
  const { createLog } = await import('../platform/log.js');
  const { startTelemetry } = await import('./telemetry/start-telemetry.js');
  const log = createLog(config.log);
  const telemetry = startTelemetry(log);
  const tracing = telemetry === undefined ? {} : { tracing: telemetry.tracing };
  try {
    return { app: await openApp(config, { log, configFile, waits: true, ...tracing }), telemetry };
  } catch (error) {
    await telemetry?.stop();
    throw error;
  }
}

/** Lets `assistant status` see this process. That it can't is no reason not to serve. */
async function announce(
  app: App,
  command: 'serve' | 'worker',
  url: string | null,
): Promise<(() => void) | undefined> {
  const { announceProcess } = await import('../platform/running-processes.js');
  const { packageVersion } = await import('../platform/package-root.js');
  const about = { command, url, version: packageVersion() };
  try {
    return announceProcess(app.config.database.path, about, app.clock.now());
  } catch (error) {
    app.log.warn({ reason: messageOf(error) }, 'assistant status can’t see this process');
    return undefined;
  }
}

/** An installation without a set-up still serves. The log of its start says what is missing. */
async function noteWhatIsMissing(app: App, { out, config }: ConfigSession): Promise<void> {
  const { isSetUp } = await import('./set-up.js');
  if (await isSetUp(app)) return;
  const { nameOfDatabase } = await import('../platform/db/require-database.js');
  const name = nameOfDatabase(config.database);
  out.note(`There is no organization yet in ${name}. Set one up with: assistant init`);
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
    // The image names a file that `assistant init` has yet to write.
    mayLack: 'unless given',
    description: 'try everything with the product’s own manual, in a temporary folder',
    options: [['--exit', 'stop after the answers instead of serving']],
    answer: '{ question, response, mode, found, sources, … }, as a line for each answer',
    examples: ['assistant demo', 'assistant demo --exit'],
    async run(session, options: { exit?: boolean }) {
      const { runDemo } = await import('./run-demo.js');
      await runDemo(session, { exit: options.exit === true });
      return 0;
    },
  });
}
