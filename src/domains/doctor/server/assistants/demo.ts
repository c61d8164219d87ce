import { sql } from 'kysely';
import { days, hours, minutes, plusDays, plusMs, dayOf, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { DutySpan } from '../../contract/rules/duty.ts';
import { json, ownTx } from '../database.ts';
import { mobileColumns } from '../doctors/entry/person.ts';
import { publishAssistant, publishBind } from './events.ts';

const ASSISTANTS = 16;
const OVERLOADED = [3, 9];
const ON_LEAVE = 5;
const DISABLED = 15;
const GROUPS = ['心血管组', '内分泌组', '呼吸组', '综合组'];
/** Share of the capacity that is in use, in percent, one after another. */
const LOADS = [45, 62, 30, 105, 78, 20, 88, 51, 66, 100, 12, 71, 39, 93, 57, 0];
/** Doctors of the one who is on leave, spread over three colleagues (story 4). */
const HANDED_OVER = 23;
/** Order numbers of this demonstration that no paid order has. */
const FIRST_ORDER = 900_000_000;

interface DemoAssistant {
  id: string;
  operatorId: string;
  userId: string;
  capacity: number;
}

const week = (index: number): DutySpan[] =>
  [1, 2, 3, 4, 5, ...(index % 3 === 0 ? [6, 7] : [])].map((weekday) =>
    index % 4 === 1
      ? { weekday, from: '08:30', to: '14:00' }
      : index % 4 === 2
        ? { weekday, from: '12:30', to: '18:30' }
        : { weekday, from: '08:30', to: '18:30' },
  );

async function writePeople(ctx: DemoContext, writing: Writing): Promise<DemoAssistant[]> {
  const { tx } = writing;
  const { rows: users } = await sql<{
    id: string;
    displayName: string;
  }>`
    select id, display_name
      from identity_staff_user
      where state = 'ENABLED' and user_name <> 'admin'
      order by (user_name ~ '^assist_[a-z]$') desc, id limit ${ASSISTANTS}`.execute(tx);
  const { rows: diseases } = await sql<{
    id: string;
  }>`select ref_id as id from doctor_ref_copy where kind = 'DISEASE' order by ref_id`.execute(tx);
  const made: DemoAssistant[] = [];
  for (const [index, user] of users.entries()) {
    const at = plusMs(ctx.now, -days(200 - index * 9));
    const state = index === ON_LEAVE ? 'LEAVE' : index === DISABLED ? 'DISABLED' : index % 6 === 4 ? 'OFF_DUTY' : 'ON_DUTY';
    const leader = index >= GROUPS.length ? made[index % GROUPS.length]!.id : null;
    const row = await ownTx(tx)
      .insertInto('doctorAssistant')
      .values({
        assistantNo: await nextNumber(tx, 'YZ', dayOf(at)),
        userId: user.id,
        name: user.displayName.slice(0, 30),
        ...mobileColumns(ctx.kernel.secrets, `1370000${String(1_000 + index)}`),
        groupName: GROUPS[index % GROUPS.length]!,
        leaderId: leader,
        capacity: index % 5 === 2 ? 20 : 40,
        diseaseIds: diseases
          .slice((index * 2) % Math.max(1, diseases.length), ((index * 2) % Math.max(1, diseases.length)) + 3)
          .map(({ id }) => id),
        dutyWeek: json(week(index)),
        state,
        leaveUntil: state === 'LEAVE' ? plusDays(dayOf(ctx.now), 5) : null,
        lastAssignedAt: state === 'DISABLED' ? null : plusMs(ctx.now, -minutes(7 * (index + 1))),
        createdAt: at,
        updatedAt: at,
      })
      .returning(['id', 'operatorId', 'userId', 'capacity'])
      .executeTakeFirstOrThrow();
    made.push(row);
    await publishAssistant(writing, row.id);
  }
  return made;
}

async function bindDoctor(
  writing: Writing,
  doctorId: string,
  assistant: DemoAssistant,
  role: 'PRIMARY' | 'BACKUP',
  at: Instant,
  transferId: string | null = null,
): Promise<void> {
  await ownTx(writing.tx)
    .insertInto('doctorAssistantBind')
    .values({ doctorId, assistantId: assistant.id, role, startedAt: at, transferId })
    .execute();
  await publishBind(writing, 'bound', { doctorId, assistant, role });
}

/** Primary and backups of the doctors who may be consulted; seven have nobody yet. */
async function writeBinds(ctx: DemoContext, writing: Writing, people: readonly DemoAssistant[]): Promise<void> {
  const doctors = await ownTx(writing.tx)
    .selectFrom('doctorDoctor')
    .select(['id', 'doctorNo', 'name'])
    .where('practiceOk', '=', true)
    .orderBy('id')
    .execute();
  const working = people.filter((_person, index) => index !== ON_LEAVE && index !== DISABLED);
  const colleagues = working.slice(0, 3);
  const away = people[ON_LEAVE];
  const handed = away ? doctors.slice(0, HANDED_OVER) : [];
  const transferId = away ? await writeTransfer(ctx, writing, away, colleagues, handed) : null;
  for (const [index, doctor] of doctors.entries()) {
    if (index % 17 === 16) continue;
    const isHanded = index < handed.length;
    const primary = isHanded ? colleagues[index % colleagues.length]! : working[index % working.length]!;
    await bindDoctor(
      writing,
      doctor.id,
      primary,
      'PRIMARY',
      plusMs(ctx.now, -days(isHanded ? 2 : 20 + (index % 90))),
      isHanded ? transferId : null,
    );
    const backup = working[(index + 5) % working.length]!;
    if (index % 3 !== 2 && backup.id !== primary.id)
      await bindDoctor(writing, doctor.id, backup, 'BACKUP', plusMs(ctx.now, -days(15 + (index % 60))));
  }
}

async function writeTransfer(
  ctx: DemoContext,
  writing: Writing,
  from: DemoAssistant,
  to: readonly DemoAssistant[],
  doctors: readonly { id: string; doctorNo: string; name: string }[],
): Promise<string> {
  const at = plusMs(ctx.now, -days(2));
  const names = new Map(
    (await ownTx(writing.tx).selectFrom('doctorAssistant').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  );
  const results = doctors.map((doctor, index) => ({
    doctorId: doctor.id,
    doctorNo: doctor.doctorNo,
    doctorName: doctor.name,
    role: 'PRIMARY',
    open: 0,
    toAssistantId: to[index % to.length]!.id,
    toName: names.get(to[index % to.length]!.id) ?? '',
    beforeBp: 4_000,
    afterBp: 4_000,
    ok: true,
    message: '已转移',
  }));
  const { id } = await ownTx(writing.tx)
    .insertInto('doctorAssistantTransfer')
    .values({
      transferNo: await nextNumber(writing.tx, 'ZY', dayOf(at)),
      fromAssistantId: from.id,
      scope: 'ALL',
      strategy: 'SPREAD',
      toAssistantIds: to.map((one) => one.id),
      withInquiries: true,
      reason: '请假交接',
      state: 'DONE',
      results: json(results),
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const doctor of doctors) {
    await ownTx(writing.tx)
      .insertInto('doctorAssistantBind')
      .values({
        doctorId: doctor.id,
        assistantId: from.id,
        role: 'PRIMARY',
        startedAt: plusMs(at, -days(90)),
        endedAt: at,
        endReason: '请假交接',
      })
      .execute();
  }
  return id;
}

/** Open orders up to each one's share, and what was answered before. */
async function writeLoad(tx: Tx, now: Instant, people: readonly DemoAssistant[]): Promise<void> {
  const rows: object[] = [];
  for (const [index, person] of people.entries()) {
    const { rows: doctors } = await sql<{
      id: string;
    }>`select doctor_id as id from doctor_assistant_bind where assistant_id = ${person.id} and ended_at is null order by id`.execute(tx);
    if (doctors.length === 0) continue;
    const open = Math.ceil((person.capacity * (OVERLOADED.includes(index) ? 100 + index : LOADS[index]!)) / 100);
    for (let n = 0; n < open + 12; n += 1) {
      rows.push({
        order_id: FIRST_ORDER + rows.length,
        doctor_id: doctors[n % doctors.length]!.id,
        assistant_id: person.id,
        open: n < open,
        taken_at: plusMs(now, n < open ? -hours(1 + (n % 30)) : -days(2 + n)),
        first_reply_sec: n % 4 === 3 ? null : 60 + ((n * 97 + index * 41) % 900),
      });
    }
  }
  await sql`
    insert into doctor_assistant_load (order_id, doctor_id, assistant_id, open, taken_at, first_reply_sec, updated_at)
      select order_id, doctor_id, assistant_id, open, taken_at, first_reply_sec, taken_at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
          order_id bigint, doctor_id bigint, assistant_id bigint, open boolean, taken_at timestamptz, first_reply_sec int
        )`.execute(tx);
  await sql`
    update doctor_assistant a
      set active_count = (select count(*) from doctor_assistant_load l where l.assistant_id = a.id and l.open)`.execute(tx);
}

/** 16 assistants (two overloaded, one on leave, one disabled), their doctors and what they have to do. */
export async function writeAssistants(ctx: DemoContext): Promise<void> {
  await ctx.transaction(async (writing) => {
    const people = await writePeople(ctx, writing);
    await writeBinds(ctx, writing, people);
    await writeLoad(writing.tx, ctx.now, people);
  });
}
