import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { machineOf, machineViewer } from '#kernel/server/auth/viewer.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { ApiClient, CommandContext } from '#kernel/server/context.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import { createOrder as createCall, openOrderState } from '../../contract/calls/openOrders.ts';
import { own } from '../database.ts';
import { orderRecords, type OrderRecord } from './access.ts';
import { createOrder } from './create.ts';

const answerOf = (
  row: Pick<OrderRecord, 'id' | 'orderNo' | 'state' | 'payableFen' | 'cardFen' | 'couponFen' | 'selfPayFen' | 'payDeadline'>,
) => ({
  orderId: row.id,
  orderNo: row.orderNo,
  state: row.state,
  payableFen: Number(row.payableFen),
  cardFen: Number(row.cardFen) + Number(row.couponFen),
  selfPayFen: Number(row.selfPayFen),
  payDeadline: row.payDeadline,
});

type Wish = CheckedInputOf<typeof createCall>;

const ORIGINS = { MINI_APP: 'APP', CHAIN: 'STORE_POS' } as const;
const originOf = (party: string) => (party === 'MINI_APP' || party === 'CHAIN' ? ORIGINS[party] : 'PARTNER');

/** Who places orders: all machines of one house together. */
const houseOf = ({ party, partyId, apiClientId }: ApiClient): string => `${party}:${partyId ?? apiClientId}`;

/** Orders of the app belong to no insurer: a machine limited to some, or to channels, places none; one of a region within it alone. */
async function requireWithin(ctx: CommandContext, { drugstoreId, receiver }: Pick<Wish, 'drugstoreId' | 'receiver'>): Promise<void> {
  const { scope } = machineOf(ctx);
  const [store] = scope.region === null || drugstoreId === null ? [] : await getDrugstores(ctx.tx, [drugstoreId]);
  const adcode = receiver?.adcode ?? store?.adcode ?? null;
  if (scope.insurer !== null || scope.channel !== null || (scope.region !== null && (adcode === null || !seesRegion(scope, adcode))))
    throw refuseField('receiver', '收货或门店地区不在接入方的范围内');
}

/** A chain's counter sells at its own open stores alone. @throws Refusal SCM90020 */
async function requireOwnStore(ctx: CommandContext, drugstoreId: string | null): Promise<void> {
  const client = machineOf(ctx);
  if (client.party !== 'CHAIN') return;
  const [store] = drugstoreId === null ? [] : await getDrugstores(ctx.tx, [drugstoreId]);
  if (store?.chainId !== client.partyId || !seesRegion(client.scope, store?.adcode ?? null))
    throw refuseField('drugstoreId', '药店不属于该连锁，请核对药店');
}

/** The app, counters and partners place orders and ask what became of them. */
export const openHandlers = (kernel: Kernel): readonly Handler[] => [
  command(createCall, async ({ rxFileIds, rxNo, diagnosis, rxPassedBy, ...wish }, ctx) => {
    const client = machineOf(ctx);
    await requireOwnStore(ctx, wish.drugstoreId);
    await requireWithin(ctx, wish);
    const by = { ...asSystem(ctx, ctx), actorName: client.name };
    const order = await createOrder(kernel, by, {
      ...wish,
      bizLine: 'OWN',
      origin: originOf(client.party),
      placedBy: houseOf(client),
      rx: { fileIds: rxFileIds, no: rxNo, diagnosis, uploaderId: machineViewer(ctx).userId, passedBy: rxPassedBy },
    });
    return answerOf(order);
  }),
  query(openOrderState, async ({ orderNo }, ctx) => {
    const row = await own(ctx.db).selectFrom('orderOrder').selectAll().where('orderNo', '=', orderNo.toUpperCase()).executeTakeFirst();
    if (!row || row.placedBy !== houseOf(machineOf(ctx))) throw orderRecords.missing();
    return answerOf(row);
  }),
];
