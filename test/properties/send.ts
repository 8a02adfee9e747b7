import { Agent, request } from 'node:http';

export interface WireRequest {
  method: string;
  /** The encoded path with its query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends requests unchanged, valid or not. It leaves an event stream after its first event, or reads it to its end. */
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
      // A refusal during the body may end the connection, but the answer has arrived by then.
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** A request as readable text, for the report of a failure. */
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
