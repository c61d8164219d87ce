import { sql } from 'kysely';
import { dayOf, hours, minutes, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { sealed } from '#kernel/server/review/readings.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Db, Staff, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { takeLease } from '#kernel/server/lease/lease.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { addWorkingMinutes } from '#domains/identity/server/index.ts';
import { attachAll } from '#domains/files/server/index.ts';
import { titleRanks, type TitleCode } from '../../../contract/dictionaries.ts';
import { certNumber } from '../../certs/number.ts';
import { json, ownTx } from '../../database.ts';
import { demoCerts, type DemoCert } from '../../demo/certs.ts';
import { drawCerts } from '../../demo/pictures.ts';
import { mobileHashOf } from '../../doctors/entry/person.ts';
import { CERT_OWNER, CERT_PURPOSE } from '../files.ts';
import { findAgain } from '../checks/findings.ts';
import { factsInForce, type DoctorRow, type QualPayload, type Reading, type StoredCert } from '../payload.ts';
import { APPLY_TARGET } from '../submit.ts';
import { plans, type Plan } from './plans.ts';
import { writeTrail, type People } from './writeTrail.ts';

const STRANGER = '王伟';

/** A hospital's application that is not decided. */
interface WaitingHospital {
  id: string;
  name: string;
}
interface Stage {
  waiting: WaitingHospital | null;
  kernel: Kernel;
  now: Instant;
  today: Day;
  people: People;
}

async function personOf(kernel: Kernel, db: Db, userNames: readonly string[], now: Instant): Promise<Staff | null> {
  const { rows } = await sql<{ id: string }>`
    select r.id
      from identity_user_role r
      join identity_staff_user u on u.id = r.user_id
      where u.user_name = any(${[...userNames]})
      order by array_position(${[...userNames]}, u.user_name), r.id limit 1`.execute(db);
  return rows[0] ? kernel.ports.sessions.contextOf(db, rows[0].id, now) : null;
}

/** Facts that a first application proposes; of a change, the one that changes. */
function proposed(plan: Plan, row: DoctorRow, today: Day, waiting: WaitingHospital | null) {
  const inForce = factsInForce(row);
  const { doctor } = plan;
  if (plan.applyType === 'TITLE')
    return {
      ...inForce,
      titleCode: (Object.keys(titleRanks) as TitleCode[]).find(
        (code) => titleRanks[code] === Math.min(4, titleRanks[doctor.titleCode] + 1),
      )!,
    };
  if (waiting) return { ...inForce, hospitalId: null, hospitalApplyId: waiting.id, departmentId: null };
  if (plan.applyType === 'UPDATE') return { ...inForce, practiceScope: `${doctor.field[3]}、全科医学专业` };
  if (plan.applyType === 'RENEW') return inForce;
  return {
    ...inForce,
    titleCode: doctor.titleCode,
    practiceLevel: 'LICENSED' as const,
    practiceCategory: doctor.category,
    practiceScope: doctor.field[3],
    practiceSince: plusDays(today, -365 * doctor.practiceSinceYears),
  };
}

const kept: Readonly<Record<string, readonly string[]>> = { RENEW: ['PRACTICE'], TITLE: ['TITLE', 'BADGE'], UPDATE: ['PRACTICE'] };

/** What stands on a certificate, with the flaw that the plan wants. */
function printed(plan: Plan, cert: DemoCert, hospitalName: string, titleCode: string | null): Reading {
  const flawed = cert.certType === 'PRACTICE' || cert.certType === 'QUALIFICATION';
  return {
    certNo: plan.flaw === 'NUMBER' && cert.certType === 'QUALIFICATION' ? `${cert.certNo.slice(0, -6)}000000` : cert.certNo,
    holderName: plan.flaw === 'NAME' && cert.certType === 'PRACTICE' ? STRANGER : plan.doctor.name,
    ...(cert.certType === 'PRACTICE' ? { hospitalName: plan.flaw === 'HOSPITAL' ? '浙江康泰门诊部' : hospitalName } : {}),
    ...(cert.certType === 'TITLE' || cert.certType === 'BADGE' ? { titleCode: titleCode ?? plan.doctor.titleCode } : {}),
    ...(cert.validTo !== null && flawed ? { validTo: cert.validTo } : {}),
  };
}

async function storeCert(
  stage: Stage,
  writing: Writing,
  plan: Plan,
  cert: DemoCert,
  at: { id: string; hospitalName: string; titleCode: string | null; uploader: string },
): Promise<StoredCert> {
  const { kernel, now } = stage;
  const pictures = cert.pictures.map((picture) => {
    const rows = picture.rows.map(
      ([label, value]) =>
        [
          label,
          plan.flaw === 'NAME' && cert.certType === 'PRACTICE' && label === '姓名'
            ? STRANGER
            : plan.flaw === 'HOSPITAL' && label === '主要执业机构'
              ? '浙江康泰门诊部'
              : value,
        ] as const,
    );
    return { ...picture, rows };
  });
  const bodies = await drawCerts(pictures);
  const files = bodies.map((body, page) => ({
    purpose: CERT_PURPOSE,
    name: `${pictures[page]!.title}${page + 1}.jpg`,
    body,
    contentType: 'image/jpeg',
    createdBy: at.uploader,
    sensitive: true,
  }));
  const fileIds = (await kernel.ports.files.storeAll(writing.tx, files, now)).map(({ fileId }) => fileId);
  const read = printed(plan, cert, at.hospitalName, at.titleCode);
  return {
    id: at.id,
    certType: cert.certType,
    ...certNumber(kernel.secrets, plan.flaw === 'NUMBER' && cert.certType === 'QUALIFICATION' ? read.certNo! : cert.certNo),
    fileIds,
    holderName: plan.doctor.name,
    hospitalName: cert.certType === 'PRACTICE' ? at.hospitalName : null,
    titleCode: read.titleCode ?? null,
    hospitalId: null,
    issuer: cert.issuer,
    issuedOn: cert.validFrom,
    validFrom: cert.validFrom,
    validTo: cert.validTo,
    readCipher: sealed(kernel.secrets, read),
    confirmedCipher: null,
    verifySource: null,
    verifyFileId: null,
    verifiedBy: null,
  };
}

async function writeApply(stage: Stage, writing: Writing, plan: Plan): Promise<void> {
  const { kernel, now, today, people } = stage;
  const tx = ownTx(writing.tx);
  const row = await tx
    .selectFrom('doctorDoctor')
    .selectAll()
    .where('mobileHash', '=', mobileHashOf(kernel.secrets, plan.doctor.mobile))
    .executeTakeFirst();
  const uploader = people.ops ?? people.first;
  if (!row || !uploader) return;
  const submittedAt = plusMs(now, -hours(plan.hoursAgo));
  const ends = plan.applyType === 'RENEW' ? 730 : plan.flaw === 'EXPIRED' ? -20 : Math.min(600, Math.max(plan.doctor.practiceEnds, 200));
  const waiting = plan.moves ? stage.waiting : null;
  const facts = proposed(plan, row, today, waiting);
  const hospitalName = waiting?.name ?? row.hospitalName ?? '';
  const wanted = kept[plan.applyType];
  const certs = demoCerts(
    { ...plan.doctor, practiceEnds: ends, titleCode: facts.titleCode ?? plan.doctor.titleCode },
    hospitalName,
    today,
  ).filter(({ certType }) => !wanted || wanted.includes(certType));
  const stored: StoredCert[] = [];
  for (const cert of certs)
    stored.push(
      await storeCert(stage, writing, plan, cert, {
        id: String(stored.length + 1),
        hospitalName,
        titleCode: facts.titleCode,
        uploader: uploader.userId,
      }),
    );
  const payload: QualPayload = { facts, certs: stored, hospitalApplyName: waiting?.name ?? null };
  const { state } = plan;
  const decided = state === 'APPROVED' || state === 'REJECTED' || state === 'WITHDRAWN';
  const lease =
    state === 'REVIEWING'
      ? {
          leaseUserId: people.first!.userId,
          leaseUserName: people.first!.displayName,
          leaseToken: `demo-${plan.doctor.index}`,
          leaseUntil: plusMs(now, minutes(15)),
        }
      : {};
  const passed = state === 'RECHECK' || (state === 'APPROVED' && plan.round > 1);
  const staffEntered = plan.doctor.sourceType === 'STAFF' || plan.doctor.sourceType === 'IMPORT';
  const applyNo = await nextNumber(writing.tx, 'ZZ', dayOf(submittedAt));
  const apply = await tx
    .insertInto('doctorQualApply')
    .values({
      applyNo,
      doctorId: row.id,
      applyType: plan.applyType,
      payload: json(payload),
      before: json(factsInForce(row)),
      source: plan.doctor.sourceType,
      state,
      round: plan.round,
      submittedAt,
      dueAt: await addWorkingMinutes(writing.tx, submittedAt, 480),
      enteredBy: staffEntered ? (people.ops?.userId ?? null) : null,
      hospitalApplyId: waiting?.id ?? null,
      ...lease,
      ...(passed
        ? {
            firstAuditorId: people.first!.userId,
            firstAuditorName: people.first!.displayName,
            recheckReason: plan.recheckReason ?? 'LEVEL',
          }
        : {}),
      ...(state === 'APPROVED' ? { secondAuditorId: people.second?.userId ?? null } : {}),
      ...(state === 'RETURNED' ? { returnItems: ['PRACTICE'], returnedAt: plusMs(submittedAt, hours(4)) } : {}),
      ...(state === 'REJECTED' ? { rejectReasons: plan.flaw === 'NUMBER' ? ['N02', 'N07'] : ['N05'] } : {}),
      doctorWording: wordingOf(plan),
      ...(decided ? { decidedAt: plusMs(submittedAt, hours(5)) } : {}),
      createdAt: submittedAt,
      createdBy: staffEntered ? (people.ops?.userId ?? null) : null,
      updatedAt: plusMs(submittedAt, hours(state === 'PENDING' ? 0 : 1)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await attachAll(
    writing.tx,
    stored.map(({ fileIds, certType }) => ({
      fileIds,
      purpose: CERT_PURPOSE,
      ownerType: CERT_OWNER,
      ownerId: apply.id,
      field: certType,
      userId: uploader.userId,
    })),
    now,
  );
  if (state === 'REVIEWING') await takeLease(writing.tx, { type: APPLY_TARGET, id: apply.id }, people.first!, { minutes: 15, now });
  await findAgain(kernel, asSystem(writing, { now, traceId: 'demo' }), { ...apply, payload }, 1);
  if (state !== 'PENDING' && state !== 'WITHDRAWN') await judge(writing, apply.id, plan);
  await writeTrail(writing, { id: apply.id, applyNo, submittedAt, wording: wordingOf(plan) }, plan, people);
}

const wordingOf = ({ state, flaw }: Plan): string =>
  state === 'RETURNED'
    ? flaw === 'EXPIRED'
      ? '医师执业证已过期，请上传考核合格后的执业证'
      : '执业证上的姓名与身份证不一致，请重新上传'
    : state === 'REJECTED'
      ? flaw === 'NUMBER'
        ? '资格证编号在官网查询不到，请核对后重新申请'
        : '执业证上的机构与所填机构不同，请先办理变更注册'
      : '';

/** Verdicts of the first auditor: what passes is agreed to; what fails is overridden with a reason or left as failed. */
async function judge(writing: Writing, applyId: string, plan: Plan): Promise<void> {
  const overridden = plan.recheckReason === 'OVERRIDE';
  const half = plan.state === 'REVIEWING' ? sql`and check_code <= 'Q04'` : sql``;
  await sql`
    update doctor_qual_check
      set human_verdict = case
        when machine_result in ('PASS', 'WARN') or not hard then 'AGREE'
        else ${overridden ? 'OVERRIDE' : 'FAIL'}
      end,
        note = case when hard and machine_result in ('FAIL', 'UNKNOWN') then ${overridden ? '执业证为更名前所发，已致电发证机关核实为同一人' : '与证件不符'} else '' end
      where apply_id = ${applyId} ${half}`.execute(writing.tx);
}

/** Applications in every state with readable certificates, findings, verdicts and their history. */
export async function writeApplies(ctx: DemoContext): Promise<void> {
  const { kernel, now, db } = ctx;
  const person = (...names: string[]) => personOf(kernel, db, names, now);
  const people: People = { ops: await person('doc_ops'), first: await person('doc_a', 'admin'), second: await person('doc_med', 'admin') };
  const {
    rows: [waiting],
  } = await sql<WaitingHospital>`
    select id, name from institution_hospital_apply where apply_type = 'CREATE' and state = 'PENDING' order by id limit 1`.execute(db);
  const stage: Stage = { kernel, now, today: dayOf(now), people, waiting: waiting ?? null };
  for (let at = 0; at < plans.length; at += 10) {
    await ctx.transaction(async (writing) => {
      for (const plan of plans.slice(at, at + 10)) await writeApply(stage, writing, plan);
    });
  }
}
