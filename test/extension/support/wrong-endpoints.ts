import type { ServerResponse } from 'node:http';
import type { TokenProblem } from '../../../src/extension/browser/messages.js';
import type { EndpointBehaviour, HostWithPeople } from './host-with-people.js';

export interface WrongEndpoint {
  what: string;
  problem: TokenProblem;
  /** The endpoint that the page declares, if it is a wrong one. */
  endpoint?: string;
  behave?: EndpointBehaviour;
  /** The number of requests to the host, on any path. */
  asked: number;
}

const json = { 'content-type': 'application/json' };

/** The ways in which a token endpoint can misbehave, by mistake or on purpose. */
export function wrongEndpoints(host: HostWithPeople): WrongEndpoint[] {
  const elsewhere = host.url('/assistant-token', 'elsewhere.example');
  const answers =
    (status: number, headers: Record<string, string>, body: string): EndpointBehaviour =>
    (_request, response) =>
      void response.writeHead(status, headers).end(body);
  const redirect =
    (location: string): EndpointBehaviour =>
    async (request, response, token) => {
      if (request.url === '/assistant-token') response.writeHead(302, { location }).end();
      else response.writeHead(200, json).end(JSON.stringify({ token: await token() }));
    };
  return [
    {
      what: 'an address of another origin',
      problem: 'cross_origin',
      endpoint: elsewhere,
      asked: 0,
    },
    {
      ...{ what: 'another origin without a scheme', problem: 'cross_origin', asked: 0 },
      endpoint: elsewhere.replace('http:', ''),
    },
    {
      what: 'a script for an address',
      problem: 'bad_endpoint',
      endpoint: 'javascript:1',
      asked: 0,
    },
    { what: 'a redirect elsewhere', problem: 'redirect', behave: redirect(elsewhere), asked: 1 },
    {
      ...{ what: 'a redirect on the same site', problem: 'redirect', asked: 1 },
      behave: redirect('/assistant-token/there'),
    },
    {
      ...{ what: 'a page', problem: 'not_json', asked: 1 },
      behave: answers(200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>'),
    },
    { what: '401', problem: 'signed_out', behave: answers(401, json, '{}'), asked: 1 },
    { what: '500', problem: 'bad_status', behave: answers(500, json, '{}'), asked: 1 },
    { what: '10 MB', problem: 'too_large', behave: tenMegabytes, asked: 1 },
    { what: 'no JSON', problem: 'bad_json', behave: answers(200, json, '{"token":'), asked: 1 },
    { what: 'no token', problem: 'no_token', behave: answers(200, json, '{"token":7}'), asked: 1 },
    {
      ...{ what: 'a token of another shape', problem: 'no_token', asked: 1 },
      behave: answers(200, json, '{"token":"not-a-jwt"}'),
    },
    {
      ...{ what: 'a connection that is cut', problem: 'unreachable', asked: 1 },
      behave(request, response) {
        response.writeHead(200, json).write('{"token":', () => request.socket.destroy());
      },
    },
    { what: 'nothing at all', problem: 'timeout', behave: () => undefined, asked: 1 },
  ];
}

/** Without a Content-Length, so that its size is known only after reading it. */
function tenMegabytes(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, json);
  let left = 160;
  const write = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(Buffer.alloc(64 * 1024, 32))) {
        response.once('drain', write);
        return;
      }
    }
    response.end('{"token":"a.b.c"}');
  };
  write();
}
