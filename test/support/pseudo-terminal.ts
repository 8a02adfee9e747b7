import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

export interface PseudoTerminal {
  /** All that was shown so far, control sequences taken out. */
  screen(): string;
  /** Waits, a bounded time, until the screen shows it. */
  shows(pattern: RegExp): Promise<void>;
  type(text: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
  /** Ends what still runs: a prompt that nobody answers would keep the whole run from ending. */
  close(): void;
}

/**
 * Runs a command line in a pseudo-terminal by `script` of util-linux, which every Linux has. Fails, saying so,
 * where it is missing.
 */
export function openPseudoTerminal(
  commandLine: string,
  folder: string,
  env: Record<string, string>,
): PseudoTerminal {
  const child = spawn('script', ['--quiet', '--return', '--command', commandLine, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm', COLUMNS: '100', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`These tests need "script" of util-linux: ${error.message}`));
    });
    child.once('close', resolve);
  });
  const screen = () => shown.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
  return {
    screen,
    type: (text) => void child.stdin.write(text),
    ended,
    close: () => void child.kill('SIGKILL'),
    async shows(pattern) {
      for (let tries = 0; tries < 1000; tries++) {
        if (pattern.test(screen())) return;
        if (child.exitCode !== null) break;
        await wait(10);
      }
      throw new Error(`the terminal does not show ${String(pattern)}: ${screen()}`);
    },
  };
}
