import { sql } from 'kysely';
import { platformErrors, refuse, refuseField, type Refusal } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx, CommandContext } from '#kernel/server/context.ts';
import { practiceCategories, titles } from '../../contract/dictionaries.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { bandOf, openingFault, type OpeningDoctor, type OpeningFault, type OpeningItem } from '../../contract/rules/openingGuard.ts';
import type { Band, PriceBands } from '../../contract/rules/price.ts';
import { slotFault, type WeekSlot } from '../../contract/rules/slots.ts';
import { itemMachine, openingMachine } from '../../contract/states.ts';
import { ownTx, own } from '../database.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { seesDoctor } from '../access.ts';
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

/** What the guards ask of a doctor, as it stands in the transaction. */
export async function openingDoctor(tx: Tx, doctorId: string): Promise<OpeningDoctor & { name: string }> {
  const row = await ownTx(tx)
    .selectFrom('doctorDoctor as d')
    .select(['d.name', 'd.practiceOk', 'd.titleCode', 'd.practiceLevel', 'd.practiceCategory', 'd.practiceSince'])
    .select(
      sql<boolean>`exists (select 1 from doctor_cert c where c.doctor_id = d.id and c.cert_type = 'E_SIGN' and c.state = 'EXPIRED')
      and not exists (select 1 from doctor_cert c where c.doctor_id = d.id and c.cert_type = 'E_SIGN' and c.state = 'VALID')`.as(
        'signatureExpired',
      ),
    )
    .where('d.id', '=', doctorId)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return {
    ...row,
  };
}

interface SoldItem extends OpeningItem {
  id: string;
  name: string;
  state: keyof typeof itemMachine.states & string;
}
export async function openingItem(tx: Tx, itemId: string): Promise<SoldItem> {
  const row = await ownTx(tx)
    .selectFrom('doctorServiceItem')
    .select(['id', 'name', 'state', 'careKind', 'titleMin', 'categories', 'priceBands', 'needSlot'])
    .where('id', '=', itemId)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return {
    ...row,
    priceBands: row.priceBands as PriceBands,
  };
}

/** A new opening, or one that comes on, needs an item on the shelf. */
export function requireOnShelf(item: SoldItem): void {
  if (item.state !== 'ON') throw refuse(platformErrors.WRONG_STATE, { state: `服务项目${itemMachine.states[item.state].label}` });
}

function refusalOf(fault: OpeningFault, item: OpeningItem): Refusal {
  switch (fault.kind) {
    case 'NOT_QUALIFIED':
      return refuse(doctorErrors.NOT_QUALIFIED);
    case 'TITLE_TOO_LOW':
      return refuse(doctorErrors.TITLE_TOO_LOW, { title: titles.label(fault.titleMin) });
    case 'NOT_INDEPENDENT':
      return refuse(doctorErrors.NOT_INDEPENDENT);
    case 'CATEGORY':
      return refuseField(
        'itemId',
        `该服务仅限${item.categories.map((category) => practiceCategories.label(category)).join('、')}类医师开通`,
      );
    case 'PRICE_OUTSIDE':
      return refuse(doctorErrors.PRICE_OUTSIDE, { min: yuan(fault.band.minFen), max: yuan(fault.band.maxFen) });
    case 'SLOTS_MISSING':
      return refuse(doctorErrors.SLOTS_MISSING);
  }
}

/**
 * @throws Refusal SCM07040 to SCM07044
 * @returns the band that the price lies in
 */
export function requireOpening(wish: {
  doctor: OpeningDoctor;
  item: SoldItem;
  priceFen: number;
  slots: readonly WeekSlot[];
  today: Day;
}): Band {
  const fault = openingFault(wish);
  if (fault) throw refusalOf(fault, wish.item);
  return bandOf(wish.item, wish.doctor.titleCode)!;
}

/** @throws a malformed request naming the span that cannot stand */
export function requireSlots(slots: readonly WeekSlot[]): void {
  const fault = slotFault(slots);
  if (fault) throw refuseField(`slots.${fault.index}`, fault.message);
}
