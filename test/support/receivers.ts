import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedPost {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedPost[];
  /** Resolves when the first delivery arrives. */
  first: Promise<unknown>;
  close(): Promise<void>;
}

/** A receiver of webhooks that answers with these statuses, one after another, then with 204. */
export async function startWebhookReceiver(statuses: number[] = []): Promise<WebhookReceiver> {
  const received: ReceivedPost[] = [];
  const arrivals = new EventEmitter();
  const first = once(arrivals, 'post');
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      arrivals.emit('post');
      const status = statuses.shift() ?? 204;
      response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
    });
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    first,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface MailServer {
  /** Settings for sending to this server. */
  mail: { host: string; port: number; security: 'none'; from: string };
  mails: string[];
  close(): Promise<void>;
}

interface MailServerRefusals {
  /** Refuses a recipient or a mail with this error. */
  recipient?: () => Error | undefined;
  mail?: () => Error | undefined;
  /** The answer to a sign-in. Without it, the server offers no sign-in. */
  signIn?: () => Error | undefined;
}

/** A mail server that keeps the mails that it accepts. */
export async function startMailServer(refuse: MailServerRefusals = {}): Promise<MailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: refuse.signIn === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: refuse.signIn === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => {
      const refusal = refuse.signIn?.();
      if (refusal === undefined) done(null, { user: username });
      else done(refusal);
    },
    onRcptTo: (_address, _session, done) => done(refuse.recipient?.()),
    onData(stream, _session, done) {
      void text(stream).then((mail) => {
        const refusal = refuse.mail?.();
        if (refusal === undefined) mails.push(mail);
        done(refusal);
      });
    },
  });
  // A failed sign-in is also reported as an error of the server.
  server.on('error', () => undefined);
  const port = await listening(server.server, () => server.listen(0, '127.0.0.1'));
  return {
    mail: { host: '127.0.0.1', port, security: 'none', from: 'A <a@acme.example>' },
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function listening(
  server: Server,
  listen: () => unknown = () => server.listen(0, '127.0.0.1'),
): Promise<number> {
  listen();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
