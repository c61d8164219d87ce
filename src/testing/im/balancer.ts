import net from 'node:net';

export interface Balancer {
  address: string;
  /** Ports of living processes. */
  targets: Set<number>;
  /** Cuts this share of the connections, as a failing network does. @returns how many. */
  cut(share: number): number;
  close(): Promise<void>;
}

/** Spreads connections over the living processes, as a load balancer before them. */
export async function startBalancer(): Promise<Balancer> {
  const targets = new Set<number>();
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const ports = [...targets];
    const port = ports[Math.floor(Math.random() * ports.length)];
    if (port === undefined) return void client.destroy();
    const upstream = net.connect(port, '127.0.0.1');
    open.add(client);
    const end = () => {
      open.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const side of [client, upstream]) side.setNoDelay(true).on('error', end).on('close', end);
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    targets,
    cut(share) {
      const chosen = [...open].filter(() => Math.random() < share);
      for (const socket of chosen) socket.destroy();
      return chosen.length;
    },
    close: () =>
      new Promise((closed) => {
        for (const socket of open) socket.destroy();
        server.close(() => closed());
      }),
  };
}
