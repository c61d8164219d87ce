import { nextNumber, nextSerial } from '#kernel/server/command/numbers.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { patientRegistered } from '#events/patient.ts';
import type { IdType, Source } from '../../contract/dictionaries.ts';
import type { Gender } from '../../contract/fields.ts';
import { mask } from '#kernel/contract/masking.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { json, ownTx } from '../database.ts';
import { idNoColumns, mobileColumns } from '../sensitive.ts';
import type { Candidate } from './duplicates.ts';

export interface NewPerson {
  name: string;
  gender: Gender;
  idType: IdType | null;
  idNo: string | null;
  birthDate: string | null;
  mobile: string | null;
  adcode?: string | null;
  address?: string | null;
  source: Source;
  sourceId?: string | null;
  insurerId?: string | null;
  scanToken?: string | null;
  /** Facts that forms add. */
  more?: object;
}

export interface By {
  now: Instant;
  userId: string | null;
}

/** Writes a new record and tells who listens. */
export async function insertPatient(
  kernel: Kernel,
  writing: Writing,
  person: NewPerson,
  by: By,
): Promise<{ id: string; patientNo: string }> {
  const { secrets } = kernel;
  const row = await ownTx(writing.tx)
    .insertInto('patientPatient')
    .values({
      ...person.more,
      patientNo: await nextSerial(writing.tx, 'PT', 8),
      name: person.name,
      gender: person.gender,
      idType: person.idType,
      birthDate: person.birthDate,
      ...idNoColumns(secrets, person.idNo),
      ...mobileColumns(secrets, person.mobile),
      adcode: person.adcode ?? null,
      addressCipher: person.address ? secrets.encrypt(person.address) : null,
      source: person.source,
      sourceId: person.sourceId ?? null,
      insurerIds: person.insurerId ? [person.insurerId] : [],
      covers: json([]),
      ...createdColumns(by),
    })
    .returning(['id', 'patientNo'])
    .executeTakeFirstOrThrow();
  await writing.publish(patientRegistered, row.id, {
    patientId: row.id,
    operatorId: null,
    name: person.name,
    mobileMasked: person.mobile ? mask('mobile', person.mobile) : null,
    scanToken: person.scanToken ?? null,
    source: person.source,
  });
  return row;
}

/** Proposes to merge a new record into the likeliest older one. @returns its number; null when there is none or one is open */
export async function suggestMerge(
  kernel: Kernel,
  writing: Writing,
  fromId: string,
  candidates: readonly Candidate[],
  now: Instant,
): Promise<string | null> {
  const best = candidates[0];
  if (!best) return null;
  const mergeNo = await nextNumber(writing.tx, 'HB', dayOf(now));
  const made = await ownTx(writing.tx)
    .insertInto('patientMerge')
    .values({
      mergeNo,
      fromId,
      intoId: best.patientId,
      evidence: best.reasons,
      reason: '系统发现疑似重复档案',
      suggested: true,
      state: 'PENDING',
      makerId: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return null;
  await kernel.ports.notices.addTodo(
    writing.tx,
    {
      businessKey: `patient.merge:${made.id}`,
      title: `疑似重复档案待审批：${mergeNo}`,
      permission: patientPermissions['merge.audit'].code,
    },
    now,
  );
  return mergeNo;
}
