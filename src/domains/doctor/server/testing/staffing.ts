import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addAssistant, bindAssistant, changeAssistantState } from '../../contract/calls/assistants.ts';
import { doctorPermissions } from '../../contract/permissions.ts';

export const NONE = '999999999';
let serial = 0;
const next = () => (serial += 1);

const all = Object.values(doctorPermissions).map(({ code }) => code);
/** Somebody who may do everything here. */
export const keeper = (app: TestApp, scope = {}): Promise<TestStaff> => app.staff({ permissions: all, scope });

/** A doctor who may be consulted, by direct rows. */
export async function makeDoctor(
  app: TestApp,
  change: { name?: string; practiceOk?: boolean; adcode?: string; diseaseIds?: readonly string[]; hospitalId?: string } = {},
): Promise<string> {
  const n = next();
  const ok = change.practiceOk ?? true;
  const { rows } = await sql<{ id: string }>`
    insert into doctor_doctor (
      doctor_no, name, name_pinyin, mobile_cipher, mobile_hash, mobile_masked, hospital_id, title_code, adcode, disease_ids, specialty,
      source_type, qual_state, practice_ok, created_at, updated_at
    )
      values (
        ${`YS20261121${900_000 + n}`}, ${change.name ?? '李文博'}, 'liwenbo lwb', ${app.kernel.secrets.encrypt('13800000000')},
        ${`staffing${n}`}, '138****0000', ${change.hospitalId ?? '1'}, 'ASSOCIATE', ${change.adcode ?? '330106'},
        ${[...(change.diseaseIds ?? [])]}::bigint[], '高血压与冠心病的长期管理', 'STAFF', ${ok ? 'APPROVED' : 'NONE'}, ${ok}, ${app.clock.now()},
        ${app.clock.now()}
      )
      returning id`.execute(app.db);
  return rows[0]!.id;
}

/** Every half hour of every day. */
export const always = Array.from({ length: 7 }, (_, day) => ({ weekday: day + 1, from: '08:30', to: '18:30' }));

export async function makeAssistant(
  app: TestApp,
  change: Partial<InputOf<typeof addAssistant>> & { active?: number; onDuty?: boolean } = {},
): Promise<string> {
  const as = await keeper(app);
  const { active = 0, onDuty = true, ...fields } = change;
  const userId = (await app.staff({ permissions: [] })).userId;
  const { id } = await app.ok(
    addAssistant,
    { userId, mobile: '13812345678', groupName: '一组', capacity: 40, dutyWeek: always, ...fields },
    { as },
  );
  if (onDuty) await app.ok(changeAssistantState, { id, version: 1, action: 'goOn' }, { as });
  if (active > 0) await giveOrders(app, id, await makeDoctor(app), active);
  return id;
}

/** Open orders of an assistant for a doctor, as consultation's events leave them. */
export async function giveOrders(app: TestApp, assistantId: string, doctorId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await sql`
      insert into doctor_assistant_load (order_id, doctor_id, assistant_id, open, taken_at, updated_at)
        values (${900_000 + next()}, ${doctorId}, ${assistantId}, true, ${app.clock.now()}, ${app.clock.now()})`.execute(app.db);
  }
  await sql`update doctor_assistant set active_count = active_count + ${count} where id = ${assistantId}`.execute(app.db);
}

export async function bound(
  app: TestApp,
  assistantId: string,
  doctorIds: readonly string[],
  role: 'PRIMARY' | 'BACKUP' = 'PRIMARY',
): Promise<void> {
  await app.ok(bindAssistant, { assistantId, doctorIds: [...doctorIds], role }, { as: await keeper(app) });
}
