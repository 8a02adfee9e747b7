import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callApi } from '../../support/api-client.js';

/** The behaviour of a host's token endpoint. */
export type EndpointBehaviour = (
  request: IncomingMessage,
  response: ServerResponse,
  token: () => Promise<string>,
) => Promise<void> | void;

/** A host application with a session of its own, whose pages declare how an account is linked. */
export interface HostWithPeople {
  port: number;
  url(path: string, host: string): string;
  /** The token endpoint that a signed-in page declares. */
  endpoint: string;
  behave: EndpointBehaviour;
  /** More for the head and the body of each page. */
  head: string;
  body: string;
  headers: Record<string, string>;
  /** The session that it names when it requests a token. */
  session: string | undefined;
  /** Whether pages declare anything at all. */
  declares: boolean;
  /** The requests to the token endpoint, with their host names and headers. */
  asked: { host: string; headers: IncomingMessage['headers'] }[];
  /** Back to a host that does everything right. */
  reset(): void;
  close(): Promise<void>;
}

export interface HostParts {
  /** Address of the service, as the host's backend knows it. */
  service: string;
  key: string;
  secret: string;
}

export async function openHostWithPeople({
  service,
  key,
  secret,
}: HostParts): Promise<HostWithPeople> {
  const personOf = (request: IncomingMessage) =>
    /(?:^|; )person=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  const mint = async (person: string) => {
    const reply = await callApi<{ token: string }>(`${service}/widget/token`, {
      key,
      headers: { 'X-Widget-Secret': secret },
      body: {
        externalId: person,
        displayName: `Host’s ${person}`,
        email: `${person}@host.example`,
        session: host.session,
      },
    });
    return reply.body.token;
  };
  const right: EndpointBehaviour = async (request, response, token) => {
    if (personOf(request) === undefined) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ token: await token() }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const person = personOf(request);
    if (pathname.startsWith('/assistant-token')) {
      host.asked.push({ host: request.headers.host ?? '', headers: request.headers });
      await host.behave(request, response, () => mint(person ?? 'nobody'));
      return;
    }
    const headers = { 'content-type': 'text/html; charset=utf-8', ...host.headers };
    if (pathname === '/sign-in') {
      const as = searchParams.get('as') ?? '';
      response.writeHead(200, {
        ...headers,
        'set-cookie': `person=${as}; HttpOnly; SameSite=Strict; Path=/`,
      });
      response.end('Signed in.');
      return;
    }
    const metas =
      person !== undefined && host.declares
        ? `<meta name="assistant:widget-key" content="${key}">` +
          `<meta name="assistant:token-endpoint" content="${host.endpoint}">` +
          `<meta name="assistant:external-id" content="somebody-else">`
        : '';
    response.writeHead(pathname === '/favicon.ico' ? 204 : 200, headers);
    response.end(
      `<!doctype html><html lang="en"><head><title>Herons at home</title>${metas}${host.head}</head>` +
        `<body><h1>Herons</h1><p>Welcome, ${person ?? 'stranger'}.</p>${host.body}</body></html>`,
    );
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host: HostWithPeople = {
    ...{ port, endpoint: '', behave: right, head: '', body: '', headers: {} },
    session: undefined,
    ...{ declares: true, asked: [] },
    url: (path, name) => `http://${name}:${port}${path}`,
    reset() {
      Object.assign(host, { endpoint: '/assistant-token', behave: right, head: '', body: '' });
      Object.assign(host, { headers: {}, session: undefined, declares: true, asked: [] });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  host.reset();
  return host;
}
