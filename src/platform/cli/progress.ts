import { columnsOf, cutToColumns } from './columns.js';
import { createPace, describeRate, describeSeconds, type Pace } from './pace.js';
import { clearBefore, printable, widthOf, type Terminal } from './terminal.js';

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
  const said = cutToColumns(columnsOf(bar + text) > columns ? text : bar + text, columns);
  const room = columns - columnsOf(said) - 2 - columnsOf(rest);
  const isShown = label !== '' && room >= Math.min(shortestLabel, columnsOf(label));
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
