import { plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CheckCode, OwnerKind } from '../../contract/abnormal/checks.ts';
import type { FindingAction, FindingState } from '../../contract/abnormal/states.ts';
import { decide } from '../abnormal/decide.ts';
import type { FindingRecord } from '../abnormal/list.ts';
import { lookAt, settingsOf, writeRun, type Looked } from '../abnormal/run.ts';
import { own } from '../database.ts';
import { endorse } from './endorse.ts';
import { sinceKey, type Since } from './planted.ts';
import { changePolicyState } from './policies.ts';
import type { Stage, StaffName } from './stage.ts';

const NIGHTS = 14;
const NIGHT = '02:30';
/** Checks whose answer follows from the day: each night asks them for its own. */
const DATED: ReadonlySet<CheckCode> = new Set(['AB21', 'AB22', 'AB27', 'AB32']);
/** Checks of which people mend something; they are asked again afterwards. */
const MENDED: readonly CheckCode[] = ['AB05', 'AB06', 'AB13', 'AB17', 'AB29'];

type Parts = Pick<Kernel, 'secrets' | 'ports'>;

/** What somebody does, on which day, with the next finding of a check in a state. */
interface Deed {
  day: number;
  check: CheckCode;
  from: FindingState;
  by: StaffName;
  action: FindingAction;
  note?: string;
  /** Days until which it is set aside. */
  until?: number;
  times?: number;
}

const take = (day: number, check: CheckCode, times = 1, by: StaffName = 'product_a'): Deed => ({
  day,
  check,
  from: 'OPEN',
  by,
  action: 'take',
  times,
});
const setAside = (day: number, check: CheckCode, note: string, until: number, times = 1, by: StaffName = 'product_a'): Deed => ({
  day,
  check,
  from: 'OPEN',
  by,
  action: 'askIgnore',
  note,
  until,
  times,
});

const deeds: readonly Deed[] = [
  setAside(-12, 'AB04', '投保人确认断档属实，新保单自缴费次日起保', 60),
  { day: -11, check: 'AB04', from: 'IGNORE_PENDING', by: 'product_r', action: 'approveIgnore', note: '已见投保人确认函' },
  setAside(-10, 'AB07', '投保人按季更新申报人数，下季度更新', 45, 4),
  { day: -9, check: 'AB07', from: 'IGNORE_PENDING', by: 'product_r', action: 'approveIgnore', note: '同意，下季度复核', times: 2 },
  { day: -9, check: 'AB07', from: 'IGNORE_PENDING', by: 'product_r', action: 'refuseIgnore', note: '申报人数差异较大，请先与保司核对' },
  take(-8, 'AB21', 3),
  take(-7, 'AB08', 2),
  take(-7, 'AB09'),
  take(-6, 'AB17', 3),
  take(-6, 'AB29', 2),
  take(-5, 'AB18'),
  take(-5, 'AB02'),
  take(-5, 'AB13', 2),
  take(-4, 'AB20', 1, 'fin_a'),
  setAside(-1, 'AB22', '付款人附言缺失，银行回执预计两周内到', 20, 1, 'fin_a'),
  take(-3, 'AB24'),
  setAside(-2, 'AB14', '高龄被保人由保司特批承保，批文办理中', 30),
  take(-1, 'AB32'),
];
/** The day on which some of it was mended; what people then say they did. */
const MENDING = -5;
const finished: readonly Deed[] = [
  { day: MENDING, check: 'AB29', from: 'FIXING', by: 'product_a', action: 'rebuild', times: 2 },
  {
    day: MENDING,
    check: 'AB17',
    from: 'FIXING',
    by: 'product_a',
    action: 'submitFix',
    note: '已向投保人索取手机号并办理信息更正批单',
    times: 2,
  },
  { day: MENDING, check: 'AB13', from: 'FIXING', by: 'product_a', action: 'submitFix', note: '家属随主被保人一并减员' },
];

/** Who looks after what is found of all insurers. */
const OWNERS: readonly (readonly [OwnerKind, StaffName])[] = [
  ['INSURER', 'product_a'],
  ['FINANCE', 'fin_a'],
  ['PRODUCT', 'product_a'],
  ['SYSTEM', 'admin'],
];
async function nameOwners(stage: Stage, day: Day): Promise<void> {
  const by = createdColumns(stage.at(day, '09:00', 'product_r'));
  await own(stage.tx)
    .insertInto('policyAbnormalOwner')
    .values(
      OWNERS.map(([ownerKind, name]) => {
        const { userId, displayName } = stage.staff(name);
        return { ownerKind, insurerId: null, insurerName: '', userId, userName: displayName, ...by };
      }),
    )
    .execute();
}

/** A fortnight of nights, what they found, what people did about it and what was gone then. */
export async function findAndMend(stage: Stage, parts: Parts, since: Since): Promise<void> {
  const { tx, secrets, today, now } = stage;
  const settings = await settingsOf(tx);
  const at = (day: Day): Instant => startOfDay(day, NIGHT);
  const last = at(today) <= now ? today : plusDays(today, -1);
  const nights = Array.from({ length: NIGHTS }, (_none, n) => plusDays(last, n + 1 - NIGHTS));
  await nameOwners(stage, plusDays(nights[0] ?? today, -1));
  let looked = await lookAt(
    { db: tx, secrets, now, today },
    settings.filter(({ checkCode }) => !DATED.has(checkCode)),
  );
  for (const night of nights) {
    for (const deed of deeds) if (plusDays(today, deed.day + 1) === night) await perform(stage, parts, deed, '10:30');
    if (night === plusDays(today, MENDING + 1)) {
      await mend(stage);
      for (const deed of finished) await perform(stage, parts, deed, '16:30');
      const again = await lookAt(
        { db: tx, secrets, now, today },
        settings.filter(({ checkCode }) => MENDED.includes(checkCode)),
      );
      const anew = new Map(again.map((one) => [one.setting.checkCode, one]));
      looked = looked.map((one) => anew.get(one.setting.checkCode) ?? one);
    }
    const dated = await lookAt(
      { db: tx, secrets, now: at(night), today: night },
      settings.filter(({ checkCode }) => DATED.has(checkCode)),
    );
    const seen = looked.map((one): Looked => ({
      ...one,
      found: one.found.filter(({ subjectId }) => (since.get(sinceKey(one.setting.checkCode, subjectId)) ?? night) <= night),
    }));
    const ordered = [...seen, ...dated].toSorted((one, other) => (one.setting.checkCode < other.setting.checkCode ? -1 : 1));
    await writeRun(asSystem(stage.writing, { now: plusMs(at(night), 4_000), traceId: 'demo' }), parts.ports.notices, ordered, {
      startedAt: at(night),
      by: '系统',
    });
  }
}

/** Some of what was found is put right by those who should. */
async function mend(stage: Stage): Promise<void> {
  const { tx } = stage;
  const open = async (check: CheckCode, state: FindingState) =>
    (
      await own(tx)
        .selectFrom('policyAbnormalFinding')
        .selectAll()
        .where('checkCode', '=', check)
        .where('state', '=', state)
        .orderBy('id')
        .execute()
    ).filter((row) => row.policyId !== null);
  const step = (row: FindingRecord, kind: 'REMOVE' | 'CORRECT' | 'ADD') =>
    endorse(
      stage,
      { id: row.policyId!, coverageStart: plusDays(stage.today, -10) },
      { kind, day: MENDING, back: kind === 'REMOVE' ? 1 : 0, ...(kind !== 'ADD' && { only: [row.subjectId] }) },
      1,
      new Map(),
    );
  for (const row of (await open('AB13', 'FIXING')).slice(0, 1)) await step(row, 'REMOVE');
  for (const row of (await open('AB17', 'FIXING')).slice(0, 2)) await step(row, 'CORRECT');
  for (const row of await open('AB06', 'OPEN')) await step(row, 'ADD');
  for (const row of await open('AB05', 'OPEN')) await changePolicyState(stage, row.subjectId, 'start', plusDays(stage.today, MENDING + 1));
}

async function perform(
  stage: Stage,
  parts: Parts,
  { day, check, from, by, action, note = '', until, times = 1 }: Deed,
  time: string,
): Promise<void> {
  const acting = stage.at(plusDays(stage.today, day), time, by);
  const rows = await own(stage.tx)
    .selectFrom('policyAbnormalFinding')
    .selectAll()
    .where('checkCode', '=', check)
    .where('state', '=', from)
    .orderBy('id')
    .limit(times)
    .execute();
  const ignoreUntil = until === undefined ? undefined : plusDays(stage.today, until);
  for (const row of rows)
    await decide({ ...acting, staff: stage.staff(by) }, parts, row, action, { note, ...(ignoreUntil && { ignoreUntil }) });
}
