import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { printable } from '../text/printable.js';
import { widthOf, type Terminal } from './terminal.js';

/** Another screen, without the cursor; and back. */
const [enter, leave] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];

/**
 * Draws a screen again and again on a terminal, and at once when its size changes. Ends with 0 at q, and with 130 at
 * Ctrl-C or when `interrupted` aborts. The last text then stays on the terminal.
 */
export async function watchScreen(
  { stdin, stdout }: Terminal,
  interrupted: AbortSignal,
  everyMs: number,
  read: (columns: number) => Promise<string>,
): Promise<0 | 130> {
  const quit = new AbortController();
  const over = AbortSignal.any([interrupted, quit.signal]);
  const keys = stdin.isTTY === true ? stdin : undefined;
  let code: 0 | 130 = 130;
  const press = (key: Buffer) => {
    const pressed = key.toString('latin1');
    if (/[qQ]/.test(pressed)) code = 0;
    // In this mode Ctrl-C is a key, and no signal.
    if (/[qQ\u0003]/.test(pressed)) quit.abort();
  };
  const ended = once(over, 'abort').catch(() => undefined);
  let text = '';
  stdout.write(enter);
  keys?.setRawMode?.(true);
  keys?.on('data', press);
  try {
    while (!over.aborted) {
      const drawn = await Promise.race([read(widthOf(stdout) ?? 80), ended]);
      if (typeof drawn !== 'string') break;
      text = printable(drawn);
      draw(stdout, text);
      await untilNext(stdout, everyMs, over);
    }
  } finally {
    keys?.off('data', press).pause();
    keys?.setRawMode?.(false);
    stdout.write(`${leave}${text}\n`);
  }
  return code;
}

/** One write, over what is there and without clearing it first: the terminal never shows a half-empty screen. */
function draw(stdout: Terminal['stdout'], text: string): void {
  const { rows = 0 } = stdout;
  // Some terminals report no size.
  const lines = text.split('\n').slice(0, rows > 0 ? rows : 24);
  stdout.write(
    `\u001b[?2026h\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J\u001b[?2026l`,
  );
}

async function untilNext(
  stdout: Terminal['stdout'],
  everyMs: number,
  over: AbortSignal,
): Promise<void> {
  const woken = new AbortController();
  const signal = AbortSignal.any([over, woken.signal]);
  await Promise.race([wait(everyMs, undefined, { signal }), once(stdout, 'resize', { signal })])
    .catch(() => undefined)
    .finally(() => woken.abort());
}
