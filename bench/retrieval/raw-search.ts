import type { App } from '../../src/platform/app.js';

/** The passages once more, as SQLite indexes them by itself: what searches are held against. */
export async function buildRawIndex(app: Pick<App, 'db'>): Promise<void> {
  const { write } = app.db;
  await write.raw('drop table if exists bench_raw');
  await write.raw("create virtual table bench_raw using fts5(title, body, content='')");
  await write.raw('insert into bench_raw(rowid, title, body) select id, title, body from passages');
  await write.raw("insert into bench_raw(bench_raw) values ('optimize')");
}

/** The passages that hold any word of a text, by SQLite's own score, best first. */
export async function searchRaw(
  app: Pick<App, 'db'>,
  text: string,
  limit: number,
): Promise<number[]> {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const query = [...words].map((word) => `"${word}"`).join(' OR ');
  if (query === '') return [];
  const rows: { id: number }[] = await app.db.read.raw(
    'select rowid as id from bench_raw where bench_raw match ? order by rank limit ?',
    [query, limit],
  );
  return rows.map(({ id }) => id);
}
