import { EMBEDDED_APP_ID } from '#domains/consultation/server/im/engine.ts';
import { startImWorld, type ImWorld } from '#domains/consultation/server/testing/imWorld.ts';
import { noGroupCalls, type EmbeddedOptions } from '#domains/consultation/web/im/clientParts.ts';
import { EmbeddedImClient } from '#domains/consultation/web/im/embeddedImClient.ts';
import { memoryKeeper } from '#domains/consultation/web/im/kept/keeper.ts';
import type { SuiteWorld } from './imClientSuite.ts';

/** A client of a browser of its own. */
export const makeClient = (address: string, more: Partial<EmbeddedOptions> = {}): EmbeddedImClient =>
  new EmbeddedImClient({
    address,
    sdkAppID: EMBEDDED_APP_ID,
    device: 'bot',
    clientId: crypto.randomUUID(),
    keeper: memoryKeeperOf(),
    tabs: null,
    groups: noGroupCalls,
    upload: (_kind, _file, onProgress) => {
      onProgress(1);
      return Promise.resolve({ fileId: '4711' });
    },
    ...more,
  });

/** What one browser keeps, by account, also after the client is gone. */
export function memoryKeeperOf(): EmbeddedOptions['keeper'] {
  const kept = new Map<string, ReturnType<typeof memoryKeeper>>();
  return (userID) => {
    const known = kept.get(userID) ?? memoryKeeper();
    kept.set(userID, known);
    return known;
  };
}

export interface EmbeddedWorld extends SuiteWorld {
  world: ImWorld;
  clients: EmbeddedImClient[];
  enter(userID: string, more?: Partial<EmbeddedOptions>): Promise<EmbeddedImClient>;
}

/** The suite's world over the embedded service: one group, no limit of connections that a test could meet. */
export async function embeddedWorld(): Promise<EmbeddedWorld> {
  const world = await startImWorld();
  const clients: EmbeddedImClient[] = [];
  await world.group('YH10000001', 'P1', 'D1', 'A1');
  await world.accounts('P2');
  return {
    world,
    clients,
    groupID: 'YH10000001',
    async enter(userID, more) {
      const client = makeClient(world.address, more);
      clients.push(client);
      await client.login({ userID, userSig: await world.sign(userID) });
      return client;
    },
    advance: (ms) => world.app.clock.advance(ms),
    async close() {
      for (const client of clients) await client.destroy();
      await world.close();
    },
  };
}
