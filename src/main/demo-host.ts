import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';
import type { DemoKey } from './demo-api-client.js';

/** A file of the examples, as customers copy it; what it serves lies beside its source. */
const example = 'templates/examples/node-host';

/** Ends the host with the demo, however that ends: a killed one can't do it itself. */
const endWithParent = 'data:text/javascript,process.on("disconnect",()=>process.exit())';

export interface DemoHost {
  url: string;
  stop(): Promise<void>;
}

/**
 * The example of a host, run as any customer runs it: a process of its own that knows of the service its address, a key
 * and its secret. Refuses with `internal` where it does not start.
 */
export async function startHost(service: string, { key, secret }: DemoKey): Promise<DemoHost> {
  const args = ['--import', endWithParent, join(packageRoot(), 'dist', example, 'host.js')];
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: join(packageRoot(), example),
    // Nothing else of the environment: what the service runs with is no business of its hosts.
    env: {
      ...{ PATH, PORT: '0' },
      ...{ WIDGET_SERVICE: service, WIDGET_KEY: key, WIDGET_SECRET: secret },
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
