import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import { requireVersion } from '../../../../kernel/server/record/requireVersion.ts';
import type { WeekSlot } from '../../contract/rules/slots.ts';
import { openingMachine } from '../../contract/states.ts';
import { seesDoctor } from '../access.ts';
import { ownTx } from '../database.ts';
import { OPENING_TARGET } from './onDoctorChanged.ts';

/** One opening of a doctor within the scope, locked until the transaction ends. `version` null: whatever version it has. */
export async function lockOpening(ctx: CommandContext, id: string, version: number | null) {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorServiceOpening as o')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .selectAll('o')
    .where('o.id', '=', id)
    .where(seesDoctor(ctx.staff))
    .forUpdate('o')
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  const opening = { ...row, priceFen: Number(row.priceFen), slots: row.slots as WeekSlot[] };
  await requireVersion(ctx, OPENING_TARGET, row, version, () => ({
    priceFen: opening.priceFen,
    dailyLimit: opening.dailyLimit,
    slots: opening.slots,
    state: openingMachine.dictionary.label(opening.state),
  }));
  return opening;
}
