import { z } from 'zod';
import { useShown } from './shown.js';

/** The rows of a page of a list. */
export const rowsPerPage = 50;

/** The number of a page in an address. Whatever is no such number means the first. */
export const pageNumber = z.coerce.number().int().min(1).max(1_000_000).catch(1).default(1);

/** The number of the last page of a list. */
export function lastPageOf(total: number): number {
  return Math.max(1, Math.ceil(total / rowsPerPage));
}

interface PagerProps {
  /** From 1. */
  page: number;
  total: number;
  /** The filters of the list, to be kept. */
  query: Record<string, string | undefined>;
}

/** The range of the shown rows and the number of all rows, with links to the pages before and after. */
export function Pager({ page, total, query }: PagerProps) {
  const { say, format, at, path } = useShown();
  const last = lastPageOf(total);
  const from = (page - 1) * rowsPerPage + 1;
  const to = (number: number) => at(`${path}?${queryText({ ...query, page: String(number) })}`);
  if (total === 0) return null;
  return (
    <nav class="pager" aria-label={say.list.pages}>
      <span>
        {say.list.rows(
          format.number(from),
          format.number(Math.min(from + rowsPerPage - 1, total)),
          format.number(total),
        )}
      </span>
      {page > 1 ? (
        <a rel="prev" href={to(page - 1)}>
          {say.list.previous}
        </a>
      ) : null}
      {page < last ? (
        <a rel="next" href={to(page + 1)}>
          {say.list.next}
        </a>
      ) : null}
    </nav>
  );
}

interface KeyPagerProps {
  /** How many there are, as a sentence. */
  counted: string;
  /** The key of the last row that is shown; undefined on the last page. */
  next: string | undefined;
  /** True on the first page. */
  isFirst: boolean;
  /** The filters of the list, to be kept. */
  query?: Record<string, string | undefined>;
  /** The text of the link to the next ones, instead of the usual one. */
  older?: string | undefined;
}

/** How many there are, with links to the next ones after the last that is shown, and back to the first. */
export function KeyPager({ counted, next, isFirst, query = {}, older }: KeyPagerProps) {
  const { say, at, path } = useShown();
  const to = (before?: string) => {
    const text = queryText({ ...query, before });
    return at(text === '' ? path : `${path}?${text}`);
  };
  return (
    <nav class="pager" aria-label={say.list.pages}>
      {counted === '' ? null : <span>{counted}</span>}
      {isFirst ? null : (
        <a rel="first" href={to()}>
          {say.answers.newest}
        </a>
      )}
      {next === undefined ? null : (
        <a rel="next" href={to(next)}>
          {older ?? say.answers.older}
        </a>
      )}
    </nav>
  );
}

/** A query string of the values that are given. */
export function queryText(query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => !!pair[1]);
  return new URLSearchParams(given).toString();
}
