import type { CommandContext } from '#kernel/server/context.ts';
import { attach, definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { institutionPermissions as may } from '../contract/permissions.ts';
import { appliesSeen, hospitalsSeen, storesSeen } from './access.ts';
import { own } from './database.ts';

export const PAPER_PURPOSE = 'INSTITUTION_PAPER';
const MB = 1024 * 1024;

/** Says who may upload papers of institutions, and who may read them with the record they belong to. */
export function registerPapers(): void {
  definePurpose({
    code: PAPER_PURPOSE,
    label: '机构证照与证明材料',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 10,
    sensitive: false,
    uploadPermissions: [may['apply.enter'].code, may['store.edit'].code, may['hospital.edit'].code],
  });
  registerOwner('institution.hospitalApply', {
    canRead: async ({ db, staff }, id) =>
      staff.permissions.has(may['apply.view'].code) &&
      (await appliesSeen(own(db), staff).select('p.id').where('p.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['apply.view'].code),
  });
  registerOwner('institution.drugstore', {
    canRead: async ({ db, staff }, id) =>
      staff.permissions.has(may['store.view'].code) &&
      (await storesSeen(own(db), staff).select('s.id').where('s.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['store.view'].code),
  });
  registerOwner('institution.hospital', {
    canRead: async ({ db, staff }, id) =>
      staff.permissions.has(may['hospital.view'].code) &&
      (await hospitalsSeen(own(db), staff).select('h.id').where('h.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['hospital.view'].code),
  });
  registerOwner('institution.chain', {
    canRead: async ({ staff }) => staff.permissions.has(may['store.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['store.view'].code),
  });
}

/** Keeps uploaded papers with their record. @throws Refusal SCM02014 for files that are not the caller's. */
export const attachPapers = (
  ctx: CommandContext,
  owner: { type: string; id: string; field: string },
  fileIds: readonly string[],
): Promise<void> =>
  attach(
    ctx.tx,
    {
      fileIds,
      purpose: PAPER_PURPOSE,
      ownerType: owner.type,
      ownerId: owner.id,
      field: owner.field,
      userId: ctx.staffOrNull?.userId ?? '0',
    },
    ctx.now,
  );
