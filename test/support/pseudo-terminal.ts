import { spawn } from 'node:child_process';

export interface PseudoTerminal {
  /** All that was shown so far, control sequences taken out. */
  screen(): string;
  /** Waits until the screen shows it; fails where the program ends before, or after a bounded time. */
  shows(pattern: RegExp): Promise<void>;
  type(text: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
  /** Ends what still runs: a prompt that nobody answers would keep the whole run from ending. */
  close(): void;
}

/** What a program may take to show something, on a busy machine too; in milliseconds. */
const patience = 30_000;

/**
 * Runs a command line in a pseudo-terminal by `script` of util-linux, which every Linux has. Fails, saying so,
 * where it is missing. The program takes the shell's place (`exec`): a shell that waits for it would be ended by
 * Ctrl-C too, and its exit code be read as the program's.
 */
export function openPseudoTerminal(
  commandLine: string,
  folder: string,
  env: Record<string, string>,
): PseudoTerminal {
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `exec ${commandLine}`, '/dev/null'],
    {
      cwd: folder,
      env: { ...process.env, TERM: 'xterm', COLUMNS: '100', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let shown = '';
  let hasEnded = false;
  const watchers = new Set<() => void>();
  const look = () => watchers.forEach((watcher) => watcher());
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    look();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`These tests need "script" of util-linux: ${error.message}`));
    });
    child.once('close', (code) => {
      hasEnded = true;
      look();
      resolve(code);
    });
  });
  const screen = () => shown.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
  return {
    screen,
    type: (text) => void child.stdin.write(text),
    ended,
    close: () => void child.kill('SIGKILL'),
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const end = (done: () => void) => {
          watchers.delete(watcher);
          clearTimeout(timer);
          done();
        };
        const fail = (why: string) =>
          end(() => reject(new Error(`${why} without ${String(pattern)}: ${screen()}`)));
        const watcher = () => {
          if (pattern.test(screen())) end(resolve);
          else if (hasEnded) fail('the program ended');
        };
        const timer = setTimeout(() => fail(`the terminal stood for ${patience} ms`), patience);
        watchers.add(watcher);
        watcher();
      }),
  };
}
