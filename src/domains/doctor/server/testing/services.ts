import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addInquiryServiceCategory } from '../../contract/calls/categories.ts';
import { addServiceItem, changeServiceItemState } from '../../contract/calls/items.ts';
import { addServiceOpening, auditServiceOpening, queryOpeningApplyList } from '../../contract/calls/openings.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import type { ServiceConfigContent } from '../../contract/calls/config.ts';

export const NONE = '999999999';
let serial = 0;
const next = () => (serial += 1);
const all = Object.values(doctorPermissions).map(({ code }) => code);

const people = new WeakMap<TestApp, Map<string, Promise<TestStaff>>>();
/** Somebody with every right of the domain; another name is another person. */
export function operator(app: TestApp, name = 'maker'): Promise<TestStaff> {
  const known = people.get(app) ?? new Map<string, Promise<TestStaff>>();
  people.set(app, known);
  // Sessions end when the clock is moved by hours.
  const key = `${name}@${app.clock.now().slice(0, 13)}`;
  const there = known.get(key) ?? app.staff({ permissions: all });
  known.set(key, there);
  return there;
}

interface DoctorFacts {
  name?: string;
  titleCode?: string;
  practiceLevel?: string;
  practiceSince?: string;
  practiceOk?: boolean;
  adcode?: string;
}

/** A doctor who may sell services, by direct rows. */
export async function makeSeller(
  app: TestApp,
  {
    name = '李文博',
    titleCode = 'ATTENDING',
    practiceLevel = 'LICENSED',
    practiceSince = '2010-01-01',
    practiceOk = true,
    adcode = '330106',
  }: DoctorFacts = {},
): Promise<string> {
  const n = next();
  const { rows } = await sql<{ id: string }>`
    insert into doctor_doctor (
      doctor_no, name, name_pinyin, mobile_cipher, mobile_hash, mobile_masked, hospital_id, title_code, practice_level, practice_category,
      practice_since, adcode, source_type, qual_state, practice_ok, created_at, updated_at
    )
      values (
        ${`YS20261120${String(800_000 + n)}`}, ${name}, 'liwenbo lwb', ${app.kernel.secrets.encrypt('13800000000')}, ${`services${n}`},
        '138****0000', '1', ${titleCode}, ${practiceLevel}, 'CLINICAL', ${practiceSince}, ${adcode}, 'STAFF',
        ${practiceOk ? 'APPROVED' : 'EXPIRED'}, ${practiceOk}, ${app.clock.now()}, ${app.clock.now()}
      )
      returning id`.execute(app.db);
  return rows[0]!.id;
}

export const makeGroup = async (app: TestApp, change: Partial<InputOf<typeof addInquiryServiceCategory>> = {}) =>
  app.ok(addInquiryServiceCategory, { name: `分类${next()}`, ...change }, { as: await operator(app) });

const band = { minFen: 3_000, defaultFen: 9_900, maxFen: 20_000 };
export const priceBands = { CHIEF: band, ASSOCIATE: band, ATTENDING: band, RESIDENT: band };

export const itemFields = (categoryId: string) => ({
  name: `图文问诊${next()}`,
  itemType: 'TEXT' as const,
  careKind: 'CONSULT' as const,
  categoryId,
  billing: 'REPLIES' as const,
  quotaReplies: 20,
  priceBands,
  acceptHours: 24,
  replyHours: 24,
  validHours: 72,
  titleMin: 'RESIDENT' as const,
});

/** An item on the shelf. */
export async function makeItem(app: TestApp, change: Partial<InputOf<typeof addServiceItem>> = {}, on = true): Promise<string> {
  const as = await operator(app);
  const categoryId = String(change.categoryId ?? (await makeGroup(app)).id);
  const { id } = await app.ok(addServiceItem, { itemCode: `ITEM_${next()}`, ...itemFields(categoryId), ...change }, { as });
  if (on) await app.ok(changeServiceItemState, { id, version: 1, action: 'on' }, { as });
  return id;
}
export const videoItem = { itemType: 'VIDEO', billing: 'TIME', quotaReplies: null, durationMin: 15 } as const;
export const mondayMorning = [{ weekday: 1, from: '09:00', to: '10:00', quota: 2 }];

/** Somebody asks; nobody has decided. */
export async function applyFor(app: TestApp, change: Partial<InputOf<typeof addServiceOpening>> = {}) {
  const doctorId = String(change.doctorId ?? (await makeSeller(app)));
  const itemId = String(change.itemId ?? (await makeItem(app)));
  const { id, applyNo } = await app.ok(addServiceOpening, { priceFen: 9_900, ...change, doctorId, itemId }, { as: await operator(app) });
  const { rows } = await app.ok(queryOpeningApplyList, { applyNo }, { as: await operator(app) });
  return { id, applyNo, applyId: rows[0]!.id, doctorId, itemId };
}

/** An opening that somebody else has approved: version 2. */
export async function openFor(app: TestApp, change: Partial<InputOf<typeof addServiceOpening>> = {}) {
  const opening = await applyFor(app, change);
  await app.ok(auditServiceOpening, { applyId: opening.applyId, version: 1, action: 'approve' }, { as: await operator(app, 'checker') });
  return opening;
}

export const configContent = (change: Partial<ServiceConfigContent> = {}): ServiceConfigContent => ({
  acceptHours: 24,
  replyHours: 24,
  remindBeforeMin: [60, 15],
  slotMinutes: 30,
  maxOpenPerDoctor: 10,
  dailyLimitDefault: 20,
  nightClosed: { from: '22:00', to: '08:00' },
  refundAutoFen: 5_000,
  agreementFileId: null,
  crisisWords: ['自杀'],
  ...change,
});
