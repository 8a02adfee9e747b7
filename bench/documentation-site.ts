import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createRandom } from './random.js';

// A program of its own, started by server-process.ts: a documentation site of 2,000 pages. Its argument says how a
// client finds out what has changed: `map` (dates in the site map), `etag`, or `none`.
const kind = process.argv[2] ?? 'none';
const chapters = 40;
const perChapter = 50;
const changed = '2026-01-05';

const random = createRandom(23);
const words =
  'valve pump filter pressure sensor cable printer network account invoice order setting update backup password window'.split(
    ' ',
  );
const sentence = () =>
  `The ${Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ')}.`;
const path = (index: number) =>
  `/docs/chapter-${Math.floor(index / perChapter)}/page-${index % perChapter}.html`;

/** About 20 kB, as generators of documentation make them: a menu on each page, which links to a hundred others. */
const pages = new Map<string, string>();
for (let index = 0; index < chapters * perChapter; index++) {
  const menu = Array.from({ length: 100 }, (_, at) => {
    const to = at < perChapter ? index - (index % perChapter) + at : (at - perChapter) * perChapter;
    return `<li class="menu-item"><a class="menu-link" href="${path(to % (chapters * perChapter))}">Page ${to}</a></li>`;
  });
  const sections = Array.from(
    { length: 8 },
    (_, at) =>
      `<h2 id="section-${at}">Section ${at}</h2>${Array.from({ length: 3 }, () => `<p>${sentence()} ${sentence()} ${sentence()}</p>`).join('')}`,
  );
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${index}</title><script src="/site.js"></script></head><body><nav><ul>${menu.join('\n')}</ul></nav><main><h1>Page ${index}</h1>${sections.join('\n')}</main></body></html>`;
  pages.set(path(index), html);
}
const etags = new Map(
  [...pages].map(([at, html]) => [at, `"${createHash('sha256').update(html).digest('hex')}"`]),
);

const koa = new Koa();
koa.use((ctx) => {
  if (kind === 'map' && ctx.path === '/sitemap.xml') {
    const urls = [...pages.keys()].map(
      (at) => `<url><loc>http://${ctx.host}${at}</loc><lastmod>${changed}</lastmod></url>`,
    );
    ctx.type = 'application/xml';
    ctx.body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
    return;
  }
  const html = pages.get(ctx.path === '/docs/' ? path(0) : ctx.path);
  if (html === undefined) return;
  const etag = etags.get(ctx.path);
  if (kind === 'etag' && etag !== undefined) ctx.set('ETag', etag);
  if (kind === 'etag' && ctx.get('If-None-Match') === etag) ctx.status = 304;
  else {
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = html;
  }
});
const handle = koa.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
