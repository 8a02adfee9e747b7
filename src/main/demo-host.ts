import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import Koa from 'koa';
import { z } from 'zod';
import { messageOf } from '../platform/errors.js';
import { readJsonBody } from '../platform/http/read-json-body.js';
import { readTemplate } from '../platform/package-root.js';
import { validate } from '../platform/validate.js';
import type { ApiClient } from './demo-api-client.js';

const assets: Record<string, { file: string; type: string }> = {
  '/': { file: 'page.html', type: 'text/html; charset=utf-8' },
  '/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
  '/page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
};

/**
 * A host application in small: its own page on its own address, and a backend that asks the API with a token
 * which never reaches the browser.
 */
export async function serveHostPage(
  client: ApiClient,
): Promise<{ url: string; stop(): Promise<void> }> {
  const host = new Koa();
  const question = z.strictObject({ question: z.string().min(1).max(8000) });
  host.use(async (ctx) => {
    ctx.set(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
    );
    const asset = assets[ctx.path];
    if (ctx.method === 'GET' && asset !== undefined) {
      ctx.type = asset.type;
      ctx.body = readTemplate(`examples/demo-host/${asset.file}`);
    } else if (ctx.method === 'POST' && ctx.path === '/ask') {
      try {
        const body = validate(question, await readJsonBody(ctx));
        ctx.body = await client.ask(body.question, 'http://localhost/');
      } catch (error) {
        ctx.status = 502;
        ctx.body = { error: messageOf(error) };
      }
    }
  });
  const handle = host.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
