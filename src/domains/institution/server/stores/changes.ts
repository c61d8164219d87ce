import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import type { AccountOwner, LicenceType, LocateSource, StoreTag } from '../../contract/dictionaries.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { changeMachine } from '../../contract/states.ts';
import { json, ownTx } from '../database.ts';
import type { StoredAccount } from './account.ts';

/** A licence that waits for its audit. */
export interface NewLicence {
  licenceType: LicenceType;
  licenceNo: string;
  holder: string;
  validFrom: string;
  validTo: string | null;
  fileIds: string[];
}
/** Facts of a store or chain that take effect only when somebody else has approved them. */
export interface AuditedFacts {
  storeTags?: StoreTag[];
  uscc?: string | null;
  nhsaCode?: string | null;
  /** Of a shop that is paid to its chain's account. */
  chainId?: string | null;
  chainStoreCode?: string | null;
  /** As it is shown. */
  chainName?: string | null;
  accountOf?: AccountOwner;
  account?: StoredAccount | null;
  lngE6?: number | null;
  latE6?: number | null;
  locateSource?: LocateSource | null;
  licence?: NewLicence | null;
}

export const changeTodoKey = (changeId: string) => `institution.storeChange:${changeId}`;

/** Files a change for its audit. @throws Refusal SCM06042 while another one waits. */
export async function fileChange(
  ctx: CommandContext,
  kernel: Kernel,
  owner: { type: 'DRUGSTORE' | 'CHAIN'; id: string; name: string },
  change: { before: AuditedFacts; after: AuditedFacts; reason: string; fileIds: readonly string[] },
): Promise<{ id: string; changeNo: string }> {
  const tx = ownTx(ctx.tx);
  const open = await tx
    .selectFrom('institutionStoreChange')
    .select('id')
    .where('ownerType', '=', owner.type)
    .where('ownerId', '=', owner.id)
    .where('state', '=', 'PENDING')
    .executeTakeFirst();
  if (open) throw refuse(institutionErrors.CHANGE_PENDING);
  const row = await tx
    .insertInto('institutionStoreChange')
    .values({
      changeNo: await nextNumber(ctx.tx, 'BG', ctx.today),
      ownerType: owner.type,
      ownerId: owner.id,
      ownerName: owner.name,
      before: json(change.before),
      after: json(change.after),
      fileIds: [...change.fileIds],
      reason: change.reason,
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      state: 'PENDING',
      ...authorColumns(ctx),
      updatedAt: ctx.now,
    })
    .returning(['id', 'changeNo'])
    .executeTakeFirstOrThrow();
  await moveState(ctx, changeMachine, {
    targetType: 'institution.storeChange',
    targetId: row.id,
    targetNo: row.changeNo,
    action: 'submit',
    from: 'PENDING',
  });
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: changeTodoKey(row.id),
      title: `药店变更待审核：${owner.name}`,
      link: '/drugstoreManagement?tab=audit',
      permission: institutionPermissions['store.audit'].code,
    },
    ctx.now,
  );
  return row;
}
