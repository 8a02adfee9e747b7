import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';

export interface HostPage {
  body: string;
  headers?: Record<string, string>;
}

/** The site that has put the widget on its pages: another origin than the service. */
export interface HostSite {
  port: number;
  /** Address of a path, by the name of a host: `localhost`, or a registered one. */
  url(path: string, host?: string): string;
  /** The answer of a path. A function is called at each request. */
  put(path: string, page: HostPage | (() => HostPage | Promise<HostPage>)): void;
  close(): Promise<void>;
}

export async function openHostSite(): Promise<HostSite> {
  const pages = new Map<string, HostPage | (() => HostPage | Promise<HostPage>)>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const answer = async () => {
      const page = pages.get(pathname);
      const { body, headers } = await (typeof page === 'function' ? page() : (page ?? missing));
      const type = /\.m?js$/.test(pathname) ? 'text/javascript' : 'text/html; charset=utf-8';
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': type, ...headers });
      response.end(body);
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  });
  // Browsers request it by themselves, and a 404 would be an error in the console.
  pages.set('/favicon.ico', { body: '' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path, host = 'localhost') => `http://${host}:${port}${path}`,
    put: (path, page) => void pages.set(path, page),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const missing: HostPage = { body: 'There is no such page.' };

/** A page of test/browser/pages, with `{{name}}` filled in. */
export function readPage(name: string, values: Record<string, string> = {}): string {
  const text = readFileSync(join(packageRoot(), 'test', 'browser', 'pages', name), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name} asks for ${key}`);
    return value;
  });
}
