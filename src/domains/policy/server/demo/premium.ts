import { sql } from 'kysely';
import { dayOf, plusDays, type Day } from '#kernel/contract/time.ts';
import { mask } from '#kernel/contract/masking.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { premiumMachine, type PremiumState } from '../../contract/premiumStates.ts';
import type { PremiumRecord } from '../access.ts';
import { own } from '../database.ts';
import { reverseOrder } from '../premium/withdraw.ts';
import type { Fates } from './endorse.ts';
import { SERIES, type OrderFate } from './specs.ts';
import type { Stage, StaffName } from './stage.ts';

const later = (one: Day, other: Day) => (one > other ? one : other);
/** Orders that are past their day, and receipts that pay several orders each. */
const OVERDUE = 9;
const SHARED = 3;
/** Instalments that one of those pays. */
const AT_ONCE = 4;
/** An instalment that is past its grace lets its policy rest; these are not. */
const WITHIN_GRACE = 25;

type Fate = Fates extends Map<string, infer T> ? T : never;

/** Orders without a fate of their own: old orders are paid, new ones are on their way. */
function fateOf(order: PremiumRecord, today: Day): Fate {
  if (dayOf(order.createdAt) >= plusDays(today, -2)) return { fate: 'PENDING_AUDIT' };
  return { fate: order.dueOn > today ? 'APPROVED' : 'SETTLED' };
}

/** The fate of every order; some of those that are past their day are open, until there are as many as should be. */
function fatesOf(orders: readonly PremiumRecord[], chosen: Fates, today: Day): Map<string, Fate> {
  const fates = new Map(orders.map((order) => [order.id, chosen.get(order.id) ?? fateOf(order, today)]));
  const past = orders.filter(({ direction, dueOn }) => direction === 'COLLECT' && dueOn < today);
  const open = past.filter(({ id }) => ['APPROVED', 'PART_SETTLED'].includes(fates.get(id)!.fate));
  const rest = past
    .filter(({ id, kind, dueOn }) => !chosen.has(id) && (kind === 'NEW' || kind === 'ADJUST' || dueOn >= plusDays(today, -WITHIN_GRACE)))
    .toSorted((one, other) => (one.dueOn > other.dueOn ? -1 : 1));
  for (const [n, { id }] of rest.slice(0, Math.max(0, OVERDUE - open.length)).entries())
    fates.set(id, { fate: n % 3 === 2 ? 'PART_SETTLED' : 'APPROVED' });
  return fates;
}

/** Instalments that three payers paid at once, within their grace. @returns those that were paid together, by each of them */
function sharedOf(orders: readonly PremiumRecord[], fates: ReadonlyMap<string, Fate>): Map<string, readonly PremiumRecord[]> {
  const plain = ({ id, kind }: PremiumRecord) =>
    kind === 'INSTALMENT' && fates.get(id)?.fate === 'SETTLED' && fates.get(id)?.paidOn === undefined;
  const byPolicy = Map.groupBy(orders.filter(plain), ({ policyId }) => policyId);
  const groups = [...byPolicy.values()]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, SHARED)
    .map((all) => all.slice(0, AT_ONCE))
    .filter(({ length }) => length > 1);
  return new Map(groups.flatMap((group) => group.map(({ id }) => [id, group])));
}

type Action = keyof typeof premiumMachine.transitions;

interface Money {
  receipts: Record<string, unknown>[];
  allocations: Record<string, unknown>[];
}

/** The history of one order up to where it stands. */
export async function decide(stage: Stage, order: PremiumRecord, fate: OrderFate): Promise<{ settleOn: Day | null }> {
  const { tx } = stage;
  const made = dayOf(order.createdAt);
  const maker = stage.staff('product_a');
  const checker = stage.staff('product_r');
  let state: PremiumState = order.state;
  const move = async (action: Action, by: StaffName, day: Day, time: string, opinion?: string) => {
    const acting = stage.at(day, time, by);
    state = await moveState(acting, premiumMachine, {
      targetType: 'policy.premiumOrder',
      targetId: order.id,
      targetNo: order.premiumOrderNo,
      action,
      from: state,
      opinion,
    });
    return acting;
  };
  const write = (values: Partial<Record<'firstCheckerId' | 'firstCheckerName' | 'opinion', string>> & { rejectReasons?: string[] }) =>
    own(tx)
      .updateTable('policyPremiumOrder')
      .set((eb) => ({ ...values, state, version: eb('version', '+', 1) }))
      .where('id', '=', order.id)
      .execute();
  const checked = { firstCheckerId: checker.userId, firstCheckerName: checker.displayName };
  const next = plusDays(made, 1);
  switch (fate) {
    case 'PENDING_AUDIT':
      return { settleOn: null };
    case 'DRAFT':
    case 'VOIDED':
      await move('recall', 'product_a', made, '16:10');
      if (fate === 'VOIDED') await move('void', 'product_a', next, '09:20', '投保人改由线下缴费');
      await write({ opinion: fate === 'VOIDED' ? `${maker.displayName}：投保人改由线下缴费` : '' });
      return { settleOn: null };
    case 'REJECTED':
      await move('reject', 'product_r', next, '10:40', '人数与保司清单不一致');
      await write({ ...checked, rejectReasons: ['P02'], opinion: '人数与保司清单不一致' });
      return { settleOn: null };
    case 'PENDING_SECOND':
      await move('passOn', 'product_r', next, '10:50', '追溯天数超过限额，转财务复核');
      await write({ ...checked, opinion: '追溯天数超过限额，转财务复核' });
      return { settleOn: null };
    default: {
      await move('approve', 'product_r', next, '11:00', '与保司账单一致');
      await write({ ...checked, opinion: '与保司账单一致' });
      if (fate === 'REVERSED') {
        const reversing = await move('reverse', 'fin_r', plusDays(made, 3), '14:20', '保司通知账单有误，冲正重开');
        await reverseOrder(reversing, order.id, '保司通知账单有误，冲正重开');
        return { settleOn: null };
      }
      if (fate === 'APPROVED') return { settleOn: null };
      return { settleOn: later(plusDays(made, 3), plusDays(order.dueOn, -2)) };
    }
  }
}

/** Orders by their fates, and the bank's money for those that are paid. */
export async function writeMoney(stage: Stage, fates: Fates): Promise<void> {
  const { tx, secrets, today } = stage;
  const ofOthers = sql<boolean>`not exists (select from policy_policy p where p.id = policy_id and starts_with(p.policy_no, ${SERIES}))`;
  const orders = await own(tx)
    .selectFrom('policyPremiumOrder')
    .selectAll()
    .where('state', '=', 'PENDING_AUDIT')
    .where(ofOthers)
    .orderBy('id')
    .execute();
  const money: Money = { receipts: [], allocations: [] };
  const account = '6222021202000118866';
  const bank = {
    bankAccountCipher: secrets.encrypt(account),
    bankAccountMasked: mask('bankCard', account),
    bankAccountHash: secrets.blindIndex('policy.bankAccount', account),
  };
  const finance = stage.staff('fin_a');
  const fateByOrder = fatesOf(orders, fates, today);
  const shared = sharedOf(orders, fateByOrder);
  const paidBy = new Map<string, Record<string, unknown>>();
  const receiptIds = await reserve(tx, 'policy_premium_receipt', orders.length + 5);
  const allocationIds = await reserve(tx, 'policy_premium_allocation', orders.length);
  const receipt = (direction: string, amount: bigint, payer: string, paidOn: Day): Record<string, unknown> => {
    const n = money.receipts.length;
    const day = paidOn < today ? paidOn : today;
    const row = {
      id: receiptIds[n]!,
      direction,
      amountFen: String(amount),
      allocatedFen: '0',
      paidOn: day,
      payerName: payer,
      bankFlowNo: `B${day.replaceAll('-', '')}${String(700_001 + n * 13)}`,
      ...bank,
      source: n % 4 === 0 ? 'STAFF' : 'IMPORT',
      batchNo: null,
      fileIds: [],
      version: 1,
      createdAt: stage.at(day, '16:30', 'fin_a').now,
      createdBy: finance.userId,
    };
    money.receipts.push(row);
    return row;
  };
  for (const order of orders) {
    const { fate, paidOn } = fateByOrder.get(order.id)!;
    const { settleOn } = await decide(stage, order, fate);
    if (settleOn === null) continue;
    const amount = BigInt(order.amountFen);
    const share = fate === 'PART_SETTLED' ? (amount * 3n) / 5n : amount;
    const together = shared.get(order.id);
    const earlier = together && paidBy.get(together[0]!.id);
    const day = paidOn ?? (together ? plusDays(together.at(-1)!.dueOn, -2) : settleOn);
    const paid: Record<string, unknown> = earlier ?? receipt(order.direction, share, order.payerName, day);
    paidBy.set(order.id, paid);
    const paidShare = String(share);
    if (earlier) paid.amountFen = String(BigInt(String(paid.amountFen)) + share);
    paid.allocatedFen = String(BigInt(String(paid.allocatedFen)) + share);
    const acting = stage.at(String(paid.paidOn), '17:05', 'fin_a');
    await moveState(acting, premiumMachine, {
      targetType: 'policy.premiumOrder',
      targetId: order.id,
      targetNo: order.premiumOrderNo,
      action: 'allocate',
      from: 'APPROVED',
    });
    await own(tx)
      .updateTable('policyPremiumOrder')
      .set((eb) => ({
        state: share === amount ? 'SETTLED' : 'PART_SETTLED',
        settledFen: paidShare,
        statedFen: order.amountFen,
        updatedAt: acting.now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', order.id)
      .execute();
    money.allocations.push({
      id: allocationIds[money.allocations.length]!,
      businessKey: `${String(paid.id)}:${order.id}:${order.version}`,
      receiptId: paid.id,
      premiumOrderId: order.id,
      amountFen: paidShare,
      reversesAllocationId: null,
      madeBy: finance.userId,
      madeByName: finance.displayName,
      confirmedBy: null,
      at: acting.now,
    });
  }
  const waiting = await own(tx)
    .selectFrom('policyPremiumOrder')
    .select(['payerName', 'amountFen'])
    .where('state', '=', 'APPROVED')
    .where('direction', '=', 'COLLECT')
    .where(ofOthers)
    .orderBy('id', 'desc')
    .limit(4)
    .execute();
  for (const [n, { payerName, amountFen }] of waiting.entries())
    receipt('COLLECT', BigInt(amountFen), payerName, plusDays(today, -2 * n - 1));
  receipt('COLLECT', 1_280_000n, '不详（附言缺失）', plusDays(today, -9));
  await bulk(tx, 'policy_premium_receipt', money.receipts);
  await bulk(tx, 'policy_premium_allocation', money.allocations);
}
