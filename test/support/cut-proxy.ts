import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between the product and a server, as a network that fails does. */
export interface CutProxy {
  port: number;
  /** Ends all connections, by a reset or as if both sides had closed them. */
  cut(isReset?: boolean): void;
  /** Passes new connections on to another port, as an address that moves to another machine. */
  lead(port: number): void;
  /** Passes nothing more on, on the present connections or also on new ones, as a machine that has vanished. */
  swallow(of: 'present' | 'all'): void;
  stop(): Promise<void>;
}

/** Passes the connections to a free port on to `port` of this machine. */
export async function startCutProxy(port: number): Promise<CutProxy> {
  let target = port;
  const open = new Set<Socket>();
  let swallowsNew = false;
  const swallowAll = (client: Socket) => {
    open.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => open.delete(client));
    client.resume();
  };
  const server = createServer((client) => {
    if (swallowsNew) {
      swallowAll(client);
      return;
    }
    const behind = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (isReset = true) =>
    open.forEach((socket) => (isReset ? socket.resetAndDestroy() : socket.destroy()));
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    lead: (port) => (target = port),
    swallow(of) {
      swallowsNew = of === 'all';
      for (const socket of open) {
        socket.unpipe();
        socket.resume();
      }
    },
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
