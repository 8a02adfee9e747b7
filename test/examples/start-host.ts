import { spawn } from 'node:child_process';

/** A host's settings for the service, which it reads from its environment. */
export interface HostSettings {
  service: string;
  key: string;
  secret: string;
}

export interface RunningHost {
  /** The address of its page. */
  url: string;
  /** All that it has printed. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a host in a process of its own, as its users do. Rejects with its output if it ends before it listens. */
export async function startHost(
  command: string,
  args: string[],
  { settings, cwd }: { settings: HostSettings; cwd: string },
): Promise<RunningHost> {
  const { PATH = '' } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: {
      ...{ PATH, PORT: '0' },
      ...{ WIDGET_SERVICE: settings.service, WIDGET_KEY: settings.key },
      WIDGET_SECRET: settings.secret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => (printed += String(error)));
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [, found] = /http:\/\/[\w.]+:(\d+)/.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(`${command} ended before it listened: ${printed}`)));
  });
  return {
    url: `http://localhost:${port}/`,
    printed: () => printed,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
