import { createHash } from 'node:crypto';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { ensureSystemAccount } from '../im/accounts/accounts.ts';
import { imEngine } from '../im/engine.ts';
import { createGroup } from '../im/conversations/groups.ts';
import { standAlone } from '../im/hooks.ts';
import { makeAccounts, withConsultation } from './imWorld.ts';
import { startVendorServer, type VendorServer } from './vendorServer.ts';

export const APP = 1_400_000_123;
export const TOKEN = 'callback-token';
export const GROUP = 'YH20000001';

export interface TencentServerWorld {
  app: TestApp;
  kernel: Kernel;
  vendor: VendorServer;
  convId: string;
  /** What the vendor tells or asks, signed unless said otherwise. */
  callback(body: Record<string, unknown>, query?: Record<string, string>): Promise<{ status: number; body: Record<string, unknown> }>;
  rows(convId?: string): Promise<
    {
      seq: string;
      senderId: string;
      type: string;
      payload: unknown;
      vendorId: string | null;
      clientMsgId: string;
      revokedAt: string | null;
      auto: boolean;
      countsUnread: boolean;
    }[]
  >;
  close(): Promise<void>;
}

export const signOf = (seconds: number, token = TOKEN): string => createHash('sha256').update(`${token}${seconds}`).digest('hex');

/** The product in the vendor's mode, with a group of P1, D1 and A1 that he knows already. */
export async function startTencentWorld(): Promise<TencentServerWorld> {
  const vendor = await startVendorServer();
  const app = await startTestApp({ modules: withConsultation, config: { tencentIm: { ...tencentIm, url: vendor.url } } });
  const { kernel } = app;
  imEngine(kernel).hooks = standAlone;
  const convId = await kernel.transactions.run('test', async (writing) => {
    const now = kernel.clock.now();
    await ensureSystemAccount(writing.tx, now);
    await makeAccounts(kernel, writing, ['P1', 'D1', 'A1', 'A2', 'P2'], now);
    return createGroup(kernel, writing, { groupId: GROUP, name: `张三-李四医生`, imUserIds: ['P1', 'D1', 'A1'], createdBy: null }, now);
  });
  return {
    app,
    kernel,
    vendor,
    convId,
    async callback(body, query) {
      const seconds = Math.floor(Date.parse(kernel.clock.now()) / 1000);
      const params = new URLSearchParams({
        SdkAppid: String(APP),
        CallbackCommand: String(body['CallbackCommand']),
        contenttype: 'json',
        ClientIP: '127.0.0.1',
        OptPlatform: 'Web',
        RequestTime: String(seconds),
        Sign: signOf(seconds),
        ...query,
      });
      const { status, body: bytes } = await app.inject({
        method: 'POST',
        url: `${kernel.config.prefixes.gateway}/ImCallbackService/notify?${params}`,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      return { status, body: JSON.parse(bytes.toString()) as Record<string, unknown> };
    },
    rows: (id = convId) =>
      own(app.db)
        .selectFrom('consultationImMessage')
        .select(['seq', 'senderId', 'type', 'payload', 'vendorId', 'clientMsgId', 'revokedAt', 'auto', 'countsUnread'])
        .where('convId', '=', id)
        .orderBy('seq')
        .execute(),
    async close() {
      await app.close();
      await vendor.close();
    },
  };
}

const tencentIm = {
  sdkAppId: APP,
  secretKey: '5bd2850fff3ecb11d7c805251c51ee463a25727bddc2385f3fa8bfee1bb93b5e',
  admin: 'administrator',
  callbackToken: TOKEN,
  url: '',
};
export const SECRET = tencentIm.secretKey;
