import type { Terminal } from './terminal.js';

export interface Progress {
  /** `done` of `total`, in `unit`; a total of 0 is not known yet. */
  update(label: string, done: number, total: number, unit: string): void;
  /** Takes the line away, so that other output can be written. */
  clear(): void;
}

const barWidth = 24;

/** One line on standard error that is written again and again; nothing at all without a terminal. */
export function createProgress(terminal: Terminal, quiet: boolean): Progress {
  const { stderr } = terminal;
  if (quiet || stderr.isTTY !== true) return { update: () => undefined, clear: () => undefined };
  const firsts = new Map<string, { at: number; done: number }>();
  let shown = 0;
  return {
    update(label, done, total, unit) {
      const now = performance.now();
      if (now - shown < 80 && done < total) return;
      shown = now;
      // Speed counts from the first sign of work: what a start costs says nothing of the rest.
      let first = firsts.get(`${unit} ${label}`);
      if (first === undefined || first.done === 0) {
        first = { at: now, done };
        firsts.set(`${unit} ${label}`, first);
      }
      const share = total === 0 ? 0 : Math.min(1, done / total);
      const filled = Math.round(share * barWidth);
      const bar = '#'.repeat(filled).padEnd(barWidth, '.');
      const pace = speed(now - first.at, done - first.done, total - done, unit);
      const state = total === 0 ? 'waiting' : `${done}/${total} ${unit}${pace}`;
      const line = `[${bar}] ${state}  ${label}`;
      stderr.write(`\r\x1b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    clear() {
      if (shown !== 0) stderr.write('\r\x1b[2K');
    },
  };
}

/** Units per second, and how long the rest takes at that; nothing before there is anything to go by. */
function speed(ms: number, done: number, left: number, unit: string): string {
  if (ms < 300 || done <= 0) return '';
  const rate = (done * 1000) / ms;
  return `, ${rate.toFixed(0)} ${unit}/s${left > 0 ? `, ${Math.ceil(left / rate)} s left` : ''}`;
}
