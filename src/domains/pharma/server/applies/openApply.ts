import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { applyTypes } from '../../contract/dictionaries.ts';
import { ownTx } from '../database.ts';

interface NewApply {
  applyType: 'CREATE' | 'MODIFY' | 'ON' | 'PRICE';
  medicineId: string;
  payload: object;
  before: object;
}

/** What closes the to-do of an apply. */
export const applyKey = (applyId: string) => `pharma.apply:${applyId}`;

/**
 * Puts a change on the auditors' desk; a medicine has at most one open apply.
 * The caller holds the lock of the medicine.
 * @throws Refusal SCM90031 while another one waits
 */
export async function openApply(ctx: CommandContext, apply: NewApply): Promise<{ id: string; applyNo: string }> {
  const tx = ownTx(ctx.tx);
  const open = await tx
    .selectFrom('pharmaMedicineApply')
    .select('applyType')
    .where('medicineId', '=', apply.medicineId)
    .where('state', '=', 'PENDING')
    .executeTakeFirst();
  if (open) throw refuse(platformErrors.WRONG_STATE, { state: `${applyTypes.label(open.applyType)}待审核` });
  const applyNo = await nextNumber(ctx.tx, 'MA', ctx.today);
  const made = await tx
    .insertInto('pharmaMedicineApply')
    .values({
      applyNo,
      applyType: apply.applyType,
      medicineId: apply.medicineId,
      payload: JSON.stringify(apply.payload),
      before: JSON.stringify(apply.before),
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      state: 'PENDING',
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning(['id', 'applyNo'])
    .executeTakeFirstOrThrow();
  await noteWritten(ctx, ctx.staff.userId, 'pharma.medicineApply', [made.id]);
  return made;
}
