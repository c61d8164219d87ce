import { command } from '#kernel/server/handler.ts';
import {
  auditSupplier,
  disableSupplier,
  pauseSupplier,
  resumeSupplier,
  revealSupplierMobile,
  submitSupplier,
} from '../../contract/calls/supplier.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { orderErrors } from '../../contract/errors.ts';
import { LIVE } from '../../contract/fulfilmentStates.ts';
import { supplierRecords } from '../access.ts';
import { own } from '../database.ts';
import { answerOf, moveSupplier } from './save.ts';

export const submit = command(submitSupplier, async ({ id, version }, ctx) =>
  answerOf(ctx, await moveSupplier(ctx, await supplierRecords.lockVersion(ctx, id, version), 'submit')),
);

/** @throws Refusal SCM16013 for one's own, SCM16022 where the licence ended meanwhile */
export const audit = command(auditSupplier, async ({ id, version, decision, opinion }, ctx) =>
  answerOf(ctx, await moveSupplier(ctx, await supplierRecords.lockVersion(ctx, id, version), decision, { opinion })),
);

export const pause = command(pauseSupplier, async ({ id, version, opinion }, ctx) =>
  answerOf(ctx, await moveSupplier(ctx, await supplierRecords.lockVersion(ctx, id, version), 'pause', { opinion })),
);

export const resume = command(resumeSupplier, async ({ id, version }, ctx) =>
  answerOf(ctx, await moveSupplier(ctx, await supplierRecords.lockVersion(ctx, id, version), 'resume')),
);

/** @throws Refusal SCM16026 while it has parts of orders to bring */
export const disable = command(disableSupplier, async ({ id, version, opinion }, ctx) => {
  const row = await supplierRecords.lockVersion(ctx, id, version);
  const { n } = await own(ctx.tx)
    .selectFrom('orderFulfilment')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('supplierId', '=', id)
    .where('state', 'in', [...LIVE])
    .executeTakeFirstOrThrow();
  if (Number(n) > 0) throw refuse(orderErrors.LIVE_PARTS, { n });
  return answerOf(ctx, await moveSupplier(ctx, row, 'disable', { opinion }));
});

export const reveal = ({ secrets }: Kernel) =>
  command(revealSupplierMobile, async ({ id }, ctx) => {
    const row = await supplierRecords.get(ctx.tx, ctx.staff, id);
    ctx.target({ type: supplierRecords.type, id, no: row.supplierCode });
    return { value: secrets.decrypt(row.contactMobileCipher) };
  });
