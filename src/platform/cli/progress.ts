import { cutToColumns, widthOfText } from './columns.js';
import { clearBefore, widthOf, type Terminal } from './terminal.js';
import { printable } from '../text/printable.js';

export interface Progress {
  /**
   * Reports the progress of one task: `done` of `total`, in `unit`; total 0 means unknown. When several tasks run, the
   * one that began first is shown until it ends.
   */
  update: (label: string, done: number, total: number, unit: string) => void;
  /** Ends a task, whether it succeeded or failed. */
  end: (label: string) => void;
  /** Reports the progress of all tasks together, e.g. of the files of a batch. */
  whole: (done: number, total: number, unit: string) => void;
  /** Removes the progress line at the end. While work runs, Output removes the line before it prints. */
  clear: () => void;
}

interface Amount {
  done: number;
  total: number;
  unit: string;
}

/** Time between two updates of a bar, between two log lines, and between log lines after another tenth is done. */
const [pictureMs, lineMs, tenthMs] = [80, 10_000, 2000];
const barWidth = 24;

/**
 * Shows the progress of long work on standard error. A terminal gets one line that is redrawn; other outputs get a line
 * for each tenth or every ten seconds. Short work shows nothing, and neither does `silent`. `now` is a clock in
 * milliseconds, for tests.
 */
export function createProgress(
  { stderr }: Terminal,
  silent: boolean,
  now: () => number = () => performance.now(),
): Progress {
  const nothing = () => undefined;
  if (silent) return { update: nothing, end: nothing, whole: nothing, clear: nothing };
  const work = createWork();
  const isTerminal = stderr.isTTY === true;
  let shown: number | undefined;
  let tenth = 0;
  const draw = (at: number) => {
    const columns = Math.max(1, (widthOf(stderr) ?? 80) - 1);
    stderr.write(`\r\x1b[2K${picture(work.state(), columns)}`);
    shown = at;
  };
  const log = (at: number) => {
    const { share, text, label, rest } = work.state();
    shown ??= at;
    const isDue = at - shown >= (Math.floor(share * 10) > tenth ? tenthMs : lineMs);
    if (!isDue) return;
    tenth = Math.floor(share * 10);
    shown = at;
    stderr.write(`${label === '' ? '' : `${label}${rest}: `}${text}\n`);
  };
  const changed = (at: number) => {
    if (!isTerminal) log(at);
    else if (shown === undefined || at - shown >= pictureMs || work.state().share === 1) draw(at);
  };
  const clear = () => {
    if (!isTerminal || shown === undefined) return;
    stderr.write('\r\x1b[2K');
    // The next update shows the bar again at once.
    shown = undefined;
  };
  clearBefore(stderr, clear);
  return {
    update(label, done, total, unit) {
      const at = now();
      work.update(label, { done, total, unit }, at);
      changed(at);
    },
    end: work.end,
    whole(done, total, unit) {
      const at = now();
      work.whole({ done, total, unit }, at);
      changed(at);
    },
    clear,
  };
}

interface State {
  /** From 0 to 1. */
  share: number;
  text: string;
  label: string;
  /** The text after the label, which makes no sense without it. */
  rest: string;
}

/** The least width of a label; with less space, the label is not shown. */
const shortestLabel = 8;

/** On a narrow terminal the bar is dropped before the text. A label (e.g. a path) is cut at its beginning. */
function picture({ share, text, label, rest }: State, columns: number): string {
  const bar = `[${'#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.')}] `;
  const said = cutToColumns(widthOfText(bar + text) > columns ? text : bar + text, columns);
  const room = columns - widthOfText(said) - 2 - widthOfText(rest);
  const isShown = label !== '' && room >= Math.min(shortestLabel, widthOfText(label));
  return isShown ? `${said}  ${cutToColumns(label, room, 'start')}${rest}` : said;
}

interface Work {
  update: (label: string, amount: Amount, at: number) => void;
  end: (label: string) => void;
  whole: (amount: Amount, at: number) => void;
  state: () => State;
}

function createWork(): Work {
  const things = new Map<string, { amount: Amount; pace: Pace }>();
  let all: { amount: Amount; pace: Pace } | undefined;
  /** The sum of all tasks, in the unit of the first one. */
  let flow = { unit: '', sum: 0, pace: createPace() };
  return {
    update(label, amount, at) {
      const before = things.get(label);
      const goesOn = before?.amount.unit === amount.unit ? before : undefined;
      const pace = goesOn?.pace ?? createPace();
      pace.note(at, amount.done);
      things.set(label, { amount, pace });
      if (flow.unit === '') flow = { unit: amount.unit, sum: 0, pace: createPace() };
      if (flow.unit !== amount.unit) return;
      flow.sum += Math.max(0, amount.done - (goesOn?.amount.done ?? 0));
      flow.pace.note(at, flow.sum);
    },
    end: (label) => void things.delete(label),
    whole(amount, at) {
      all ??= { amount, pace: createPace() };
      all.amount = amount;
      all.pace.note(at, amount.done);
    },
    state() {
      const [label, thing] = [...things].find(([, { amount }]) => !isOver(amount)) ??
        [...things].at(-1) ?? ['', undefined];
      const shown = all ?? thing;
      if (shown === undefined) return { share: 0, text: 'waiting', label, rest: '' };
      const { total, done, unit } = shown.amount;
      const more = things.size - 1;
      const others = more > 0 && all !== undefined ? ` and ${more} more` : '';
      const own = all === undefined || thing === undefined ? '' : ` (${describe(thing.amount)})`;
      const speed =
        all === undefined ? speedOf(shown.pace.rate(), unit) : speedOf(flow.pace.rate(), flow.unit);
      return {
        share: total === 0 ? 0 : Math.min(1, done / total),
        text: `${describe(shown.amount)}${speed}${timeLeft(total - done, shown.pace)}`,
        label: printable(label),
        rest: printable(`${own}${others}`),
      };
    },
  };
}

function isOver({ done, total }: Amount): boolean {
  return total > 0 && done >= total;
}

function describe({ done, total, unit }: Amount): string {
  if (total > 0) return `${done}/${total} ${unit}`;
  return done === 0 ? 'waiting' : `${done} ${unit}`;
}

function speedOf(rate: number | undefined, unit: string): string {
  return rate === undefined ? '' : `, ${describeRate(rate, unit)}`;
}

function timeLeft(amount: number, pace: Pace): string {
  const rate = pace.rate();
  return rate === undefined || amount <= 0 ? '' : `, ${describeSeconds(amount / rate)} left`;
}

/** The speed of a task, measured over the recent past: a slow start must not distort the estimate. */
interface Pace {
  note(at: number, done: number): void;
  /** In units per second; undefined until there are measurements. */
  rate(): number | undefined;
}

const shortestMs = 300;
const longestMs = 60_000;
/** Updates that are remembered: at most one per second of the last minute. */
const apartMs = 1000;

function createPace(): Pace {
  let signs: { at: number; done: number }[] = [];
  let last: { at: number; done: number } | undefined;
  return {
    note(at, done) {
      if (last !== undefined && done < last.done) signs = [];
      last = { at, done };
      const newest = signs.at(-1);
      // Speed is measured from the first update with progress.
      if (newest === undefined || newest.done === 0) signs = [last];
      else if (at - newest.at >= apartMs) signs.push(last);
      while (signs.length > 2 && at - (signs[0]?.at ?? at) > longestMs) signs.shift();
    },
    rate() {
      const [first] = signs;
      if (first === undefined || last === undefined) return undefined;
      const [ms, done] = [last.at - first.at, last.done - first.done];
      return ms < shortestMs || done <= 0 ? undefined : (done * 1000) / ms;
    },
  };
}

/** `41 pages/s`, or a rate per minute or hour when the rate per second is too small. */
export function describeRate(rate: number, unit: string): string {
  if (rate >= 0.1) return `${figure(rate)} ${unit}/s`;
  return rate * 60 >= 0.1 ? `${figure(rate * 60)} ${unit}/min` : `${figure(rate * 3600)} ${unit}/h`;
}

function figure(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}

/** `45 s`, `2 min 10 s`, `1 h 5 min`, `3 d 4 h`: rounded for people. */
export function describeSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return two(whole, 60, 'min', 1, 's');
  return whole < 86_400 ? two(whole, 3600, 'h', 60, 'min') : two(whole, 86_400, 'd', 3600, 'h');
}

function two(seconds: number, size: number, unit: string, small: number, smaller: string): string {
  const rest = Math.floor((seconds % size) / small);
  return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${smaller}`}`;
}
