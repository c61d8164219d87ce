import type { CommandContext } from '../../../../kernel/server/context.ts';
import { recordOf } from '../../../../kernel/server/record/recordOf.ts';
import type { WeekSlot } from '../../contract/rules/slots.ts';
import { openingMachine } from '../../contract/states.ts';
import { seesDoctor } from '../access.ts';
import { own } from '../database.ts';
import { OPENING_TARGET } from './onDoctorChanged.ts';

/** Openings of doctors within the scope; a lock leaves the doctor free. */
const openingRecords = recordOf((db) =>
  own(db).selectFrom('doctorServiceOpening as o').innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId').selectAll('o'),
)
  .as((row) => ({ ...row, priceFen: Number(row.priceFen), slots: row.slots as WeekSlot[] }))
  .with({ type: OPENING_TARGET, id: 'o.id', scope: seesDoctor, locks: 'o' });

/** One opening of a doctor within the scope, locked until the transaction ends. `version` null: whatever version it has. */
export const lockOpening = (ctx: CommandContext, id: string, version: number | null) =>
  openingRecords.lockVersion(ctx, id, version, ({ priceFen, dailyLimit, slots, state }) => ({
    priceFen,
    dailyLimit,
    slots,
    state: openingMachine.dictionary.label(state),
  }));
