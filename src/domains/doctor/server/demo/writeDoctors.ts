import { sql } from 'kysely';
import { days, dayOf, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { ProducedFile } from '#kernel/server/ports.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { attachAll } from '#domains/files/server/index.ts';
import { findHospitalsNamed, getDepartment, getHospitals, hospitalOptions } from '#domains/institution/server/index.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import { accountMachine } from '../../contract/states.ts';
import { CERT_OWNER } from '../certs/files.ts';
import { certNumber } from '../certs/number.ts';
import { json, ownTx } from '../database.ts';
import { AVATAR_PURPOSE, DOCTOR_TARGET } from '../doctors/entry/files.ts';
import { idNoColumns, mobileColumns } from '../doctors/entry/person.ts';
import { publishDoctor } from '../doctors/practice/publish.ts';
import { CERT_PURPOSE } from '../qual/files.ts';
import { demoCerts, type DemoCert } from './certs.ts';
import { demoDoctors, type DemoDoctor } from './people.ts';
import { drawAvatar, drawCerts } from './pictures.ts';

const HOSPITALS = 60;
const AT_ONCE = 30;

interface Place {
  hospitalId: string;
  hospitalName: string;
  adcode: string;
  departments: { id: string; name: string }[];
}
interface Stage {
  kernel: Kernel;
  now: Instant;
  today: Day;
  uploader: string;
  places: Place[];
  diseases: ReadonlyMap<string, string>;
}

/** Diseases and people of other domains, as their events would have brought them. */
async function stageOf({ kernel, now, transaction }: DemoContext): Promise<Stage> {
  return transaction(async ({ tx }) => {
    await sql`
      insert into doctor_ref_copy (kind, ref_id, name, state, facts, updated_at)
        select 'DISEASE', id, disease_name, case available when 1 then 'ENABLED' else 'DISABLED' end,
            jsonb_build_object('code', disease_code), ${now}
          from corpus_disease
          on conflict do nothing`.execute(tx);
    await sql`
      insert into doctor_ref_copy (kind, ref_id, name, state, facts, updated_at)
        select 'CHANNEL', id, name, state, jsonb_build_object('no', channel_no, 'channelType', channel_type), ${now}
          from channel_channel
          on conflict do nothing`.execute(tx);
    await sql`
      insert into doctor_ref_copy (kind, ref_id, name, state, facts, updated_at)
        select 'AGENT', id, name, state, jsonb_build_object('no', agent_no), ${now}
          from pharma_agent
          on conflict do nothing`.execute(tx);
    const known = await ownTx(tx).selectFrom('doctorRefCopy').select(['refId', 'facts']).where('kind', '=', 'DISEASE').execute();
    const options = [...(await hospitalOptions(tx, { limit: HOSPITALS * 2 }))];
    const named = await findHospitalsNamed(
      tx,
      options.map(({ label }) => label),
    );
    const briefs = await getHospitals(
      tx,
      options.map(({ value }) => value),
    );
    const places = briefs
      .map(({ hospitalId, name, adcode }) => ({
        hospitalId,
        hospitalName: name,
        adcode,
        departments: named.find((one) => one.hospitalId === hospitalId)?.departments ?? [],
      }))
      .filter(({ departments }) => departments.length > 0)
      .slice(0, HOSPITALS);
    const { rows: users } = await sql<{
      id: string;
    }>`select id from identity_staff_user where user_name in ('doc_ops', 'admin') order by user_name desc limit 1`.execute(tx);
    return {
      kernel,
      now,
      today: dayOf(now),
      uploader: users[0]!.id,
      places,
      diseases: new Map(known.map(({ refId, facts }) => [String((facts as { code?: string }).code), refId])),
    };
  });
}

/** Whether the facts that only an approval writes are there. */
const qualified = ({ qualState }: DemoDoctor) => qualState === 'APPROVED' || qualState === 'EXPIRED';
const placeOf = ({ places }: Stage, { index }: DemoDoctor): Place => places[index % places.length]!;

/** A doctor with what was drawn of him: certificates page by page, a portrait of every second one. */
interface Painted {
  doctor: DemoDoctor;
  certs: DemoCert[];
  files: ProducedFile[];
}

async function paint(stage: Stage, doctors: readonly DemoDoctor[]): Promise<Painted[]> {
  const painted: Painted[] = [];
  for (const doctor of doctors) {
    const certs = qualified(doctor) ? demoCerts(doctor, placeOf(stage, doctor).hospitalName, stage.today) : [];
    const bodies = await drawCerts(certs.flatMap(({ pictures }) => pictures));
    const pages = certs.flatMap(({ pictures }) => pictures.map(({ title }, page) => `${title}${page + 1}.jpg`));
    const files = pages.map((name, at): ProducedFile => ({
      purpose: CERT_PURPOSE,
      name,
      body: bodies[at]!,
      contentType: 'image/jpeg',
      createdBy: stage.uploader,
      sensitive: true,
    }));
    if (qualified(doctor) && doctor.index % 2 === 0)
      files.push({
        purpose: AVATAR_PURPOSE,
        name: `${doctor.name}.jpg`,
        body: drawAvatar(doctor.name, doctor.index),
        contentType: 'image/jpeg',
        createdBy: stage.uploader,
      });
    painted.push({ doctor, certs, files });
  }
  return painted;
}

/** What stands on a certificate, as its auditor confirmed it. */
const printedOn = (certType: CertType, doctor: DemoDoctor, place: Place) => ({
  holderName: doctor.name,
  ...(certType === 'PRACTICE' || certType === 'BADGE' ? { hospitalName: place.hospitalName } : {}),
  ...(certType === 'TITLE' || certType === 'BADGE' ? { titleCode: doctor.titleCode } : {}),
});

async function writeCerts(
  stage: Stage,
  writing: Writing,
  { doctor, certs }: Painted,
  fileIds: readonly string[],
  doctorId: string,
): Promise<void> {
  const place = placeOf(stage, doctor);
  let page = 0;
  const files = certs.map(({ pictures }) => fileIds.slice(page, (page += pictures.length)));
  const uses = certs.map(({ certType }, at) => ({
    fileIds: files[at]!,
    purpose: CERT_PURPOSE,
    ownerType: CERT_OWNER,
    ownerId: doctorId,
    field: certType,
    userId: stage.uploader,
  }));
  const portrait = fileIds.slice(page);
  await attachAll(
    writing.tx,
    [
      ...uses,
      { fileIds: portrait, purpose: AVATAR_PURPOSE, ownerType: DOCTOR_TARGET, ownerId: doctorId, field: 'avatar', userId: stage.uploader },
    ],
    stage.now,
  );
  if (portrait[0])
    await ownTx(writing.tx).updateTable('doctorDoctor').set({ avatarFileId: portrait[0] }).where('id', '=', doctorId).execute();
  const replaced = doctor.accountState === 'CANCELLED';
  const rows = await ownTx(writing.tx)
    .insertInto('doctorCert')
    .values(
      certs.map((cert, at) => ({
        doctorId,
        certType: cert.certType,
        ...certNumber(stage.kernel.secrets, cert.certNo),
        fileIds: files[at]!,
        issuer: cert.issuer,
        validFrom: cert.validFrom,
        validTo: cert.validTo,
        verified: json(printedOn(cert.certType, doctor, place)),
        verifySource: cert.certType === 'PRACTICE' || cert.certType === 'QUALIFICATION' ? 'NHC' : 'MANUAL',
        verifiedBy: stage.uploader,
        state: replaced ? 'REPLACED' : cert.validTo !== null && cert.validTo < stage.today ? 'EXPIRED' : 'VALID',
        createdAt: stage.now,
        updatedAt: stage.now,
      })),
    )
    .returning(['id', 'certType', 'validFrom', 'validTo'])
    .execute();
  const practice = rows.find(({ certType }) => certType === 'PRACTICE');
  await ownTx(writing.tx)
    .insertInto('doctorPractice')
    .values({
      doctorId,
      hospitalId: place.hospitalId,
      isMain: true,
      validFrom: practice?.validFrom ?? null,
      validTo: practice?.validTo ?? null,
      certId: practice?.id ?? null,
      createdAt: stage.now,
      updatedAt: stage.now,
    })
    .execute();
}

async function writeDoctor(stage: Stage, writing: Writing, painted: Painted, fileIds: readonly string[]): Promise<void> {
  const { doctor } = painted;
  const at = plusMs(stage.now, -days(doctor.registered));
  const ctx = asSystem(writing, { now: at, traceId: 'demo' });
  const place = placeOf(stage, doctor);
  const department = place.departments.find(({ name }) => name === doctor.field[0]) ?? place.departments[0];
  const standard = department ? await getDepartment(writing.tx, department.id) : null;
  const passed = qualified(doctor);
  const where = {
    hospitalId: place.hospitalId,
    hospitalName: place.hospitalName,
    adcode: place.adcode,
    departmentId: department?.id ?? null,
    departmentName: department?.name ?? null,
    standardDeptCode: standard?.standardDeptCode ?? null,
  };
  const off = doctor.index % 29 === 11 && doctor.accountState === 'NORMAL' && doctor.qualState === 'APPROVED';
  const expired = doctor.qualState === 'EXPIRED' ? `医师执业证已过期（${plusDays(stage.today, doctor.practiceEnds)}）` : null;
  const row = await ownTx(writing.tx)
    .insertInto('doctorDoctor')
    .values({
      doctorNo: await nextNumber(writing.tx, 'YS', dayOf(at)),
      name: doctor.name,
      namePinyin: pinyinText(doctor.name),
      ...mobileColumns(stage.kernel.secrets, doctor.mobile),
      ...idNoColumns(stage.kernel.secrets, doctor.idNo),
      ...where,
      ...(passed
        ? {
            titleCode: doctor.titleCode,
            practiceLevel: 'LICENSED',
            practiceCategory: doctor.category,
            practiceScope: doctor.field[3],
            practiceSince: plusDays(stage.today, -365 * doctor.practiceSinceYears),
          }
        : {}),
      specialty: doctor.field[2],
      intro: `从事${doctor.field[0]}临床工作${doctor.practiceSinceYears}年，擅长${doctor.field[2]}。`,
      diseaseIds: doctor.field[1].flatMap((code) => stage.diseases.get(code) ?? []),
      sourceType: doctor.sourceType,
      accountState: doctor.accountState,
      qualState: doctor.qualState,
      qualReason: expired,
      submittedAt: doctor.qualState === 'NONE' ? null : plusMs(at, days(1)),
      practiceOk: doctor.qualState === 'APPROVED' && doctor.accountState === 'NORMAL',
      acceptState: off ? 'OFF' : 'ON',
      offFrom: off ? plusDays(stage.today, -2) : null,
      offUntil: off ? plusDays(stage.today, 12) : null,
      createdAt: at,
      updatedAt: at,
    })
    .returning(['id', 'doctorNo'])
    .executeTakeFirstOrThrow();
  await moveState(ctx, accountMachine, {
    targetType: DOCTOR_TARGET,
    targetId: row.id,
    targetNo: row.doctorNo,
    action: 'add',
    from: 'NORMAL',
  });
  const left = { ...asSystem(writing, { now: plusMs(stage.now, -days(4)), traceId: 'demo' }) };
  if (doctor.accountState === 'FROZEN')
    await moveState(left, accountMachine, {
      targetType: DOCTOR_TARGET,
      targetId: row.id,
      targetNo: row.doctorNo,
      action: 'freeze',
      from: 'NORMAL',
      opinion: '患者投诉待核实',
    });
  if (doctor.accountState === 'CANCELLED')
    await moveState(left, accountMachine, {
      targetType: DOCTOR_TARGET,
      targetId: row.id,
      targetNo: row.doctorNo,
      action: 'cancel',
      from: 'NORMAL',
      opinion: '医生本人申请注销',
    });
  if (passed) await writeCerts(stage, writing, painted, fileIds, row.id);
  await publishDoctor({ ...writing, now: stage.now }, row.id, ['name'], doctor.qualState === 'APPROVED' ? 'approved' : 'changed');
}

/** 180 doctors of 60 hospitals in every state, with certificates at every reminder day. */
export async function writeDoctors(ctx: DemoContext): Promise<void> {
  const stage = await stageOf(ctx);
  let ahead = paint(stage, demoDoctors.slice(0, AT_ONCE));
  for (let at = AT_ONCE; at < demoDoctors.length + AT_ONCE; at += AT_ONCE) {
    const painted = await ahead;
    // The next ones are drawn while these are written.
    ahead = paint(stage, demoDoctors.slice(at, at + AT_ONCE));
    await ctx.transaction(async (writing) => {
      const stored = await stage.kernel.ports.files.storeAll(
        writing.tx,
        painted.flatMap(({ files }) => files),
        stage.now,
      );
      let from = 0;
      for (const one of painted)
        await writeDoctor(
          stage,
          writing,
          one,
          stored.slice(from, (from += one.files.length)).map(({ fileId }) => fileId),
        );
    });
  }
}
