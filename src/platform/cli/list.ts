import type { Command } from 'commander';
import type { Page, Paged } from '../db/select-page.js';
import { wholeNumber } from './arguments.js';
import { withAnswer } from './cli.js';
import { table, type Column } from './table.js';
import type { Output } from './terminal.js';

/** The options of a command that answers a part of a list. */
export type ListOptions = Page;

/** `things`: what is listed, e.g. `keys`. */
export function withPaging(command: Command, things: string): Command {
  const answer = '{data: [...], pagination: {total, page, limit}}, each as the API has it';
  return withAnswer(command, answer)
    .option('--page <number>', 'from 1', wholeNumber('--page', 1, 1_000_000), 1)
    .option('--limit <number>', `${things} per page`, wholeNumber('--limit', 1, 1000), 50);
}

/**
 * Answers a part of a list as every list of the program is answered: with --json as
 * `{data: […], pagination: {total, page, limit}}`, where each item is what the interface has it as, else as a table.
 */
export function showList<T>(
  out: Output,
  { items, total }: Paged<T>,
  { page, limit }: ListOptions,
  { things, columns, present }: List<T>,
): 0 {
  const document = { data: items.map(present), pagination: { total, page, limit } };
  out.result(document, table(columns, items, out.width));
  const more = page * limit < total ? `; the next: --page ${page + 1}` : '';
  out.note(`${items.length} of ${total} ${things}${more}`);
  return 0;
}

interface List<T> {
  things: string;
  columns: Column<T>[];
  present: (item: T) => unknown;
}

/** A time as a table has it: to the minute, in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
