import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandInRegistry {
  /** Settings that make npm ask only this registry. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** An npm registry on a port of its own. It has one package in one version, or never answers. */
export async function startRegistry(
  name: string,
  version: string,
  options: { isSilent?: boolean; node?: string } = {},
): Promise<StandInRegistry> {
  const server = createServer((request, response) => {
    if (options.isSilent === true) return;
    if (decodeURIComponent(request.url ?? '').slice(1) !== name) {
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end('{"error":"not found"}');
      return;
    }
    const engines = options.node === undefined ? {} : { engines: { node: options.node } };
    const document = {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { name, version, ...engines, dist: {} } },
    };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: '' },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
