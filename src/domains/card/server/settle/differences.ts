import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { cardLimits } from '#domains/identity/server/index.ts';
import { cardErrors } from '../../contract/errors.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { resolutions } from '../../contract/useDictionaries.ts';
import { own } from '../database.ts';

interface TheirLine {
  sourceNo: string;
  amount: string;
  resolution: (typeof resolutions.codes)[number] | null;
}

/** A line whose difference was decided keeps what was decided: its booking stays too. @throws Refusal SCM17053 */
export function requireUndecided({ sourceNo, resolution }: Pick<TheirLine, 'sourceNo' | 'resolution'>): void {
  if (resolution !== null) throw refuse(cardErrors.DIFF_DECIDED, { no: sourceNo, way: resolutions.label(resolution) });
}

/** Whether what they say has the sign of ours and is not farther from it than the settings declare. */
export function isWithinFactor(ours: bigint, theirs: bigint, factor: bigint): boolean {
  if (theirs === 0n) return true;
  if (ours > 0n !== theirs > 0n) return false;
  return ours > 0n ? theirs <= ours * factor : theirs >= ours * factor;
}

/** @throws Refusal SCM17054 */
export function requireWithinFactor(line: Pick<TheirLine, 'sourceNo' | 'amount'>, theirs: bigint, factor: bigint): void {
  if (isWithinFactor(BigInt(line.amount), theirs, factor)) return;
  throw refuse(cardErrors.THEIRS_TOO_FAR, { no: line.sourceNo, a: yuan(line.amount), n: String(factor) });
}

const size = (amount: bigint) => (amount < 0n ? -amount : amount);

/**
 * A difference that is decided in the counterparty's favour: inside the declared factor, and above the limit of a bill by somebody who may
 * check settlements and did not register it.
 * @throws Refusal SCM17054, SCM17055, SCM17058, SCM90010
 */
export async function requireTheirs(
  ctx: CommandContext,
  line: Pick<TheirLine, 'sourceNo' | 'amount'> & { billId: string; disputedBy: string | null; matchState: string },
  theirs: bigint,
  adjustment: bigint,
): Promise<void> {
  if (line.matchState === 'THEIRS_ONLY') throw refuse(cardErrors.OURS_MISSING, { no: line.sourceNo });
  const limits = await cardLimits(ctx.tx);
  requireWithinFactor(line, theirs, limits.differenceFactor);
  const { rows } = await sql<{ booked: string }>`
    select coalesce(sum(abs(l.net)), 0) as booked
      from card_settlement_line l
      join card_settlement_line before on before.id = l.source_id and before.bill_id = l.bill_id
      where l.bill_id = ${line.billId} and l.source_type = 'ADJUST' and l.live and not l.carries`.execute(ctx.tx);
  const total = BigInt(rows[0]?.booked ?? '0') + size(adjustment);
  if (total <= limits.differenceSecondFen) return;
  if (line.disputedBy === ctx.staff.userId)
    throw refuse(cardErrors.SECOND_DECIDES, { a: yuan(total), b: yuan(limits.differenceSecondFen) });
  ctx.requirePermission(may['settle.audit']);
}

/** Who told or decided an amount of theirs does not confirm the bill. @throws Refusal SCM17056 */
export async function requireOtherConfirmer(ctx: CommandContext, billId: string): Promise<void> {
  const mine = await own(ctx.tx)
    .selectFrom('cardSettlementLine')
    .select('id')
    .where('billId', '=', billId)
    .where('live', '=', true)
    .where('resolution', '=', 'THEIRS')
    .where((eb) => eb.or([eb('resolvedBy', '=', ctx.staff.userId), eb('disputedBy', '=', ctx.staff.userId)]))
    .limit(1)
    .executeTakeFirst();
  if (mine) throw refuse(cardErrors.OTHER_CONFIRMS);
}

/** What these bills carry on and another one took up already: they are not voided before that one is. @throws Refusal SCM17057 */
export async function requireCarriesFree(tx: Tx, billIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ billNo: string }>`
    select b.bill_no
      from card_settlement_line carry
      join card_settlement_line taken on taken.source_type = 'ADJUST' and taken.source_id = carry.id and taken.live
      join card_settlement_bill b on b.id = taken.bill_id
      where carry.bill_id = any(${[...billIds]}::bigint[]) and carry.live and carry.carries
      limit 1`.execute(tx);
  if (rows[0]) throw refuse(cardErrors.CARRY_TAKEN, { no: rows[0].billNo });
}

/** Whether something of a bill is booked as the counterparty says: the line of it stands in the bill, whatever was registered since. */
export async function isAdjusted(tx: Tx, billId: string): Promise<boolean> {
  const { rows } = await sql`
    select
      from card_settlement_line l
      join card_settlement_line before on before.id = l.source_id and before.bill_id = l.bill_id
      where l.bill_id = ${billId} and l.source_type = 'ADJUST' and l.live and not l.carries
      limit 1`.execute(tx);
  return rows.length > 0;
}
