import { cutToColumns, widthOfText } from './columns.js';
import { clearBefore, widthOf, type Terminal } from './terminal.js';
import { printable } from '../text/printable.js';

export interface Progress {
  /**
   * How far one thing is: `done` of `total`, in `unit`; a total of 0 is not known yet. Where several are under way at
   * once, that which began first is shown until it ends.
   */
  update: (label: string, done: number, total: number, unit: string) => void;
  /** The thing is over, whatever became of it. */
  end: (label: string) => void;
  /** How far all things together are, e.g. files of which several are under way. */
  whole: (done: number, total: number, unit: string) => void;
  /** Takes the line away when the work is over. What is said meanwhile by an Output does so by itself. */
  clear: () => void;
}

interface Amount {
  done: number;
  total: number;
  unit: string;
}

/** Between two pictures of a bar; between two lines of a log, and where another tenth is done meanwhile. */
const [pictureMs, lineMs, tenthMs] = [80, 10_000, 2000];
const barWidth = 24;

/**
 * Shows how far long work is, on standard error: on a terminal in one line that is written again and again, elsewhere
 * in a line for each tenth or every ten seconds, and none for work that is short. Nothing where `silent`. `now` is a
 * clock in milliseconds, for tests.
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
    // The next sign of work shows it again at once.
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

/** What there is to say of work. */
interface State {
  /** From 0 to 1. */
  share: number;
  text: string;
  label: string;
  /** What is said behind the label, which nobody can read without it. */
  rest: string;
}

/** The least that a label is worth showing for. */
const shortestLabel = 8;

/** The bar gives way to the words where a terminal is narrow, the beginning of the label (of a path, say) to both. */
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
  /** What all things together came to, in the unit of the first. */
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

/** How fast something goes, judged by what happened lately: what a start costs says nothing of the rest. */
interface Pace {
  note(at: number, done: number): void;
  /** In units per second; undefined before there is anything to go by. */
  rate(): number | undefined;
}

const shortestMs = 300;
const longestMs = 60_000;
/** Signs of work that are remembered: one a second of the last minute, at most. */
const apartMs = 1000;

function createPace(): Pace {
  let signs: { at: number; done: number }[] = [];
  let last: { at: number; done: number } | undefined;
  return {
    note(at, done) {
      if (last !== undefined && done < last.done) signs = [];
      last = { at, done };
      const newest = signs.at(-1);
      // Speed counts from the first sign of work: until then the same beginning is put off.
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

/** `41 pages/s`, or what a minute or an hour brings where a second brings next to nothing. */
export function describeRate(rate: number, unit: string): string {
  if (rate >= 0.1) return `${figure(rate)} ${unit}/s`;
  return rate * 60 >= 0.1 ? `${figure(rate * 60)} ${unit}/min` : `${figure(rate * 3600)} ${unit}/h`;
}

function figure(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}

/** `45 s`, `2 min 10 s`, `1 h 5 min`, `3 d 4 h`: as exact as a person needs it. */
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
