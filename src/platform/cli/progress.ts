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
  const started = performance.now();
  let shown = 0;
  return {
    update(label, done, total, unit) {
      const now = performance.now();
      if (now - shown < 80 && done < total) return;
      shown = now;
      const share = total === 0 ? 0 : Math.min(1, done / total);
      const filled = Math.round(share * barWidth);
      const seconds = (now - started) / 1000;
      const rate = done / Math.max(seconds, 0.001);
      const left = rate > 0 && total > done ? `, ${Math.ceil((total - done) / rate)} s left` : '';
      const line = `[${'#'.repeat(filled).padEnd(barWidth, '.')}] ${done}/${total} ${unit}, ${rate.toFixed(0)} ${unit}/s${left}  ${label}`;
      stderr.write(`\r\x1b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    clear() {
      if (shown !== 0) stderr.write('\r\x1b[2K');
    },
  };
}
