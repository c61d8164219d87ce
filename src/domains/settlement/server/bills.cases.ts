import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  auditSettlementBill,
  exportSettleRunList,
  exportSettlementBillList,
  holdSettlementBill,
  previewSettleRun,
  printSettlementBill,
  querySettleRunList,
  querySettleRunSkips,
  querySettlementBillDetail,
  querySettlementBillList,
  recalcSettlementBill,
  startSettleRun,
  submitSettlementBill,
  unholdSettlementBill,
  voidSettlementBill,
} from '../contract/calls/bills.ts';
import { own } from './database.ts';
import { matureIncomes } from './income/mature.ts';
import { acting, earner, keeper, key, NONE } from './testing/fixtures.ts';

const opinion = '按协议处理';
/** Months that are over, each run once. */
let months = 0;
function freshMonth(): string {
  months += 1;
  return `${1950 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** A doctor whose income of 350.00 is payable since long. */
async function payable(app: TestApp): Promise<{ doctorId: string; payerId: string }> {
  const { doctorId, payerId } = await earner(app, { payFen: 50_000, listFen: 50_000 });
  await own(app.db)
    .updateTable('settlementIncome')
    .set({ availableAt: '1949-01-01T00:00:00.000Z' })
    .where('status', '=', 'PENDING')
    .execute();
  await acting(app, async (ctx) => {
    const due = await own(ctx.tx).selectFrom('settlementIncome').select('id').where('status', '=', 'PENDING').execute();
    await matureIncomes(
      ctx,
      ledgerOf(app.kernel),
      due.map(({ id }) => id),
    );
  });
  return { doctorId, payerId };
}
async function aRun(app: TestApp) {
  const { doctorId, payerId } = await payable(app);
  const run = await app.ok(startSettleRun, { period: freshMonth(), payerEntityId: payerId }, key(await keeper(app)));
  await app.runDue();
  return { doctorId, runId: run.id };
}
export async function aBill(app: TestApp): Promise<{ id: string; version: number }> {
  const { doctorId } = await aRun(app);
  return own(app.db).selectFrom('settlementBill').select(['id', 'version']).where('doctorId', '=', doctorId).executeTakeFirstOrThrow();
}
async function submitted(app: TestApp) {
  const bill = await aBill(app);
  const { version } = await app.ok(submitSettlementBill, bill, { as: await keeper(app) });
  return { id: bill.id, version };
}
const missing = { id: NONE, version: 1 };
const scope = async (app: TestApp) => ({ period: freshMonth(), payerEntityId: (await payable(app)).payerId });
const noPayer = async () => ({ period: freshMonth(), payerEntityId: NONE });
const passed = { decision: 'approve' as const, opinion };

export const billCases: readonly CallCase[] = [
  callCase(previewSettleRun, scope, { foreign: noPayer }),
  callCase(startSettleRun, scope, { foreign: noPayer }),
  callCase(querySettleRunList, async (app) => {
    await aRun(app);
    return {};
  }),
  callCase(exportSettleRunList, async (app) => {
    await aRun(app);
    return {};
  }),
  callCase(querySettleRunSkips, async (app) => ({ id: (await aRun(app)).runId }), { foreign: async () => ({ id: NONE }) }),
  callCase(querySettlementBillList, async (app) => {
    await aBill(app);
    return {};
  }),
  callCase(exportSettlementBillList, async (app) => {
    await aBill(app);
    return {};
  }),
  callCase(querySettlementBillDetail, async (app) => ({ id: (await aBill(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(printSettlementBill, async (app) => ({ id: (await aBill(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(submitSettlementBill, aBill, { foreign: async () => missing }),
  callCase(auditSettlementBill, async (app) => ({ ...(await submitted(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(recalcSettlementBill, aBill, { foreign: async () => missing }),
  callCase(holdSettlementBill, async (app) => ({ ...(await aBill(app)), opinion }), { foreign: async () => ({ ...missing, opinion }) }),
  callCase(
    unholdSettlementBill,
    async (app) => {
      const bill = await aBill(app);
      const { version } = await app.ok(holdSettlementBill, { ...bill, opinion }, { as: await keeper(app) });
      return { id: bill.id, version, opinion };
    },
    { foreign: async () => ({ ...missing, opinion }) },
  ),
  callCase(voidSettlementBill, async (app) => ({ ...(await aBill(app)), opinion }), { foreign: async () => ({ ...missing, opinion }) }),
];
