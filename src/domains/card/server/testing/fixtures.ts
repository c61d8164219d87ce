import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import type { CardKind } from '../../contract/dictionaries.ts';
import { cardPermissions } from '../../contract/permissions.ts';
import { json, own } from '../database.ts';
import { fundCard, type Funding } from '../demo/fund.ts';
import type { Spending } from '../use/capture.ts';
import { holdCards, type HoldRequest } from '../use/hold.ts';
import type { UseLine } from '../use/orders.ts';
import { keepOrder } from '../use/orders.ts';
import { moveTimes } from '../use/times.ts';

let counter = 0;
const serial = () => (counter += 1);
export const nextId = (): string => String(800_000 + serial());

/** Somebody who may do all that this half of the domain offers. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: Object.values(cardPermissions).map(({ code }) => code) });

/** One business transaction, as another domain would open it. */
export const inTransaction = <T>(app: TestApp, work: (use: Spending) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work({ ...writing, now: app.clock.now(), traceId: 'test' }));

/** The months of the books begin as the product does; a test begins without that. */
export const openBooks = (app: TestApp): Promise<void> =>
  inTransaction(app, async (use) => {
    await ledgerOf(app.kernel).openPeriods(use, app.clock.today());
  });

export interface TypeWish {
  kind?: CardKind;
  fundingMode?: 'PREPAID' | 'ON_GRANT' | 'ON_USE' | 'SALE';
  funder?: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  productCode?: string;
  bizLine?: 'HMO' | 'SAAS' | 'DAAS' | 'OWN';
  rules?: object;
}
export async function makeType(app: TestApp, wish: TypeWish = {}): Promise<string> {
  const n = serial();
  const funder = wish.funder ?? 'INSURER';
  const { id } = await own(app.db)
    .insertInto('cardType')
    .values({
      typeCode: `KZ${n}`,
      typeName: `测试卡种${n}`,
      kind: wish.kind ?? 'STORED_VALUE',
      bizLine: wish.bizLine ?? 'HMO',
      funder,
      funderId: funder === 'PLATFORM' ? null : String(9000 + n),
      funderName: funder === 'PLATFORM' ? '平台' : `出资方${n}`,
      fundingMode: wish.fundingMode ?? 'ON_USE',
      productCode: wish.productCode ?? null,
      rules: json(wish.rules ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await own(app.db)
    .insertInto('cardTypeVersion')
    .values({ cardTypeId: id, ruleVersion: 1, rules: json(wish.rules ?? {}) })
    .execute();
  await own(app.db)
    .insertInto('cardBatch')
    .values({ batchNo: `CB${n}`, cardTypeId: id, quantity: 0, status: 'GENERATED' })
    .execute();
  return id;
}

export interface MadeCard {
  cardId: string;
  cardNo: string;
  cardTypeId: string;
  /** Ledger lots in the order of the funding. */
  lots: string[];
}
interface CardWish {
  funding?: readonly Funding[];
  times?: readonly { benefitId: string; times: number }[];
  expireAt?: Instant | null;
  holder?: string;
  contractId?: string | null;
}

/** A card in use: of stored value with lots, of times with their number. */
export async function makeCard(app: TestApp, cardTypeId: string, wish: CardWish = {}): Promise<MadeCard> {
  const { funding = [], times = [], expireAt = null, holder = '张三', contractId = null } = wish;
  const type = await own(app.db).selectFrom('cardType').selectAll().where('id', '=', cardTypeId).executeTakeFirstOrThrow();
  const batch = await own(app.db).selectFrom('cardBatch').select('id').where('cardTypeId', '=', cardTypeId).executeTakeFirstOrThrow();
  const cardNo = `30${String(serial()).padStart(14, '0')}`;
  await own(app.db)
    .updateTable('cardBatch')
    .set((eb) => ({ quantity: eb('quantity', '+', 1) }))
    .where('id', '=', batch.id)
    .execute();
  const { id: cardId } = await own(app.db)
    .insertInto('cardCard')
    .values({
      cardNo,
      batchId: batch.id,
      cardTypeId,
      kind: type.kind,
      ruleVersion: 1,
      state: 'ACTIVE',
      holderName: holder,
      holderIdHash: `hash-${holder}-${cardNo}`,
      contractId,
      expireAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lots = await inTransaction(app, (use) => fundCard(use, ledgerOf(app.kernel), type, { cardId, holder, funding }));
  for (const one of times)
    await inTransaction(app, (use) =>
      moveTimes(use.tx, use.now, {
        cardId,
        benefitId: one.benefitId,
        kind: 'GRANT',
        left: one.times,
        held: 0,
        key: `grant:${cardId}:${one.benefitId}`,
        refType: 'test',
        refId: cardId,
      }),
    );
  return { cardId, cardNo, cardTypeId, lots };
}

export const useLine = (amount: number, more: Partial<UseLine> = {}): UseLine => ({
  orderLineId: nextId(),
  medicineId: null,
  categoryCode: null,
  goodsName: '阿托伐他汀钙片',
  quantity: 1,
  amount: BigInt(amount),
  merchantId: '501',
  merchantName: '康桥大药房',
  ...more,
});

/** What another domain asks to be set aside for one of its orders. */
export const holdRequest = (cardIds: readonly string[], lines: readonly UseLine[], more: Partial<HoldRequest> = {}): HoldRequest => {
  const orderId = nextId();
  return {
    bizType: 'ORDER',
    bizId: orderId,
    bizNo: `DD${orderId}`,
    key: `order:${orderId}`,
    orderType: 'STORE_DIRECT',
    drugstoreId: '501',
    drugstoreName: '康桥大药房',
    lines,
    cardIds,
    operator: { ...SYSTEM, type: 'AUTO' },
    ...more,
  };
};
export const hold = (app: TestApp, request: HoldRequest) => inTransaction(app, (use) => holdCards(use, ledgerOf(app.kernel), request));

/** An order as its events tell it. */
export async function makeOrder(app: TestApp, amounts: readonly number[]): Promise<{ orderId: string; orderNo: string }> {
  const orderId = nextId();
  const orderNo = `DD${orderId}`;
  await inTransaction(app, ({ tx, now }) =>
    keepOrder(
      tx,
      {
        orderId,
        orderNo,
        orderType: 'STORE_DIRECT',
        patientId: null,
        drugstoreId: '501',
        drugstoreName: '康桥大药房',
        payFen: BigInt(amounts.reduce((sum, one) => sum + one, 0)),
        closed: false,
        lines: amounts.map((amount) => useLine(amount)),
        orderTime: now,
      },
      now,
    ),
  );
  return { orderId, orderNo };
}

/** What is left of lots and held of them, in the order of the funding. */
export async function lotsLeft(app: TestApp, card: MadeCard): Promise<[left: number, held: number][]> {
  const lots = await ledgerOf(app.kernel).lotsOf(app.db, 'CARD', { type: 'cardAccount', id: card.cardId });
  return card.lots.map((lotId) => {
    const lot = lots.find(({ id }) => id === lotId)!;
    return [Number(lot.remaining), Number(lot.held)];
  });
}
export const cardRow = (app: TestApp, cardId: string) =>
  own(app.db)
    .selectFrom('cardCard')
    .select(['state', 'principalAvail', 'bonusAvail', 'heldAmount', 'spentAmount'])
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow();

/** Balances of the card book by account type and owner, in fen. */
export async function balancesOf(app: TestApp): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; fen: number }>`
    select a.account_type || '/' || a.owner_id as name, sum(b.sign * (b.debit_total_fen - b.credit_total_fen))::int as fen
      from ledger_account a join ledger_balance b on b.account_id = a.id where a.book = 'CARD' group by 1`.execute(app.db);
  return Object.fromEntries(rows.map(({ name, fen }) => [name, fen]));
}
