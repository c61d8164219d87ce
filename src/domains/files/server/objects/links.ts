import { refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import { fileErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';

export interface Attachment {
  fileIds: readonly string[];
  purpose: string;
  ownerType: string;
  ownerId: string;
  field: string;
  /** Whoever attaches: only his own uploads, or files that the owner has already. */
  userId: string;
}

/**
 * Says in the owners' transaction that records use files; they are then kept. Three statements, however many.
 * @throws Refusal SCM02014 for files of others, of another purpose, or not READY.
 */
export async function attachAll(tx: Tx, attachments: readonly Attachment[], now: string): Promise<void> {
  const used = attachments.filter(({ fileIds }) => fileIds.length > 0);
  const all = [...new Set(used.flatMap(({ fileIds }) => fileIds))];
  if (all.length === 0) return;
  const files = new Map(
    (
      await own(tx)
        .selectFrom('filesFileObject')
        .select(['id', 'createdBy', 'purpose', 'state'])
        .where('id', 'in', all)
        .orderBy('id')
        .forUpdate()
        .execute()
    ).map((file) => [file.id, file]),
  );
  const linked = await own(tx).selectFrom('filesFileLink').select(['fileId', 'ownerType', 'ownerId']).where('fileId', 'in', all).execute();
  const known = new Set(linked.map(({ fileId, ownerType, ownerId }) => `${fileId}/${ownerType}/${ownerId}`));
  const isUsable = (fileId: string, { purpose, userId, ownerType, ownerId }: Attachment) => {
    const file = files.get(fileId);
    return (
      file?.state === 'READY' && file.purpose === purpose && (file.createdBy === userId || known.has(`${fileId}/${ownerType}/${ownerId}`))
    );
  };
  if (!used.every((attachment) => attachment.fileIds.every((fileId) => isUsable(fileId, attachment))))
    throw refuse(fileErrors.ATTACHMENT_UNUSABLE);
  await own(tx)
    .insertInto('filesFileLink')
    .values(
      used.flatMap(({ fileIds, ownerType, ownerId, field }) =>
        [...new Set(fileIds)].map((fileId) => ({ fileId, ownerType, ownerId, field, linkedAt: now })),
      ),
    )
    .onConflict((conflict) =>
      conflict.columns(['fileId', 'ownerType', 'ownerId', 'field']).doUpdateSet({ unlinkedAt: null, linkedAt: now }),
    )
    .execute();
}

/** The same for one record. */
export const attach = (tx: Tx, attachment: Attachment, now: string): Promise<void> => attachAll(tx, [attachment], now);

export interface FileUse {
  fileId: string;
  purpose: string;
  state: string;
  createdBy: string | null;
  /** Records that use it now. */
  owners: readonly { ownerType: string; ownerId: string }[];
}

/** What files are for and who uses them, locked: for owners whose rules allow more than one's own uploads. */
export async function usesOf(tx: Tx, fileIds: readonly string[]): Promise<FileUse[]> {
  const ids = [...new Set(fileIds)].filter((id) => /^\d{1,18}$/.test(id));
  if (ids.length === 0) return [];
  const files = await own(tx)
    .selectFrom('filesFileObject')
    .select(['id', 'purpose', 'state', 'createdBy'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const links = await own(tx)
    .selectFrom('filesFileLink')
    .select(['fileId', 'ownerType', 'ownerId'])
    .where('fileId', 'in', ids)
    .where('unlinkedAt', 'is', null)
    .execute();
  const owners = Map.groupBy(links, ({ fileId }) => fileId);
  return files.map(({ id, ...file }) => ({
    fileId: id,
    ...file,
    owners: (owners.get(id) ?? []).map(({ ownerType, ownerId }) => ({ ownerType, ownerId })),
  }));
}

/** A record no longer uses files; unlinked ones vanish after a day, unless retained. */
export async function detach(tx: Tx, link: Pick<Attachment, 'fileIds' | 'ownerType' | 'ownerId' | 'field'>, now: string): Promise<void> {
  if (link.fileIds.length === 0) return;
  await own(tx)
    .updateTable('filesFileLink')
    .set({ unlinkedAt: now })
    .where('fileId', 'in', link.fileIds)
    .where('ownerType', '=', link.ownerType)
    .where('ownerId', '=', link.ownerId)
    .where('field', '=', link.field)
    .where('unlinkedAt', 'is', null)
    .execute();
}

/** Nobody may delete the file before; never made shorter. */
export async function extendRetention(tx: Tx, fileId: string, until: string): Promise<void> {
  await own(tx)
    .updateTable('filesFileObject')
    .set({ retainUntil: until })
    .where('id', '=', fileId)
    .where((eb) => eb.or([eb('retainUntil', 'is', null), eb('retainUntil', '<', until)]))
    .execute();
}
