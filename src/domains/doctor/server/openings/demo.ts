import type { NotNull } from 'kysely';
import { dayOf, days, hours, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { PracticeCategory, TitleCode } from '../../contract/dictionaries.ts';
import { bandOf, doctorFault, type OpeningItem } from '../../contract/rules/openingGuard.ts';
import type { Band, PriceBands } from '../../contract/rules/price.ts';
import type { WeekSlot } from '../../contract/rules/slots.ts';
import { json, ownTx } from '../database.ts';
import { NAMED } from '../demo/people.ts';
import { writeConfig, writeItems } from '../items/demo.ts';

const OPENINGS = 420;
const STOPPED_EACH = 3;
const WAITING_NEW = 6;
const WAITING_PRICE = 3;
const CHUNK = 200;
const STORIES: readonly number[] = [NAMED.li, NAMED.chen, NAMED.zhou];

interface Seller {
  id: string;
  name: string;
  titleCode: TitleCode;
  practiceOk: boolean;
  stopped: 'CERT' | 'FREEZE' | null;
  practiceLevel: 'LICENSED' | 'ASSISTANT' | null;
  practiceCategory: PracticeCategory | null;
  practiceSince: Day | null;
}
interface Plan {
  seller: Seller;
  item: OpeningItem & { id: string };
  band: Band;
  state: 'PENDING' | 'ON' | 'PAUSED' | 'SUSPENDED' | 'REJECTED' | 'CLOSED';
  priceFen: number;
  slots: readonly WeekSlot[];
  createdAt: Instant;
}

async function sellers(tx: Tx): Promise<Seller[]> {
  const rows = await ownTx(tx)
    .selectFrom('doctorDoctor')
    .select(['id', 'name', 'titleCode', 'practiceOk', 'qualState', 'accountState', 'practiceLevel', 'practiceCategory', 'practiceSince'])
    .where('titleCode', 'is not', null)
    .$narrowType<{ titleCode: NotNull }>()
    .orderBy('id')
    .execute();
  return rows.flatMap((row) => {
    const stopped = row.practiceOk ? null : row.accountState === 'FROZEN' ? 'FREEZE' : row.qualState === 'EXPIRED' ? 'CERT' : null;
    if (!row.practiceOk && stopped === null) return [];
    return [{ ...row, stopped }];
  });
}

const stateAt = (n: number): Plan['state'] => (n % 14 === 5 ? 'PAUSED' : n % 19 === 7 ? 'REJECTED' : n % 23 === 11 ? 'CLOSED' : 'ON');
/** Two mornings and an afternoon of the week, other ones for each doctor. */
const weekOf = (n: number): WeekSlot[] => [
  { weekday: 1 + (n % 5), from: '09:00', to: '11:30', quota: 2 },
  { weekday: 1 + ((n + 2) % 5), from: '14:00', to: '17:00', quota: 3 },
  { weekday: 6, from: '09:00', to: '10:30', quota: 1 },
];

/** Who sells what: every doctor the items that the guards let him sell, in turn. */
function plan(all: readonly Seller[], items: readonly (OpeningItem & { id: string })[], now: Instant): Plan[] {
  const today = dayOf(now);
  const choices = all.map((seller) =>
    items.filter(
      (item) =>
        doctorFault({ ...seller, practiceOk: true, signatureExpired: false }, item, today) === null &&
        bandOf(item, seller.titleCode) !== null,
    ),
  );
  const plans: Plan[] = [];
  for (let round = 0; plans.length < OPENINGS && round < items.length; round += 1) {
    for (const [index, seller] of all.entries()) {
      const allowed = choices[index]!;
      if (plans.length >= OPENINGS || round >= allowed.length || (seller.stopped !== null && round >= STOPPED_EACH)) continue;
      // Of whom the stories tell sell text and video first; the others start anywhere.
      const item = allowed[(round + (STORIES.includes(index) ? 0 : index)) % allowed.length]!;
      const n = plans.length;
      const band = bandOf(item, seller.titleCode)!;
      const wished = band.defaultFen + (((n * 7) % 9) - 4) * 100;
      plans.push({
        seller,
        item,
        band,
        state: seller.stopped === null ? stateAt(n) : 'SUSPENDED',
        priceFen: Math.min(band.maxFen, Math.max(band.minFen, wished)),
        slots: item.needSlot ? weekOf(index) : [],
        createdAt: plusMs(now, -days(20 + (n % 140)) - hours(n % 20)),
      });
    }
  }
  // The newest ones of doctors in order wait for their first audit.
  for (const waiting of plans.filter(({ state }) => state === 'ON').slice(-WAITING_NEW))
    Object.assign(waiting, { state: 'PENDING', createdAt: plusMs(now, -hours(3 + (plans.indexOf(waiting) % 30))) });
  return plans;
}

const REASONS = ['医生本人提出', '按线下门诊价调整', '新增专病门诊', '患者咨询量增加'];

async function staffIds(tx: Tx): Promise<{ maker: string | null; makerName: string; auditor: string | null; auditorName: string }> {
  const people = await tx
    .withTables<{ identityStaffUser: { id: string; userName: string; displayName: string } }>()
    .selectFrom('identityStaffUser')
    .select(['id', 'userName', 'displayName'])
    .orderBy('id')
    .execute();
  const maker = people.find(({ userName }) => userName === 'doc_ops') ?? people[0];
  const auditor = people.find(({ userName }) => userName === 'doc_a') ?? people.find(({ id }) => id !== maker?.id);
  return {
    maker: maker?.id ?? null,
    makerName: maker?.displayName ?? '系统',
    auditor: auditor?.id ?? null,
    auditorName: auditor?.displayName ?? '系统',
  };
}

async function inChunks<Row>(rows: readonly Row[], insert: (chunk: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) await insert(rows.slice(at, at + CHUNK));
}

/** Items, configuration, and openings in every state with their applications and prices. */
export async function writeServices({ now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    if (await ownTx(tx).selectFrom('doctorServiceItem').select('id').limit(1).executeTakeFirst()) return;
    const people = await staffIds(tx);
    await writeItems(tx, now);
    await writeConfig(tx, now, { maker: people.maker, publisher: people.auditor });
    const items = await ownTx(tx)
      .selectFrom('doctorServiceItem')
      .select(['id', 'careKind', 'titleMin', 'categories', 'priceBands', 'needSlot'])
      .where('state', '=', 'ON')
      .orderBy('id')
      .execute();
    const plans = plan(
      await sellers(tx),
      items.map((item) => ({
        ...item,
        priceBands: item.priceBands as PriceBands,
      })),
      now,
    );
    if (plans.length === 0 || people.maker === null || people.auditor === null) return;

    const ids: string[] = [];
    await inChunks(plans, async (chunk) => {
      const rows = await ownTx(tx)
        .insertInto('doctorServiceOpening')
        .values(
          chunk.map((row, n) => ({
            doctorId: row.seller.id,
            itemId: row.item.id,
            priceFen: String(row.priceFen),
            dailyLimit: 10 + (n % 4) * 5,
            slots: json(row.slots),
            state: row.state,
            suspendReason: row.seller.stopped,
            suspendedFrom: row.state === 'SUSPENDED' ? (n % 3 === 0 ? 'PAUSED' : 'ON') : null,
            effectiveAt: row.state === 'PENDING' || row.state === 'REJECTED' ? null : plusMs(row.createdAt, hours(20)),
            createdAt: row.createdAt,
            createdBy: people.maker,
            updatedAt: plusMs(row.createdAt, row.state === 'PENDING' ? 0 : hours(20)),
          })),
        )
        .returning('id')
        .execute();
      ids.push(...rows.map(({ id }) => id));
    });

    const today = dayOf(now);
    const numbers = await nextNumbers(tx, 'KT', today, plans.length + WAITING_PRICE);
    const applies = plans.map((row, n) => {
      const state = row.state === 'PENDING' || row.state === 'REJECTED' ? row.state : ('APPROVED' as const);
      const byDoctor = n % 3 === 0;
      return {
        applyNo: numbers[n]!,
        openingId: ids[n]!,
        kind: 'OPEN' as const,
        toPriceFen: String(row.priceFen),
        bandSnapshot: json(row.band),
        reason: REASONS[n % REASONS.length]!,
        applicantType: byDoctor ? ('DOCTOR' as const) : ('STAFF' as const),
        applicantId: byDoctor ? row.seller.id : people.maker!,
        applicantName: byDoctor ? row.seller.name : people.makerName,
        state,
        createdAt: row.createdAt,
        updatedAt: row.createdAt,
        ...(state === 'PENDING'
          ? {}
          : {
              auditorId: people.auditor,
              auditorName: people.auditorName,
              decidedAt: plusMs(row.createdAt, hours(20)),
              opinion: state === 'REJECTED' ? '擅长描述与该服务不符，请完善后重新申请' : null,
            }),
      };
    });
    await inChunks(applies, (chunk) => ownTx(tx).insertInto('doctorOpeningApply').values(chunk).execute());
    await writePrices(tx, plans, ids, people);

    // Far dearer than before: these wait for somebody to look at them.
    const dearer = plans
      .flatMap((row, n) => (row.state === 'ON' && row.priceFen * 2 <= row.band.maxFen ? [n] : []))
      .slice(0, WAITING_PRICE);
    const waiting = dearer.map((n, at) => {
      const row = plans[n]!;
      const createdAt = plusMs(now, -hours(2 + at * 9));
      return {
        applyNo: numbers[plans.length + at]!,
        openingId: ids[n]!,
        kind: 'PRICE' as const,
        fromPriceFen: String(row.priceFen),
        toPriceFen: String(row.priceFen * 2 - 100),
        bandSnapshot: json(row.band),
        reason: '线下门诊挂号费上调',
        applicantType: 'STAFF' as const,
        applicantId: people.maker!,
        applicantName: people.makerName,
        state: 'PENDING' as const,
        createdAt,
        updatedAt: createdAt,
      };
    });
    if (waiting.length > 0) await ownTx(tx).insertInto('doctorOpeningApply').values(waiting).execute();
    // Two that an auditor can pass together need nothing looked at: the default price of the title.
    for (const n of plans.flatMap((row, at) => (row.state === 'PENDING' ? [at] : []))) {
      const simple = n % 3 === 0;
      const { band } = plans[n]!;
      const fen = String(simple ? band.defaultFen : Math.min(band.maxFen, Math.round(band.defaultFen * 2.4)));
      await ownTx(tx).updateTable('doctorServiceOpening').set({ priceFen: fen }).where('id', '=', ids[n]!).execute();
      await ownTx(tx).updateTable('doctorOpeningApply').set({ toPriceFen: fen }).where('openingId', '=', ids[n]!).execute();
    }
  });
}

/** The first price of each opening that was approved, and for some a change since. */
async function writePrices(
  tx: Tx,
  plans: readonly Plan[],
  ids: readonly string[],
  people: { auditor: string | null; auditorName: string },
): Promise<void> {
  const by = { byId: people.auditor, byName: people.auditorName };
  const rows = plans.flatMap((row, n) => {
    if (row.state === 'PENDING' || row.state === 'REJECTED') return [];
    const first = { openingId: ids[n]!, source: 'OPEN' as const, reason: '', at: plusMs(row.createdAt, hours(20)), ...by };
    if (n % 4 !== 0) return [{ ...first, priceFen: String(row.priceFen) }];
    const before = Math.max(row.band.minFen, Math.round(row.priceFen * 0.9));
    return [
      { ...first, priceFen: String(before) },
      {
        ...first,
        source: 'AUTO' as const,
        reason: '按线下门诊价调整',
        at: plusMs(row.createdAt, days(12)),
        priceFen: String(row.priceFen),
      },
    ];
  });
  await inChunks(rows, (chunk) => ownTx(tx).insertInto('doctorOpeningPrice').values(chunk).execute());
}
