import { readLogLine, type ReadLine } from '../../platform/log.js';

/** A line of a source. The journal knows the time of every line, including those that are not of the log. */
export interface SourceLine {
  text: string;
  time?: string;
}

export interface LogFilter {
  since?: Date | undefined;
  /** This level and those above it. */
  level?: Level | undefined;
  pattern?: RegExp | undefined;
  requestId?: string | undefined;
}

export const levels = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

/** An entry with the lines that belong to it, such as those of a stack. */
export interface LogEntry extends Pick<ReadLine, 'document' | 'text' | 'time'> {
  /** True for a further line of the entry before it. */
  continues: boolean;
}

/**
 * Returns a function that takes a log's lines in order and returns those that match. A line that begins with a blank
 * (of a stack) follows the previous line.
 */
export function createLineFilter(filter: LogFilter): (line: SourceLine) => LogEntry | undefined {
  let isShown = false;
  let lastTime: string | undefined;
  return ({ text, time }) => {
    if (text.trim() === '') return undefined;
    if (/^\s/.test(text)) {
      const document = { ...(time === undefined ? {} : { time }), msg: text };
      return isShown ? { document, text, time, continues: true } : undefined;
    }
    const read = readLogLine(text) ?? plainLine(text, time);
    lastTime = read.time ?? time ?? lastTime;
    isShown = matches(read, lastTime, filter);
    return isShown ? { ...read, time: lastTime, continues: false } : undefined;
  };
}

function matches(line: ReadLine, time: string | undefined, filter: LogFilter): boolean {
  const { since, level, pattern, requestId } = filter;
  // Lines before the first known time count as older.
  if (since !== undefined && !(Date.parse(time ?? '') >= since.getTime())) return false;
  if (level !== undefined && rankOf(line.level) < levels.indexOf(level)) return false;
  if (requestId !== undefined && line.requestId !== requestId) return false;
  return pattern?.test(line.text) !== false;
}

function rankOf(level: string): number {
  if (level === 'fatal') return levels.length;
  return levels.findIndex((one) => one === level);
}

/** A line of text from the program or systemd: a remark, or an error before the log was opened. */
function plainLine(text: string, time: string | undefined): ReadLine {
  const level = /^assistant: |Error\b/.test(text) ? 'error' : 'info';
  const document = { level: level === 'error' ? 50 : 30, ...(time && { time }), msg: text };
  return { document, text, level, time, requestId: undefined };
}
