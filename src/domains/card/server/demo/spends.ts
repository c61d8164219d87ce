import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { SYSTEM, type PostCommand } from '#domains/ledger/server/index.ts';
import { couponDeduction } from '../../contract/rules/coupons.ts';
import { feeOf } from '../../contract/rules/fees.ts';
import { bonusCostOf, bonusOf, committedOf, merchantPayable, principalOf, receivableOf, revenue } from '../chart.ts';
import type { DemoCard } from './batches.ts';
import { timesOf, type TimesRow } from './grants.ts';
import { dayAt, type Merchant, type Stage } from './stage.ts';

interface Line {
  goods: string;
  quantity: number;
  amount: number;
  payable: number;
  times: number;
  fee: number;
  receivable: number;
}
interface Use {
  id: string;
  no: string;
  card: DemoCard;
  merchant: Merchant;
  at: Instant;
  amount: number;
  times: number;
  benefitId: string | null;
  lines: Line[];
  lots: { lotId: string; amount: string }[];
  transferId: string | null;
}
/** What of a card can still be used, while the months of the demonstration pass. */
export interface Purse {
  card: DemoCard;
  left: number;
}

const STORED_A_DAY = 9;

/** Half a year at the counters: stored value, times and coupons used day by day, each day in one posting. */
export async function writeSpends(
  stage: Stage,
  cards: readonly DemoCard[],
  lines: readonly Record<string, unknown>[],
  times: TimesRow[],
): Promise<{ uses: Use[] }> {
  const { ledger, random, merchants, goods, first } = stage;
  const days = Math.round((Date.parse(stage.today) - Date.parse(first)) / 86_400_000);
  const value = new Map<string, { from: string; fen: number }[]>();
  for (const line of lines)
    if (typeof line.cardId === 'string' && typeof line.doneAt === 'string' && line.expireOn === null)
      value.set(line.cardId, [...(value.get(line.cardId) ?? []), { from: line.doneAt, fen: Number(line.amount) + Number(line.bonus) }]);
  const active = cards.filter(({ state }) => state === 'ACTIVE');
  const purses = active.filter(({ type }) => type.kind === 'STORED_VALUE').map((card): Purse => ({ card, left: 0 }));
  const given = new Map<string, number>();
  const services = active.filter(({ type }) => type.kind === 'BENEFIT_CARD');
  const coupons = active.filter(({ type }) => type.kind === 'COUPON');
  const holdIds = await reserve(stage.tx, 'card_hold', days * (STORED_A_DAY + 4));
  await ledger.openAccounts(stage.at(dayAt(stage, 1)), [
    ...merchants.map(({ id, name }) => ({ ref: merchantPayable(id), ownerName: name })),
    { ref: revenue, ownerName: '平台' },
    ...[...new Map(active.map(({ type }) => [type.id, type])).values()].flatMap((type) =>
      type.funder === 'PLATFORM'
        ? [{ ref: bonusCostOf(type), ownerName: '平台' }]
        : [receivableOf(type), committedOf(type)].map((ref) => ({ ref, ownerName: type.funderName })),
    ),
  ]);
  const uses: Use[] = [];
  for (let day = 8; day < days; day += 1) {
    const evening = dayAt(stage, day, '21:30');
    const today: Use[] = [];
    const begin = (card: DemoCard): Use => {
      const at = dayAt(stage, day, `${String(random.int(8, 20)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`);
      return {
        id: holdIds.shift()!,
        no: stage.number('HD', at),
        card,
        merchant: random.pick(merchants),
        at,
        amount: 0,
        times: 0,
        benefitId: null,
        lines: [],
        lots: [],
        transferId: null,
      };
    };
    const busy = new Set<string>();
    for (let n = 0; n < STORED_A_DAY; n += 1) {
      // A third of the visits is made by the thirty who come until nothing is left.
      const purse = random.chance(0.35) ? purses[random.int(0, Math.min(29, purses.length - 1))]! : random.pick(purses);
      const { card } = purse;
      if (busy.has(card.id)) continue;
      const all = (value.get(card.id) ?? []).filter(({ from }) => from < dayAt(stage, day)).reduce((sum, { fen }) => sum + fen, 0);
      purse.left += all - (given.get(card.id) ?? 0);
      given.set(card.id, all);
      if (purse.left < 100) continue;
      busy.add(card.id);
      const wanted =
        purse.left < 4_000 || random.chance(0.08)
          ? Math.min(purse.left, card.type.terms.perUseMax ?? 60_000)
          : random.int(1_500, Math.min(purse.left, 18_000));
      purse.left -= wanted;
      const use = begin(card);
      const two = wanted > 3_000 && random.chance(0.55);
      const parts = two ? [Math.floor(wanted * 0.6), wanted - Math.floor(wanted * 0.6)] : [wanted];
      use.amount = wanted;
      use.lines = parts.map((amount) => ({
        goods: random.pick(goods),
        quantity: random.int(1, 3),
        amount,
        payable: amount,
        times: 0,
        fee: Number(feeOf(BigInt(amount), card.type.terms.feeRateBp)),
        receivable: card.type.fundingMode === 'ON_USE' ? amount : 0,
      }));
      today.push(use);
    }
    const service = services.length > 0 ? random.pick(services) : null;
    if (service && !busy.has(service.id)) {
      const [benefit] = timesOf(service.type);
      const left = times
        .filter(({ cardId, benefitId }) => cardId === service.id && benefitId === benefit!.benefitId)
        .reduce((sum, { deltaLeft }) => sum + deltaLeft, 0);
      const price = service.type.terms.benefits[0]!.settlePrice;
      if (left > 0) {
        busy.add(service.id);
        const use = begin(service);
        Object.assign(use, { times: 1, benefitId: benefit!.benefitId });
        use.lines = [
          {
            goods: service.type.terms.benefits[0]!.benefitName,
            quantity: 1,
            amount: price,
            payable: price,
            times: 1,
            fee: 0,
            receivable: price,
          },
        ];
        today.push(use);
      }
    }
    const coupon = day % 2 === 0 && coupons.length > 30 ? coupons.pop()! : null;
    if (coupon) {
      const rule = coupon.type.terms.couponRule!;
      const payable = random.int(12_000, 40_000);
      const off = Number(
        couponDeduction(
          {
            mode: rule.mode,
            threshold: BigInt(rule.threshold),
            value: BigInt(rule.value),
            cap: rule.cap === null ? null : BigInt(rule.cap),
          },
          BigInt(payable),
        ) ?? 0n,
      );
      const use = begin(coupon);
      Object.assign(use, { amount: off, times: 1, benefitId: 'COUPON' });
      use.lines = [
        {
          goods: random.pick(goods),
          quantity: 1,
          amount: off,
          payable,
          times: 0,
          fee: 0,
          receivable: coupon.type.funder === 'PLATFORM' ? 0 : off,
        },
      ];
      today.push(use);
    }
    await post(stage, today, evening);
    for (const use of today)
      if (use.benefitId !== null)
        times.push({
          cardId: use.card.id,
          benefitId: use.benefitId,
          kind: 'USE',
          deltaLeft: -1,
          deltaHeld: 0,
          key: `capture:${use.id}`,
          refType: 'cardHold',
          refId: use.id,
          at: use.at,
        });
    uses.push(...today);
  }
  return { uses };
}

async function post(stage: Stage, uses: readonly Use[], evening: Instant): Promise<void> {
  const { ledger } = stage;
  const sum = (use: Use, of: (line: Line) => number) => BigInt(use.lines.reduce((total, line) => total + of(line), 0));
  const spends = uses.map((use): PostCommand => {
    const { type } = use.card;
    const stored = type.kind === 'STORED_VALUE';
    const [worth, fee] = [sum(use, ({ amount }) => amount), sum(use, (line) => line.fee)];
    const cost = type.funder === 'PLATFORM' ? bonusCostOf(type) : receivableOf(type);
    return {
      businessKey: `card:hold:${use.id}:${stored ? 'capture' : 'serve'}`,
      book: 'CARD',
      type: stored ? 'CARD_SPEND' : 'CARD_SERVE',
      at: use.at,
      debit: [{ account: stored ? [principalOf(use.card.id), bonusOf(use.card.id)] : cost, amount: worth }],
      credit: [
        { account: merchantPayable(use.merchant.id), amount: worth - fee },
        ...(fee > 0n ? [{ account: revenue, amount: fee }] : []),
      ],
      ref: { type: 'cardHold', id: use.id, no: use.no },
      actor: SYSTEM,
    };
  });
  const accruals = uses
    .filter(({ card }) => card.type.kind === 'STORED_VALUE' && card.type.fundingMode === 'ON_USE')
    .map((use): PostCommand => ({
      businessKey: `card:hold:${use.id}:accrue`,
      book: 'CARD',
      type: 'CARD_ACCRUE',
      at: use.at,
      debit: [{ account: receivableOf(use.card.type), amount: BigInt(use.amount) }],
      credit: [{ account: committedOf(use.card.type), amount: BigInt(use.amount) }],
      ref: { type: 'cardAccrual', id: use.id, no: use.no },
      actor: SYSTEM,
    }));
  const done = await ledger.postMany(stage.at(evening), [...spends, ...accruals]);
  for (const [at, use] of uses.entries()) {
    const { transferId, entries } = done[at]!;
    use.transferId = transferId;
    // In the order of use: what ends first, and of that a present before the rest.
    const lots = entries
      .toReversed()
      .flatMap((entry) => entry.lots)
      .toSorted((one, other) => ((one.expiresAt ?? '9') < (other.expiresAt ?? '9') ? -1 : 1));
    use.lots = lots.map(({ lotId, amount }) => ({ lotId, amount: String(amount) }));
  }
}

/** Writes holds with their lines and write-offs. */
export async function writeUses(stage: Stage, uses: readonly Use[]): Promise<void> {
  const { tx } = stage;
  await bulk(
    tx,
    'card_hold',
    uses.map((use) => ({
      id: use.id,
      holdNo: use.no,
      bizType: 'ORDER',
      bizId: orderIdOf(use.id),
      bizNo: orderNoOf(use),
      orderType: 'STORE_DIRECT',
      cardId: use.card.id,
      kind: use.card.type.kind,
      drugstoreId: use.merchant.id,
      drugstoreName: use.merchant.name,
      payable: String(use.lines.reduce((sum, { payable }) => sum + payable, 0)),
      amount: String(use.amount),
      times: use.times,
      benefitId: use.benefitId,
      capturedAmount: String(use.amount),
      state: 'CAPTURED',
      expireAt: new Date(Date.parse(use.at) + 900_000).toISOString(),
      ledgerHoldId: null,
      ledgerTransferId: use.transferId,
      lots: use.lots,
      key: `demo:${use.id}`,
      operatorType: 'STORE',
      operatorId: use.merchant.id,
      operatorName: use.merchant.name,
      version: 2,
      createdAt: new Date(Date.parse(use.at) - 120_000).toISOString(),
      closedAt: use.at,
    })),
  );
  await bulk(
    tx,
    'card_hold_line',
    uses.flatMap((use) =>
      use.lines.map((line, at) => ({
        holdId: use.id,
        lineNo: at + 1,
        orderLineId: `${orderIdOf(use.id)}${at + 1}`,
        goodsName: line.goods,
        quantity: line.quantity,
        payable: String(line.payable),
        amount: String(use.card.type.kind === 'BENEFIT_CARD' ? 0 : line.amount),
        times: line.times,
        merchantId: use.merchant.id,
        merchantName: use.merchant.name,
      })),
    ),
  );
  const inTime = uses.toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const all = inTime.flatMap((use) => use.lines.map((line, at) => ({ use, line, at })));
  const ids = await reserve(tx, 'card_write_off', all.length);
  await bulk(
    tx,
    'card_write_off',
    all.map(({ use, line, at }, index) => ({
      id: ids[index]!,
      writeOffNo: stage.number('WO', use.at),
      holdId: use.id,
      cardId: use.card.id,
      cardTypeId: use.card.type.id,
      kind: use.card.type.kind,
      orderId: orderIdOf(use.id),
      orderNo: orderNoOf(use),
      orderLineId: `${orderIdOf(use.id)}${at + 1}`,
      merchantId: use.merchant.id,
      merchantName: use.merchant.name,
      goodsName: line.goods,
      quantity: line.quantity,
      amount: String(line.amount),
      times: line.times,
      benefitId: use.benefitId,
      feeAmount: String(line.fee),
      netAmount: String(line.amount - line.fee),
      receivableAmount: String(line.receivable),
      operatorType: 'STORE',
      operatorId: use.merchant.id,
      operatorName: use.merchant.name,
      state: 'DONE',
      reversedAmount: '0',
      reversedFee: '0',
      doneAt: use.at,
      version: 1,
    })),
  );
}
const orderIdOf = (holdId: string) => String(700_000 + Number(holdId));
const orderNoOf = (use: Pick<Use, 'id' | 'at'>) => `DD${use.at.slice(0, 10).replaceAll('-', '')}${orderIdOf(use.id)}`;
export type { Use };
