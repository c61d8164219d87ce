import { createHash } from 'node:crypto';
import { fileErrors } from '#kernel/contract/fileErrors.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach, definePurpose, registerOwner } from '#domains/files/server/index.ts';
import type { patientErrors } from '../contract/errors.ts';
import { patientPermissions as may } from '../contract/permissions.ts';
import { openPatient } from './access.ts';
import { own } from './database.ts';

export const RECORD_PURPOSE = 'PATIENT_RECORD';
const OWNER = 'patient.patient';
/** Any of these rights opens the papers of a patient in one's scope. */
const READERS = [may['record.view'], may['realName.audit'], may['consent.view'], may['privacy.handle']].map(({ code }) => code);
export const TEXT_OWNER = 'patient.consentText';

/** Reports, certificates and papers of a patient; opened by whoever may open the record. */
export function registerRecordFiles(now: () => string): void {
  definePurpose({
    code: RECORD_PURPOSE,
    label: '病历资料与证明材料',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * 1024 * 1024,
    count: 9,
    sensitive: true,
    uploadPermissions: [
      may['record.edit'],
      may['patient.edit'],
      may['realName.verify'],
      may['realName.audit'],
      may['consent.edit'],
      may['privacy.handle'],
    ].map(({ code }) => code),
  });
  const opens = async (reader: Parameters<Parameters<typeof registerOwner>[1]['canRead']>[0], patientId: string, code: string) =>
    reader.staff.permissions.has(code) &&
    (await openPatient(reader.db, reader.staff, patientId, now()).then(
      () => true,
      () => false,
    ));
  registerOwner(OWNER, {
    canRead: async (reader, patientId) => {
      for (const right of READERS) if (await opens(reader, patientId, right)) return true;
      return false;
    },
    canReadOriginal: (reader, patientId) => opens(reader, patientId, may['patient.reveal'].code),
  });
  const readsTexts = async (reader: { staff: { permissions: ReadonlySet<string> } }) =>
    reader.staff.permissions.has(may['consent.view'].code);
  registerOwner(TEXT_OWNER, { canRead: readsTexts, canReadOriginal: readsTexts });
}

/** Binds uploaded files to a record. @throws Refusal SCM02014 */
export const attachFiles = (
  ctx: Pick<CommandContext, 'tx' | 'now'>,
  userId: string,
  patientId: string,
  field: string,
  fileIds: readonly string[],
): Promise<void> => attach(ctx.tx, { fileIds, purpose: RECORD_PURPOSE, ownerType: OWNER, ownerId: patientId, field, userId }, ctx.now);

/** Binds a file that the product made itself. */
export const attachProduced = (
  ctx: Pick<CommandContext, 'tx' | 'now'>,
  userId: string,
  patientId: string,
  field: string,
  fileId: string,
): Promise<void> => attach(ctx.tx, { fileIds: [fileId], purpose: 'EXPORT', ownerType: OWNER, ownerId: patientId, field, userId }, ctx.now);

/** @throws the given refusal when there is no file. */
export function requireFiles(
  fileIds: readonly (string | null)[],
  error: (typeof patientErrors)['ID_PHOTO' | 'DEATH_PROOF' | 'CONSENT_PROOF'],
): void {
  if (fileIds.filter(Boolean).length === 0) throw refuse(error);
}

/** SHA-256 of a stored file. @throws Refusal SCM02014 */
export async function fileHash(kernel: Kernel, tx: Tx, fileId: string): Promise<string> {
  const known = await own(tx).selectFrom('patientFileFact').select('sha256').where('fileId', '=', fileId).executeTakeFirst();
  if (known) return known.sha256;
  // Its inspection was not told yet: the bytes say it themselves.
  const { body } = await kernel.ports.files.openRead(tx, fileId).catch(() => {
    throw refuse(fileErrors.ATTACHMENT_UNUSABLE);
  });
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
