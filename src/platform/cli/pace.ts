/** How fast something goes, judged by what happened lately: what a start costs says nothing of the rest. */
export interface Pace {
  note(at: number, done: number): void;
  /** In units per second; undefined before there is anything to go by. */
  rate(): number | undefined;
}

const shortestMs = 300;
const longestMs = 60_000;
/** Signs of work that are remembered: one a second of the last minute, at most. */
const apartMs = 1000;

export function createPace(): Pace {
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
