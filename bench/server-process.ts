import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../src/platform/package-root.js';

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** The real program serving in a process of its own, so that whoever loads it does not share its thread. */
export async function startServerProcess(databasePath: string): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [join(packageRoot(), 'bin', 'assistant.js'), 'serve', '--port', '0', '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ASSISTANT_DATABASE_PATH: databasePath,
        ASSISTANT_LOG_LEVEL: 'error',
        ASSISTANT_ANSWERS_MODE: 'extractive',
        ASSISTANT_INGESTION_ENTRIES: 'sections',
      },
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    return {
      url,
      child,
      async stop() {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error('the server ended before it served');
}
