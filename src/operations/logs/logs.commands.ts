import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { moment, oneOf, pattern, wholeNumber } from '../../platform/cli/arguments.js';
import type { ExitCode, PlainSession } from '../../platform/cli/cli.js';
import type { CommandGroup } from '../../platform/cli/command-group.js';
import { displayEnd } from '../../platform/cli/terminal.js';
import { AppError } from '../../platform/errors.js';
import { piecesOf } from '../../platform/named-file.js';
import { safeJson } from '../../platform/text/printable.js';
import { createLineFilter, levels, type Level, type LogEntry } from './filter-lines.js';
import type { LogSource } from './log-sources.js';

interface LogOptions {
  file?: string;
  since?: Date;
  level?: Level;
  grep?: RegExp;
  request?: string;
  follow?: boolean;
  limit: number;
}

export function addLogsCommand(program: CommandGroup): void {
  program.addPlain({
    name: 'logs',
    description:
      'show the log of the service, from the journal of systemd or from a file: as text at a terminal, else as JSON lines',
    options: [
      ['--file <file>', 'read this file, or - for standard input (else the journal)'],
      [
        '--since <time>',
        'entries from then on: 90s, 30m, 24h or 7d ago, or a time in UTC such as 2026-01-31T08:00',
        moment('--since'),
      ],
      ['--level <level>', `this level and above: ${levels.join(', ')}`, oneOf('--level', levels)],
      [
        '--grep <pattern>',
        'entries whose text matches this regular expression, in any case',
        pattern('--grep'),
      ],
      ['--request <id>', 'the entries of one request, by its X-Request-Id'],
      ['--follow', 'follow new lines until Ctrl-C (130)'],
      [
        '--limit <number>',
        'how many entries to show, counted from the last one',
        wholeNumber('--limit', 1, 1_000_000),
        200,
      ],
    ],
    answer: 'each entry as a line, as the log has it: { level, time, msg, … }',
    examples: [
      'assistant logs --follow',
      'assistant logs --since 24h --level warn',
      'assistant logs --request 0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11',
      'assistant logs --file /var/log/assistant.log --grep "ingestion failed" --json | jq .batch_id',
      'docker logs my-assistant 2>&1 | assistant logs --file - --level error',
    ],
    run: showLogs,
  });
}

async function showLogs(session: PlainSession, options: LogOptions): Promise<ExitCode> {
  const { out, interrupted } = session;
  const { since, level, grep, request, follow = false, limit } = options;
  const filter = createLineFilter({ since, level, pattern: grep, requestId: request });
  const source = await sourceOf(session, options);
  const print = printer(session);
  /** The last entries, each with its further lines. */
  const last: LogEntry[][] = [];
  let found = 0;
  for await (const line of source.existing(interrupted)) {
    const entry = filter(line);
    if (entry === undefined) continue;
    if (entry.continues && last.length > 0) {
      last.at(-1)?.push(entry);
      continue;
    }
    found += 1;
    last.push([entry]);
    if (last.length > limit) last.shift();
  }
  last.flat().forEach(print);
  if (follow) {
    for await (const line of source.following(displayEnd(session.terminal, interrupted))) {
      const entry = filter(line);
      if (entry !== undefined) print(entry);
    }
  } else if (found === 0 && !interrupted.aborted) {
    const dates =
      since === undefined
        ? ''
        : ' --since finds only entries that have a date: JSON lines, or those of the journal.';
    out.note(`No entry of the log matches.${dates}`);
  }
  if (!follow && found > limit)
    out.note(`The last ${limit} of ${found} entries. More: --limit ${found}`);
  return interrupted.aborted ? 130 : 0;
}

/** Errors: `not_found` where no log is known. */
async function sourceOf(
  { terminal, interrupted }: PlainSession,
  { file, since, level, grep, request, follow = false, limit }: LogOptions,
): Promise<LogSource> {
  const { fileSource, journalSource, streamSource } = await import('./log-sources.js');
  if (file === '-') return streamSource(terminal.stdin, follow);
  if (file !== undefined) {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || found.isFile()) return fileSource(file, follow);
    return streamSource(Readable.from(piecesOf(file, interrupted)), follow);
  }
  const { findUnits } = await import('../service/find-units.js');
  const units = findUnits();
  if (units === undefined) {
    const sentence =
      'There is no log to read: no service of systemd is installed here. Name the file with --file, or pipe the log into: assistant logs --file -';
    throw new AppError('not_found', sentence);
  }
  const isWhole = [level, grep, request].every((one) => one === undefined);
  return journalSource(units, [
    ...(since === undefined ? [] : [`--since=@${Math.floor(since.getTime() / 1000)}`]),
    // The journal skips all but the last lines faster.
    ...(isWhole ? [`--lines=${limit}`] : []),
  ]);
}

/** Prints entries as JSON lines, or as the server does at a terminal, with the day above its first entry. */
function printer({ out, terminal }: PlainSession): (entry: LogEntry) => void {
  const isText = !out.json && terminal.stdout.isTTY === true;
  let day = '';
  return ({ document, text, time }) => {
    const ofEntry = time?.slice(0, 10) ?? day;
    if (isText && ofEntry !== day) out.line({}, ofEntry);
    day = ofEntry;
    out.line(document, isText ? text : safeJson(document));
  };
}
