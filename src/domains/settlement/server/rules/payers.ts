import { refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addPayerEntity, modifyPayerEntity } from '../../contract/calls/rules.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { payerRecords } from '../access.ts';
import { own } from '../database.ts';
import { lockTaxMethod } from '../payout/tax.ts';

const accountColumns = ({ secrets }: Pick<Kernel, 'secrets'>, bankAccountNo: string) => ({
  bankAccountCipher: secrets.encrypt(bankAccountNo),
  bankAccountMasked: mask('bankCard', bankAccountNo),
});

/** @throws Refusal SCM19026 for a code that another one has */
export const addPayer = (kernel: Kernel) =>
  command(addPayerEntity, async ({ bankAccountNo, ...payer }, ctx) => {
    const row = await own(ctx.tx)
      .insertInto('settlementPayer')
      .values({ ...payer, ...accountColumns(kernel, bankAccountNo), ...createdColumns(ctx) })
      .onConflict((conflict) => conflict.column('entityCode').doNothing())
      .returning(['id', 'version'])
      .executeTakeFirst();
    if (!row) throw refuse(settlementErrors.CODE_TAKEN);
    ctx.target({ type: payerRecords.type, id: row.id, no: payer.entityCode });
    return row;
  });

/** The method changes only before the first payment of a year. @throws Refusal SCM19028 */
async function requireFreshYear(ctx: CommandContext, { id, entityName }: { id: string; entityName: string }): Promise<void> {
  await lockTaxMethod(ctx.tx, id);
  const year = ctx.today.slice(0, 4);
  const paid = await own(ctx.tx)
    .selectFrom('settlementTaxMonth')
    .select('id')
    .where('payerEntityId', '=', id)
    .where('taxMonth', '>=', `${year}-01`)
    .where('taxMonth', '<=', `${year}-12`)
    .executeTakeFirst();
  if (paid) throw refuse(settlementErrors.METHOD_FIXED, { name: entityName });
}

export const modifyPayer = (kernel: Kernel) =>
  command(modifyPayerEntity, async ({ id, version, bankAccountNo, ...payer }, ctx) => {
    const before = await payerRecords.lockVersion(
      ctx,
      id,
      version,
      ({ entityName, taxNo, bankName, bankTemplate, isPlatform, enabled }) => ({
        entityName,
        taxNo,
        bankName,
        bankTemplate,
        isPlatform,
        enabled,
      }),
    );
    if (before.isPlatform !== payer.isPlatform) await requireFreshYear(ctx, before);
    const row = await own(ctx.tx)
      .updateTable('settlementPayer')
      .set((eb) => ({
        ...payer,
        ...(bankAccountNo !== undefined && accountColumns(kernel, bankAccountNo)),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: payerRecords.type, id, no: before.entityCode });
    return row;
  });
