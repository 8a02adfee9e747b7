import { Agent, request } from 'node:http';

export interface WireRequest {
  method: string;
  /** As it goes over the wire: encoded, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends requests as they stand, valid or not. A stream of events is left as soon as it has told something, or read whole. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 2 });

  constructor(
    private readonly url: string,
    private readonly reads: 'first event' | 'whole stream' = 'first event',
  ) {}

  send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const { hostname, port } = new URL(this.url);
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, headers: { ...length, ...headers } };
      const sent = request({ ...options, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        const answer = () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        };
        const isLeft =
          this.reads === 'first event' &&
          response.headers['content-type']?.startsWith('text/event-stream') === true;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (!isLeft || !/^event: [^]*\n\n/m.test(Buffer.concat(chunks).toString())) return;
          answer();
          response.destroy();
        });
        response.on('end', answer);
        response.on('error', reject);
      });
      // A body that is refused while it is sent may end the connection: the answer has come by then.
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** A request as somebody would type it, for the report of a failure. */
export function describeRequest({ method, path, headers, body }: WireRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 80)}`);
  const text = body === undefined ? '' : shorten(body);
  return [`${method} ${path}`, ...lines, '', text].join('\n  ').trimEnd();
}

function shorten(body: Buffer): string {
  const text =
    body.toString('latin1') === body.toString() ? body.toString() : body.toString('utf8');
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${body.length} bytes)` : text;
}
