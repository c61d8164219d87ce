import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Writing, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { patientProfileChanged } from '#events/patient.ts';
import type { Relation } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { lockPatient, seesPatient, seesPersonOf, type Seer } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { mobileColumns, mobileHash } from '../sensitive.ts';
import { requireMobile } from './check.ts';
import { sql, type SqlBool } from 'kysely';

const MOST_PERSONS = 10;

interface Binding {
  operatorId: string;
  mobile: string;
  nick: string;
  avatarFileId: string | null;
  openIds: readonly string[];
  patientId?: string | undefined;
  relation: Relation;
  isDefault: boolean;
  /** Who binds: a person outside his scope is none. */
  seer: Seer;
}

/** Live persons of an account, the default one first. */
export async function personsOfAccount(db: Db, operatorId: string, as?: { seer: Seer; now: Instant }) {
  const rows = await own(db)
    .selectFrom('patientAccountPerson as l')
    .innerJoin('patientPatient as a', 'a.id', 'l.patientId')
    .select(['l.patientId', 'a.mergedIntoId', 'a.name', 'l.relation', 'l.isDefault'])
    .where('l.operatorId', '=', operatorId)
    .where('l.removedAt', 'is', null)
    .where(as ? seesPersonOf('l.patientId', as.seer, as.now) : sql<SqlBool>`true`)
    .orderBy('l.isDefault', 'desc')
    .orderBy('l.id')
    .execute();
  return rows.map(({ mergedIntoId, ...row }) => ({ ...row, patientId: mergedIntoId ?? row.patientId, relation: row.relation }));
}

/** A recycled mobile number: its old holder keeps the history and loses the number (R2). */
async function releaseMobile(writing: Pick<Writing, 'tx'>, hash: string, operatorId: string, now: Instant): Promise<void> {
  const tx = ownTx(writing.tx);
  const others = await tx
    .updateTable('patientAccount')
    .set({ mobileCipher: null, mobileHash: null, mobileMasked: null, updatedAt: now })
    .where('mobileHash', '=', hash)
    .where('operatorId', '<>', operatorId)
    .returning('operatorId')
    .execute();
  if (others.length === 0) return;
  await tx
    .updateTable('patientPatient')
    .set((eb) => ({ mobileCipher: null, mobileHash: null, mobileMasked: null, version: eb('version', '+', 1), updatedAt: now }))
    .where('mobileHash', '=', hash)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('patientAccountPerson')
        .select('patientId')
        .where(
          'operatorId',
          'in',
          others.map((row) => row.operatorId),
        )
        .where('relation', '=', 'SELF')
        .where('removedAt', 'is', null),
    )
    .execute();
}

async function link(writing: Pick<Writing, 'tx'>, binding: Binding & { patientId: string }, now: Instant): Promise<void> {
  const tx = ownTx(writing.tx);
  const seen = await lockPatient(writing.tx, binding.seer, binding.patientId, now);
  const links = await tx
    .selectFrom('patientAccountPerson')
    .selectAll()
    .where('operatorId', '=', binding.operatorId)
    .where('removedAt', 'is', null)
    .execute();
  if (links.some(({ patientId }) => seen.groupIds.includes(patientId))) return;
  if (links.length >= MOST_PERSONS) throw refuse(patientErrors.PERSON_LIMIT);
  if (binding.relation === 'SELF') {
    if (links.some(({ relation }) => relation === 'SELF')) throw refuseField('relation', '该账号已绑定本人，不能更换');
    const taken = await tx
      .selectFrom('patientAccountPerson')
      .select('id')
      .where('patientId', 'in', seen.groupIds)
      .where('relation', '=', 'SELF')
      .where('removedAt', 'is', null)
      .executeTakeFirst();
    if (taken) throw refuseField('patientId', '该患者已绑定其他账号');
  }
  const isDefault = links.length === 0 || binding.isDefault;
  if (isDefault)
    await tx
      .updateTable('patientAccountPerson')
      .set({ isDefault: false })
      .where('operatorId', '=', binding.operatorId)
      .where('isDefault', '=', true)
      .execute();
  await tx
    .insertInto('patientAccountPerson')
    .values({ operatorId: binding.operatorId, patientId: seen.id, relation: binding.relation, isDefault, addedAt: now })
    .execute();
}

/**
 * A login of the patient's client: keeps the account and, when a person is named, binds him.
 * @throws Refusal SCM09018 for the eleventh person
 */
export async function bind(kernel: Kernel, writing: Writing, binding: Binding, now: Instant): Promise<{ created: boolean }> {
  requireMobile(binding.mobile);
  const tx = ownTx(writing.tx);
  const before = await tx
    .selectFrom('patientAccount')
    .selectAll()
    .where('operatorId', '=', binding.operatorId)
    .forUpdate()
    .executeTakeFirst();
  if (before && before.state !== 'ACTIVE') throw refuseField('operatorId', before.state === 'FROZEN' ? '该账号已冻结' : '该账号已注销');
  const columns = {
    ...mobileColumns(kernel.secrets, binding.mobile),
    nick: binding.nick,
    avatarFileId: binding.avatarFileId,
    openIds: [...binding.openIds],
    lastLoginAt: now,
    updatedAt: now,
  };
  if (before)
    await tx
      .updateTable('patientAccount')
      .set((eb) => ({ ...columns, version: eb('version', '+', 1) }))
      .where('operatorId', '=', binding.operatorId)
      .execute();
  else
    await tx
      .insertInto('patientAccount')
      .values({ ...columns, operatorId: binding.operatorId, createdAt: now })
      .execute();
  await releaseMobile(writing, mobileHash(kernel.secrets, binding.mobile), binding.operatorId, now);
  if (binding.patientId !== undefined) await link(writing, { ...binding, patientId: binding.patientId }, now);
  const [person] = await personsOfAccount(writing.tx, binding.operatorId);
  if (person && (before?.nick !== binding.nick || before.avatarFileId !== binding.avatarFileId)) {
    await writing.publish(patientProfileChanged, person.patientId, {
      patientId: person.patientId,
      operatorId: binding.operatorId,
      nick: binding.nick || person.name,
      avatarFileId: binding.avatarFileId,
    });
  }
  return { created: before === undefined };
}

/** Persons without an account who have this mobile: the patient is asked whether one of them is he. */
export const candidatesOf = (kernel: Kernel, db: Db, mobile: string, seer: Seer, now: Instant) =>
  own(db)
    .selectFrom('patientPatient as p')
    .select(['p.id as patientId', 'p.name', 'p.idNoMasked'])
    .where('p.mobileHash', '=', mobileHash(kernel.secrets, mobile))
    .where('p.state', '=', 'ACTIVE')
    .where(seesPatient(seer, now))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('patientAccountPerson as l').select('l.id').whereRef('l.patientId', '=', 'p.id').where('l.removedAt', 'is', null),
        ),
      ),
    )
    .orderBy('p.id')
    .limit(10)
    .execute();

/** The account through which a person is reached: his own, else the one that added him first; null when he has none. */
export async function accountOfPerson(
  db: Db | Tx,
  patientId: string,
): Promise<{ operatorId: string; name: string; mobileMasked: string | null } | null> {
  const { rows } = await sql<{ operatorId: string; name: string; mobileMasked: string | null }>`
    select l.operator_id, p.name, c.mobile_masked
      from patient_patient a
      join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
      join patient_patient m on coalesce(m.merged_into_id, m.id) = p.id
      join patient_account_person l on l.patient_id = m.id and l.removed_at is null
      join patient_account c on c.operator_id = l.operator_id and c.state <> 'CANCELLED'
      where a.id = ${patientId}
      order by (l.relation = 'SELF') desc, l.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Accounts that use a mobile now. */
export async function accountsByMobile(kernel: Pick<Kernel, 'secrets'>, db: Db, mobile: string): Promise<string[]> {
  const rows = await own(db)
    .selectFrom('patientAccount')
    .select('operatorId')
    .where('mobileHash', '=', mobileHash(kernel.secrets, mobile))
    .execute();
  return rows.map(({ operatorId }) => operatorId);
}

/** Whether these are the last four digits of the account's mobile; false for an account without one. */
export async function mobileEndsWith(kernel: Pick<Kernel, 'secrets'>, db: Db | Tx, operatorId: string, digits: string): Promise<boolean> {
  const row = await own(db).selectFrom('patientAccount').select('mobileCipher').where('operatorId', '=', operatorId).executeTakeFirst();
  return row?.mobileCipher != null && kernel.secrets.decrypt(row.mobileCipher).endsWith(digits);
}

/** Records that a mobile belongs to: their own, or that of an account they stand in. */
export async function personsByMobile(kernel: Pick<Kernel, 'secrets'>, db: Db, mobile: string): Promise<string[]> {
  const hash = mobileHash(kernel.secrets, mobile);
  const { rows } = await sql<{ id: string }>`
    select a.id
      from patient_patient a
      where a.mobile_hash = ${hash}
    union
    select ap.patient_id
      from patient_account_person ap
      join patient_account ac on ac.operator_id = ap.operator_id
      where ac.mobile_hash = ${hash} and ap.removed_at is null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Records of numbers as people write them. */
export async function personsByNo(db: Db | Tx, numbers: readonly string[]): Promise<{ patientNo: string; patientId: string }[]> {
  const wanted = numbers.filter((one) => /^PT\d{8}$/.test(one));
  return wanted.length === 0
    ? []
    : own(db).selectFrom('patientPatient').select(['patientNo', 'id as patientId']).where('patientNo', 'in', wanted).execute();
}
