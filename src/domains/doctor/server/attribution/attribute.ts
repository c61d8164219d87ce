import { sql } from 'kysely';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { attributionChanged } from '#events/doctor.ts';
import { getChannels, scanDetail, scansOfVisitor, verifyScanToken } from '#domains/channel/server/index.ts';
import { own, ownTx } from '../database.ts';
import { setDoctorChannel } from '../doctors/practice/publish.ts';
import { rememberNames } from './names.ts';

export type SubjectType = 'DOCTOR' | 'PATIENT';
const SCAN_DAYS = 30;

/** The scan that brings somebody: the newest one of his browser within 30 days. */
export interface BringingScan {
  scanId: string;
  channelId: string;
  sceneCodeId: string | null;
  agentId: string | null;
  doctorId: string | null;
  kind: string | null;
  at: Instant;
}

/**
 * R9, last touch: the visitor's newest valid scan within 30 days. A token that was changed or is too old brings nobody.
 */
export async function bringingScan(
  kernel: Pick<Kernel, 'secrets'>,
  db: Db,
  scanToken: string | null | undefined,
  now: Instant,
): Promise<BringingScan | null> {
  if (!scanToken) return null;
  let facts;
  try {
    facts = verifyScanToken(kernel, scanToken, now);
  } catch {
    return null;
  }
  const since = plusMs(now, -days(SCAN_DAYS));
  const newest = (await scansOfVisitor(db, facts.visitorId)).find(
    ({ at, channelId, result }) => result === 'OK' && channelId !== null && at >= since && at <= now,
  );
  if (!newest || newest.channelId === null) return null;
  const detail = await scanDetail(db, newest.scanId, newest.at);
  return {
    scanId: newest.scanId,
    channelId: newest.channelId,
    sceneCodeId: detail?.sceneCodeId ?? null,
    agentId: detail?.agentId ?? null,
    doctorId: detail?.doctorId ?? null,
    kind: detail?.kind ?? null,
    at: newest.at,
  };
}

export interface LiveAttribution {
  id: string;
  subjectType: SubjectType;
  subjectId: string;
  subjectName: string;
  channelId: string | null;
  sceneCodeId: string | null;
  agentId: string | null;
  viaDoctorId: string | null;
  scanId: string | null;
  method: string;
  startedAt: Instant;
}

/** The one attribution that holds now, per subject. */
export async function liveAttributionOf(db: Db, subjectType: SubjectType, ids: readonly string[]): Promise<LiveAttribution[]> {
  if (ids.length === 0) return [];
  const rows = await own(db)
    .selectFrom('doctorAttribution')
    .select(['id', 'subjectId', 'subjectName', 'channelId', 'sceneCodeId', 'agentId', 'viaDoctorId', 'scanId', 'method', 'startedAt'])
    .where('subjectType', '=', subjectType)
    .where('subjectId', 'in', [...ids])
    .where('endedAt', 'is', null)
    .execute();
  return rows.map((row) => ({ ...row, subjectType }));
}

interface NewSubject {
  subjectType: SubjectType;
  subjectId: string;
  subjectName: string;
  mobileMasked: string | null;
  scan: BringingScan | null;
  /** Chosen by staff. */
  staffChannelId?: string | null;
}

/** Opens the first attribution of a subject; whoever has one keeps it. @returns the one that holds. */
async function attribute(ctx: Acting, subject: NewSubject): Promise<LiveAttribution> {
  const { subjectType, subjectId, scan } = subject;
  const channel = !scan && subject.staffChannelId ? (await getChannels(ctx.tx, [subject.staffChannelId]))[0] : undefined;
  const via =
    subjectType === 'PATIENT' && scan?.doctorId
      ? await ownTx(ctx.tx).selectFrom('doctorDoctor').select('id').where('id', '=', scan.doctorId).executeTakeFirst()
      : undefined;
  const columns = scan
    ? {
        channelId: scan.channelId,
        sceneCodeId: scan.sceneCodeId,
        agentId: scan.agentId,
        scanId: scan.scanId,
        scannedAt: scan.at,
        method: 'SCAN' as const,
      }
    : channel
      ? { channelId: channel.id, agentId: channel.agentId, method: 'MANUAL' as const }
      : { channelId: null, agentId: null, method: 'ORGANIC' as const };
  const made = await ownTx(ctx.tx)
    .insertInto('doctorAttribution')
    .values({
      subjectType,
      subjectId,
      subjectName: subject.subjectName,
      mobileMasked: subject.mobileMasked,
      ...columns,
      viaDoctorId: via?.id ?? null,
      startedAt: ctx.now,
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['subjectType', 'subjectId']).where('endedAt', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  const [live] = await liveAttributionOf(ctx.tx, subjectType, [subjectId]);
  if (made) {
    await rememberNames(ctx, columns);
    if (subjectType === 'DOCTOR') await setDoctorChannel(ctx, subjectId, { channelId: columns.channelId, agentId: columns.agentId });
    await ctx.publish(attributionChanged, `${subjectType}:${subjectId}`, {
      subjectType,
      subjectId,
      fromChannelId: null,
      toChannelId: columns.channelId,
      agentId: columns.agentId,
      effectiveOn: ctx.today,
    });
  }
  return live!;
}

/** At registration: which channel brought a doctor (R9). */
export async function attributeDoctor(
  kernel: Pick<Kernel, 'secrets'>,
  ctx: Acting,
  doctor: { doctorId: string; scanToken?: string | null; staff?: { channelId: string | null } },
): Promise<LiveAttribution> {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorDoctor')
    .select(['name', 'mobileMasked'])
    .where('id', '=', doctor.doctorId)
    .executeTakeFirstOrThrow();
  const scan = await bringingScan(kernel, ctx.tx, doctor.scanToken, ctx.now);
  return attribute(ctx, {
    subjectType: 'DOCTOR',
    subjectId: doctor.doctorId,
    subjectName: row.name,
    mobileMasked: row.mobileMasked,
    scan,
    staffChannelId: doctor.staff?.channelId ?? null,
  });
}

/** The same of a patient; with a doctor's code he follows that doctor too. */
export async function attributePatient(
  kernel: Pick<Kernel, 'secrets'>,
  ctx: Acting,
  patient: { patientId: string; name: string; mobileMasked: string | null; scanToken?: string | null },
): Promise<LiveAttribution> {
  const [known] = await liveAttributionOf(ctx.tx, 'PATIENT', [patient.patientId]);
  if (known) return known;
  const scan = await bringingScan(kernel, ctx.tx, patient.scanToken, ctx.now);
  const live = await attribute(ctx, {
    subjectType: 'PATIENT',
    subjectId: patient.patientId,
    subjectName: patient.name,
    mobileMasked: patient.mobileMasked,
    scan,
  });
  if (live.viaDoctorId !== null)
    await onPatientAttributed(ctx, {
      doctorId: live.viaDoctorId,
      patientId: patient.patientId,
      source: scan?.kind === 'SCENE' ? 'SCENE_CODE' : 'CARD',
      orders: 0,
    });
  return live;
}

export type FirstSource = 'SCENE_CODE' | 'CARD' | 'SEARCH' | 'ASSIGN';

/** A patient has come to a doctor, again or for the first time. */
export async function onPatientAttributed(
  ctx: Pick<Acting, 'tx' | 'now'>,
  visit: { doctorId: string; patientId: string; source: FirstSource; orders: number },
): Promise<void> {
  await sql`
    insert into doctor_patient (doctor_id, patient_id, first_source, first_at, last_at, order_count, state, created_at, updated_at)
    values (
      ${visit.doctorId}, ${visit.patientId}, ${visit.source}, ${ctx.now}, ${ctx.now}, ${visit.orders}, 'FOLLOWING', ${ctx.now}, ${ctx.now}
    )
    on conflict (doctor_id, patient_id) do update
      set last_at = greatest(doctor_patient.last_at, excluded.last_at), order_count = doctor_patient.order_count + excluded.order_count,
        state = 'FOLLOWING', updated_at = excluded.updated_at`.execute(ctx.tx);
}
