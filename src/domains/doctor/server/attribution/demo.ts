import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { days, plusDays, dayOf, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { labels } from '#domains/patient/server/index.ts';
import { ownTx } from '../database.ts';
import { rememberNames } from './names.ts';

const ATTRIBUTIONS = 2_000;
const CHANGES = 6;
const DAYS = 90;
const CHUNK = 500;
const FAMILY = '张王李赵刘陈杨黄周吴徐孙马朱胡林郭何高罗';
const GIVEN = [
  '建国',
  '秀英',
  '志强',
  '桂兰',
  '国庆',
  '丽华',
  '卫东',
  '玉梅',
  '海涛',
  '淑珍',
  '文斌',
  '晓红',
  '建军',
  '雪梅',
  '永强',
  '春燕',
];

/** The demonstration of patient numbers its people from here on, and has so many. */
const FIRST_PATIENT = 10_001;
const PATIENTS = 1_200;

export interface DemoPatient {
  patientId: string;
  name: string;
  mobile: string;
}
/** Patients of the demonstration, named as their records name them. */
export async function demoPatients(tx: Tx): Promise<DemoPatient[]> {
  const ids = Array.from({ length: PATIENTS }, (_, index) => String(FIRST_PATIENT + index));
  const known = new Map((await labels(tx, ids)).map(({ patientId, name }) => [patientId, name]));
  return ids.map((patientId, n) => ({
    patientId,
    name: known.get(patientId) ?? `${FAMILY[n % FAMILY.length]!}${GIVEN[(n * 7) % GIVEN.length]!}`,
    mobile: `139${String(10_000_000 + n * 37).slice(-8)}`,
  }));
}

interface Row {
  id: string;
  agentId: string | null;
}

const attributionOf = (now: Instant, n: number, channel: Row | null, at: Instant) =>
  channel === null
    ? { method: 'ORGANIC' as const, channelId: null, agentId: null, scanId: null, scannedAt: null }
    : n % 17 === 3
      ? { method: 'MANUAL' as const, channelId: channel.id, agentId: channel.agentId, scanId: null, scannedAt: null }
      : n % 23 === 5
        ? { method: 'IMPORT' as const, channelId: channel.id, agentId: channel.agentId, scanId: null, scannedAt: null }
        : {
            method: 'SCAN' as const,
            channelId: channel.id,
            agentId: channel.agentId,
            scanId: String(n),
            scannedAt: plusMs(at, -((n % 9) + 1) * 3_600_000) < now ? plusMs(at, -((n % 9) + 1) * 3_600_000) : at,
          };

async function writeAttributions({ tx }: Writing, now: Instant, channels: readonly Row[]): Promise<void> {
  const doctors = await ownTx(tx)
    .selectFrom('doctorDoctor as d')
    .select(['d.id', 'd.name', 'd.mobileMasked', 'd.createdAt'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('doctorAttribution as t').select('t.id').where('t.subjectType', '=', 'DOCTOR').whereRef('t.subjectId', '=', 'd.id'),
        ),
      ),
    )
    .orderBy('d.id')
    .execute();
  const rows = doctors.map((doctor, n) => {
    const at = doctor.createdAt;
    return {
      subjectType: 'DOCTOR' as const,
      subjectId: doctor.id,
      subjectName: doctor.name,
      mobileMasked: doctor.mobileMasked,
      viaDoctorId: null,
      ...attributionOf(now, n, n % 6 === 5 ? null : channels[n % channels.length]!, at),
      startedAt: at,
      createdAt: at,
      updatedAt: at,
    };
  });
  const known = await sql<{ n: number }>`select count(*)::int as n from doctor_attribution`.execute(tx);
  const people = await demoPatients(tx);
  const patients = people.slice(0, ATTRIBUTIONS - rows.length - known.rows[0]!.n).map(({ patientId, name, mobile }, index) => {
    const n = index + 1;
    const at = plusMs(now, -((n * 7919) % (DAYS * 24)) * 3_600_000 - 60_000);
    const facts = attributionOf(now, n, n % 4 === 2 ? null : channels[(n * 13) % channels.length]!, at);
    return {
      subjectType: 'PATIENT' as const,
      subjectId: patientId,
      subjectName: name,
      mobileMasked: mask('mobile', mobile),
      viaDoctorId: facts.method === 'SCAN' && n % 3 === 0 ? (doctors[n % Math.max(1, doctors.length)]?.id ?? null) : null,
      ...facts,
      startedAt: at,
      createdAt: at,
      updatedAt: at,
    };
  });
  const all = [...rows, ...patients];
  for (let from = 0; from < all.length; from += CHUNK)
    await ownTx(tx)
      .insertInto('doctorAttribution')
      .values(all.slice(from, from + CHUNK))
      .execute();
  await sql`
    update doctor_doctor d
      set channel_id = t.channel_id, agent_id = t.agent_id
      from doctor_attribution t
      where t.subject_type = 'DOCTOR' and t.subject_id = d.id and t.ended_at is null`.execute(tx);
}

/** What patient's events would have told of its people. */
async function writePatientCopies({ tx }: Writing, now: Instant): Promise<void> {
  const ids = Array.from({ length: PATIENTS }, (_, index) => String(FIRST_PATIENT + index));
  const people = (await labels(tx, ids)).map(({ patientId, name, mobileMasked, realNameState }) => ({
    id: patientId,
    name,
    facts: { mobileMasked, realName: realNameState },
  }));
  await sql`
    insert into doctor_ref_copy (kind, ref_id, name, state, facts, updated_at)
      select 'PATIENT', id, name, 'NORMAL', facts, ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p(id bigint, name text, facts jsonb)
        on conflict do nothing`.execute(tx);
}

/** Three wait, one waits for its day, one was refused, one was taken back. */
async function writeChanges({ tx }: Writing, now: Instant, channels: readonly Row[]): Promise<void> {
  const [maker, checker] = ['doc_ops', 'doc_a'].map(
    (userName) => sql<{ id: string }>`select id from identity_staff_user where user_name = ${userName}`,
  );
  const makerId = (await maker!.execute(tx)).rows[0]?.id ?? '1';
  const checkerId = (await checker!.execute(tx)).rows[0]?.id ?? '2';
  const subjects = await ownTx(tx)
    .selectFrom('doctorAttribution')
    .selectAll()
    .where('endedAt', 'is', null)
    .where('channelId', 'is not', null)
    .where('method', '=', 'SCAN')
    .orderBy('id')
    .limit(CHANGES * 40)
    .execute();
  const states = ['PENDING', 'PENDING', 'PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'] as const;
  for (const [n, state] of states.entries()) {
    const subject = subjects[n * 40]!;
    const to = channels.find(({ id }) => id !== subject.channelId && Number(id) > n * 3)!;
    const at = plusMs(now, -days(n) - 3_600_000);
    const decided = state === 'APPROVED' || state === 'REJECTED';
    await ownTx(tx)
      .insertInto('doctorAttributionChange')
      .values({
        changeNo: await nextNumber(tx, 'GS', dayOf(at)),
        subjectType: subject.subjectType,
        subjectId: subject.subjectId,
        subjectName: subject.subjectName,
        fromChannelId: subject.channelId,
        toChannelId: to.id,
        fromAgentId: subject.agentId,
        toAgentId: to.agentId,
        effectiveOn: plusDays(dayOf(now), n + 1),
        reason: [
          '代表交接，按协议调整归属',
          '患者确认由院内推荐到诊',
          '扫码归属与实际推广人不符',
          '渠道合并，归属随新渠道',
          '推广协议变更',
          '误操作申请',
        ][n]!,
        source: n === 3 ? 'IMPORT' : 'MANUAL',
        makerId,
        state,
        ...(decided && {
          checkerId,
          decidedAt: plusMs(at, 1_800_000),
          opinion: state === 'REJECTED' ? '证明材料不足，请补充协议' : '材料齐全，同意',
        }),
        createdAt: at,
        createdBy: makerId,
        updatedAt: at,
      })
      .execute();
  }
}

/** 2,000 attributions of doctors and patients, and six changes. */
export async function writeAttributionDemo({ transaction, now }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const found = await getChannels(
      writing.tx,
      Array.from({ length: 60 }, (_, n) => String(n + 1)),
    );
    const channels = found.filter(({ state }) => state === 'ENABLED').map(({ id, agentId }) => ({ id, agentId }));
    if (channels.length === 0) return;
    for (const { id, agentId } of channels) await rememberNames({ tx: writing.tx, now }, { channelId: id, agentId });
    await writePatientCopies(writing, now);
    await writeAttributions(writing, now, channels);
    await writeChanges(writing, now, channels);
  });
}
