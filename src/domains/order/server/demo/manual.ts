import { sql } from 'kysely';
import { dayOf, hours, minutes, plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { cardsOf } from '#domains/card/server/index.ts';
import { storePrice } from '#domains/institution/server/index.ts';
import { labels, mobileCiphers } from '#domains/patient/server/index.ts';
import { MANUAL_PROOF } from '../../contract/purposes.ts';
import { HIGH_MANUAL_FEN } from '../../contract/rules/manualOrder.ts';
import { manualRecords, type ManualRecord, type Person } from '../manual/access.ts';
import { failManual, postManual } from '../manual/post.ts';
import { reviewManual, voidManual } from '../manual/review.ts';
import { registerManual } from '../manual/save.ts';
import { submitManual } from '../manual/submit.ts';
import { manualSpecs, type ManualSpec } from './manualSpecs.ts';

interface Buyer {
  id: string;
  name: string;
  mobile: string;
}
interface Store {
  id: string;
  name: string;
}
interface Goods {
  goodsCode: string;
  goodsName: string;
  priceFen: number;
}
/** A sale at a counter that is in the books already. */
interface Sold {
  patientId: string;
  drugstoreId: string;
  day: Day;
  goodsCode: string;
}
interface Stage {
  kernel: Kernel;
  writing: Writing;
  now: Instant;
  today: Day;
  buyers: readonly Buyer[];
  stores: readonly Store[];
  goods: readonly Goods[];
  sold: readonly Sold[];
  clerk: Person;
  lead: Person;
}

const nothing = (): Promise<void> => Promise.resolve();

/** Somebody acts at a moment of a day, at the latest now; what it would tell others is history. */
function at({ writing, now }: Stage, { day, minute, by }: { day: Day; minute: number; by?: Person }): Acting {
  const history = { ...writing, publish: nothing, publishMany: nothing, enqueue: nothing };
  const then = plusMs(startOfDay(day, '09:10'), minutes(minute));
  return {
    ...asSystem(history, { now: then < now ? then : now, traceId: 'demo' }),
    ...(by && { actorName: by.displayName }),
  };
}

/** A receipt of the demonstration, plainly marked as made up. */
const receipt = (store: Store, receiptNo: string, day: Day, goods: readonly { goodsName: string; quantity: number }[]): Buffer =>
  renderPdf({
    title: '销售小票',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: store.name, note: receiptNo },
      {
        kind: 'fields',
        fields: [['购药日期', day], ...goods.map(({ goodsName, quantity }): [string, string] => [goodsName, `${quantity}盒`])],
      },
    ],
  });

/** What the store asked for it: as its list says, or dearer. */
async function asked({ writing }: Stage, store: Store, goods: Goods, day: Day, { dear }: ManualSpec): Promise<number> {
  const listed = await storePrice(writing.tx, store.id, goods.goodsCode, day);
  const fen = listed === null ? goods.priceFen : Number(listed.priceFen);
  return dear ? Math.round(fen * 1.35) : fen;
}

async function register(stage: Stage, spec: ManualSpec, n: number): Promise<ManualRecord> {
  const { kernel, writing, buyers, stores, goods, sold, clerk } = stage;
  const like = spec.like ? sold[n % Math.max(1, sold.length)] : undefined;
  const day = like?.day ?? plusDays(stage.today, -spec.came - 1);
  const holder = spec.card ? await cardholder(stage) : undefined;
  const who = holder ?? (like && buyers.find(({ id }) => id === like.patientId)) ?? buyers[(n * 5) % buyers.length]!;
  const store = stores.find(({ id }) => id === like?.drugstoreId) ?? stores[n % stores.length]!;
  const first = goods.find(({ goodsCode }) => goodsCode === like?.goodsCode) ?? goods[(n * 3) % goods.length]!;
  const second = goods[(n * 3 + 1) % goods.length]!;
  const quantity = spec.high ? Math.min(999, Math.ceil(HIGH_MANUAL_FEN / first.priceFen)) : spec.pieces;
  const lines = [{ goodsCode: first.goodsCode, quantity, unitPriceFen: await asked(stage, store, first, day, spec) }];
  if (spec.kinds > 1 && second.goodsCode !== first.goodsCode)
    lines.push({ goodsCode: second.goodsCode, quantity: 1, unitPriceFen: await asked(stage, store, second, day, spec) });
  const goodsFen = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceFen, 0);
  const cardFen = holder ? Math.min(goodsFen, Number(holder.left)) : 0;
  const receiptNo = `XP${day.replaceAll('-', '')}${String(n + 1).padStart(3, '0')}`;
  const acting = at(stage, { day: plusDays(stage.today, -spec.came), minute: n * 4, by: clerk });
  const file = await kernel.ports.files.store(
    writing.tx,
    {
      purpose: MANUAL_PROOF,
      name: '销售小票.pdf',
      body: receipt(store, receiptNo, day, [{ goodsName: first.goodsName, quantity }]),
      contentType: 'application/pdf',
      createdBy: clerk.userId,
    },
    acting.now,
  );
  return registerManual(
    kernel,
    acting,
    {
      drugstoreId: store.id,
      receiptNo,
      purchaseDate: day,
      reasonCode: spec.reason,
      buyerName: who.name,
      mobile: who.mobile,
      idNo: '',
      patientId: who.id,
      rxPassedBy: '门店药师',
      lines,
      contractId: null,
      benefitFen: 0,
      cardId: holder?.cardId ?? null,
      cardFen,
      selfPayFen: goodsFen - cardFen,
      attachmentFileIds: spec.ending === 'DRAFT' && n % 2 === 1 ? [] : [file.fileId],
    },
    { ...clerk, seer: manualRecords.everyone },
  );
}

/** A buyer whose stored-value card can pay at a counter. */
async function cardholder(stage: Stage): Promise<(Buyer & { cardId: string; left: bigint }) | undefined> {
  const [store] = stage.stores;
  const { rows } = await sql<{ patientId: string }>`
    select distinct patient_id::text as patient_id
      from card_card
      where kind = 'STORED_VALUE' and state = 'ACTIVE' and patient_id is not null
      order by patient_id
      limit 60`.execute(stage.writing.tx);
  const known = await mobileCiphers(
    stage.writing.tx,
    rows.map(({ patientId }) => patientId),
  );
  for (const { patientId } of rows) {
    const mobile = known.get(patientId);
    const usable = await cardsOf(stage.kernel).usable(
      stage.writing.tx,
      {
        patientId,
        bizType: 'MANUAL',
        bizId: null,
        orderType: 'MANUAL',
        drugstoreId: store!.id,
        lines: [
          {
            orderLineId: '1',
            medicineId: null,
            categoryCode: null,
            goodsName: '药品',
            quantity: 1,
            amount: 1_000_000n,
            merchantId: store!.id,
            merchantName: store!.name,
          },
        ],
      },
      stage.now,
    );
    const card = usable.find(({ kind, refusal, amount }) => kind === 'STORED_VALUE' && refusal === null && amount >= 2_000n);
    const [person] = card && mobile !== undefined ? await labels(stage.writing.tx, [patientId]) : [];
    if (card && person?.state === 'ACTIVE' && mobile !== undefined)
      return {
        id: person.canonicalId,
        name: person.name,
        mobile: stage.kernel.secrets.decrypt(mobile),
        cardId: card.cardId,
        left: card.amount / 2n,
      };
  }
  return undefined;
}

async function goOn(stage: Stage, spec: ManualSpec, n: number): Promise<void> {
  const { kernel, clerk, lead } = stage;
  const day = plusDays(stage.today, -spec.came);
  const acting = (minute: number, by?: Person) => at(stage, { day, minute: n * 4 + minute, ...(by && { by }) });
  const draft = await register(stage, spec, n);
  if (spec.ending === 'DRAFT') return;
  if (spec.ending === 'VOIDED') return void (await voidManual(kernel, acting(6, clerk), draft, '小票重复录入，保留另一单'));
  const waiting = await submitManual(kernel, acting(3, clerk), draft, clerk);
  if (spec.ending === 'PENDING_REVIEW') return;
  const level = Number(waiting.goodsFen) >= HIGH_MANUAL_FEN ? ('HIGH' as const) : ('NORMAL' as const);
  const verdict = { level, notDuplicate: true, priceChecked: true };
  if (spec.ending === 'REJECTED') {
    await reviewManual(
      kernel,
      acting(40, lead),
      waiting,
      { ...verdict, decision: 'reject', reasonCodes: [spec.rejection ?? 'RECEIPT_UNCLEAR'], opinion: '小票下半部分看不清，请重新拍摄' },
      lead,
    );
    return;
  }
  const approved = await reviewManual(
    kernel,
    acting(45, lead),
    waiting,
    { ...verdict, decision: 'approve', reasonCodes: [], opinion: '' },
    lead,
  );
  if (spec.ending === 'FAILED') {
    await failManual(acting(61), approved, '落单超时，请重新落单');
    return;
  }
  // What a write-off makes funders owe is booked by the job of cards.
  await postManual(kernel, { ...acting(46), enqueue: stage.writing.enqueue }, approved);
}

async function setStage({ kernel, now }: DemoContext, writing: Writing): Promise<Stage> {
  const { tx } = writing;
  const today = dayOf(now);
  const { rows: patients } = await sql<{ id: string }>`
    select id::text as id
      from patient_patient
      where state = 'ACTIVE' and mobile_cipher is not null
      order by id
      limit 40`.execute(tx);
  const ids = patients.map(({ id }) => id);
  const mobiles = await mobileCiphers(tx, ids);
  const buyers = (await labels(tx, ids)).flatMap(({ patientId, name }) => {
    const cipher = mobiles.get(patientId);
    return cipher === undefined ? [] : [{ id: patientId, name, mobile: kernel.secrets.decrypt(cipher) }];
  });
  // Stores with long names too.
  const { rows: stores } = await sql<Store>`
    (select id::text as id, name from institution_drugstore where state = 'OPEN' order by char_length(name) desc, id limit 3)
    union
    (select id::text as id, name from institution_drugstore where state = 'OPEN' order by id limit 12)`.execute(tx);
  const { rows: goods } = await sql<Goods>`
    select distinct on (m.id) s.goods_code, m.generic_name as goods_name, (
        select p.price_fen from pharma_sku_price p
          where p.sku_id = s.id and p.price_type = 'MARKET' and p.effective_from <= ${today}::date
          order by p.id desc
          limit 1
      )::int as price_fen
      from pharma_sku s
      join pharma_medicine m on m.id = s.medicine_id
      where s.state = 'ON' and m.state = 'ON'
      order by m.id, s.id`.execute(tx);
  const { rows: sold } = await sql<{ patientId: string; drugstoreId: string; createdAt: Instant; goodsCode: string }>`
    select o.patient_id::text as patient_id, o.drugstore_id::text as drugstore_id, o.created_at, l.goods_code
      from order_order o
      join order_line l on l.order_id = o.id and l.line_no = 1
      where o.order_type = 'STORE_DIRECT' and o.state = 'COMPLETED' and o.created_at >= ${plusMs(now, -hours(24 * 60))}::timestamptz
      order by o.id desc
      limit 12`.execute(tx);
  const { rows: people } = await sql<{ userId: string; displayName: string; userName: string }>`
    select id::text as user_id, display_name, user_name from identity_staff_user where user_name in ('fulfil_a', 'fulfil_s')`.execute(tx);
  const find = (userName: string): Person => {
    const found = people.find((one) => one.userName === userName);
    if (!found) throw new Error(`the demonstration has no account ${userName}`);
    return { userId: found.userId, displayName: found.displayName };
  };
  return {
    kernel,
    writing,
    now,
    today,
    buyers,
    stores: stores.toSorted((one, other) => Number(one.id) - Number(other.id)),
    goods: goods.filter(({ priceFen }) => priceFen > 0),
    sold: sold.flatMap(({ createdAt, ...sale }) =>
      buyers.some(({ id }) => id === sale.patientId) && stores.some(({ id }) => id === sale.drugstoreId)
        ? [{ ...sale, day: dayOf(createdAt) }]
        : [],
    ),
    clerk: find('fulfil_a'),
    lead: find('fulfil_s'),
  };
}

/** Purchases that staff registered afterwards, in each state in which they stay. */
export const writeManuals = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    const specs = manualSpecs.map((spec, n) => ({ spec, n })).toSorted((one, other) => other.spec.came - one.spec.came);
    for (const { spec, n } of specs) await goOn(stage, spec, n);
  });
