import { Readable } from 'node:stream';
import { openDocument } from '../../ingestion/review/review-batch.js';
import { batchEvents } from '../../ingestion/review/watch-batch.js';
import { eventStream } from '../../platform/http/event-stream.js';
import { goneSignal } from '../../platform/http/request-end.js';
import { page, type Sent } from '../page.js';
import { batchParams } from './batch-params.js';

/** The file: a PDF in the parts that a viewer asks for. Any other is only saved, since a page could run what it likes. */
const filePage = page({
  path: '/documents/:id/file',
  access: 'knowledge.write',
  params: batchParams,
  async show(app, { actor, params, ctx }) {
    const { batch, read } = await openDocument(app, actor, params.id);
    const isPdf = batch.kind === 'pdf';
    const etag = `"${batch.fileSha256}"`;
    const headers = {
      'Content-Type': isPdf ? 'application/pdf' : 'application/octet-stream',
      'Content-Disposition': `${isPdf ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(batch.fileName)}`,
      'Accept-Ranges': 'bytes',
      ETag: etag,
      // A cache asks each time, so that the file ends with the session.
      'Cache-Control': 'private, no-cache',
      // The usual policy would keep the browser's own viewer from showing it.
      'Content-Security-Policy': isPdf ? "frame-ancestors 'none'" : "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    };
    if (ctx.get('If-None-Match') === etag) return { status: 304, headers, body: null };
    const size = batch.fileSize;
    const ifRange = ctx.get('If-Range');
    const isSame = ifRange === '' || ifRange === etag;
    const range = isSame ? readRange(ctx.get('Range'), size) : undefined;
    if (range === 'unsatisfiable') {
      const refused = { ...headers, 'Content-Range': `bytes */${size}` };
      return { status: 416, headers: refused, body: '' };
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const partly: Partial<Sent> =
      range === undefined
        ? { headers }
        : {
            status: 206,
            headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${size}` },
          };
    return {
      ...partly,
      headers: { ...partly.headers, 'Content-Length': String(end - start + 1) },
      body: Readable.from(read({ start, end }), { highWaterMark: 1 }),
    };
  },
});

/** How far the reading is, as server-sent events. */
const eventsPage = page({
  path: '/documents/:id/events',
  access: 'knowledge.write',
  params: batchParams,
  async show(app, { actor, identify, params, ctx }) {
    const unread = goneSignal(ctx, app.stopping);
    const events = await batchEvents(app, actor, params.id, unread, identify);
    return eventStream(events, app.stopping);
  },
});

export const batchFilePages = [filePage, eventsPage];

/**
 * The one range of bytes that a `Range` header asks for, both ends inclusive. Undefined for no range, for several, and
 * for another unit: those get the whole file, as RFC 9110 allows.
 */
function readRange(
  header: string,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < start) return undefined;
  return start >= size || end < start ? 'unsatisfiable' : { start, end };
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
