import { spawn } from 'node:child_process';

export interface PseudoTerminal {
  /** The output so far, without control sequences. */
  screen(): string;
  /** Waits until the screen shows the text. Fails if the program ends before, or after a time limit. */
  shows(pattern: RegExp): Promise<void>;
  type(text: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
  /** Ends the program. An open prompt would prevent the end of the whole run. */
  close(): void;
}

/** The time limit for a program to show a text, even on a busy machine, in milliseconds. */
const patience = 30_000;

/**
 * Runs a command line in a pseudo-terminal with `script` of util-linux, which every Linux has. Fails with an
 * explanation if it is missing. The program replaces the shell (`exec`), because Ctrl-C would also end a waiting
 * shell, whose exit code would be read as the program's.
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
