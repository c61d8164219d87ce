import { unscoped } from '#kernel/server/auth/scope.ts';
import type { CommandContext, Context, Db, Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { adjustmentStates, SECOND_CHECK_FEN, type AdjustmentAction } from '../../contract/adjustments.ts';
import type { Side } from '../../contract/books.ts';
import { bookPermissions, ledgerPermissions as may } from '../../contract/permissions.ts';
import { requireBook } from '../access.ts';
import { own } from '../database.ts';

export const ADJUSTMENT = 'ledger.adjustment';
export const ADJUST_FILES = 'LEDGER_ADJUST';
const MB = 1024 * 1024;

/** One line as it is kept: the account by its number. */
export interface StoredLeg {
  accountNo: string;
  side: Side;
  amountFen: string;
}

const adjustments = recordOf((db) =>
  own(db)
    .selectFrom('ledgerAdjustment as d')
    .select([
      'd.id',
      'd.adjustNo',
      'd.book',
      'd.reasonCode',
      'd.reason',
      'd.legs',
      'd.totalFen',
      'd.attachmentIds',
      'd.status',
      'd.version',
    ])
    .select(['d.makerId', 'd.makerName', 'd.checkerId', 'd.checkerName', 'd.secondCheckerId', 'd.secondCheckerName', 'd.transferId']),
)
  // `save.ts` alone writes the lines.
  .as((row) => ({ ...row, legs: row.legs as StoredLeg[] }))
  .with({ noun: '调账单', type: ADJUSTMENT, id: 'd.id', scope: unscoped });
export type Adjustment = Awaited<ReturnType<typeof adjustments.get>>;

/** @throws Refusal SCM90040, SCM90010 for another's book */
export async function requireAdjustment(db: Db | Tx, viewer: Pick<Context, 'has'>, id: string): Promise<Adjustment> {
  const row = await adjustments.get(db, adjustments.everyone, id);
  requireBook(viewer, row.book);
  return row;
}

/** Whose book it is not is told nothing of its version. @throws Refusal SCM90040, SCM90010, SCM90030 */
export async function lockAdjustment(ctx: CommandContext, id: string, version: number): Promise<Adjustment> {
  const row = await adjustments.lock(ctx.tx, ctx.staff, id);
  requireBook(ctx, row.book);
  await requireVersion(ctx, ADJUSTMENT, row, version, () => ({
    ...row,
    legs: row.legs.map((leg) => ({ ...leg, amountFen: Number(leg.amountFen) })),
  }));
  return row;
}

export const needsSecond = (row: Pick<Adjustment, 'totalFen'>): boolean => BigInt(row.totalFen) >= SECOND_CHECK_FEN;

type Roles = Pick<Adjustment, 'status' | 'makerId' | 'checkerId' | 'totalFen'>;
/** The buttons of the page: what this person may do with it now. Nobody checks his own, nobody checks twice. */
export function allowedFor(row: Roles, viewer: { userId: string; has: Context['has'] }): AdjustmentAction[] {
  const isMaker = row.makerId === viewer.userId;
  const makers: readonly AdjustmentAction[] = ['modify', 'submit', 'cancel'];
  return adjustmentStates
    .allowed(row.status, (code) => viewer.has(code))
    .filter((action) => (makers.includes(action) ? isMaker : !isMaker))
    .filter((action) => (action === 'approve' ? !needsSecond(row) : action === 'forward' ? needsSecond(row) : true))
    .filter((action) => !(row.status === 'PENDING_SECOND' && row.checkerId === viewer.userId) || makers.includes(action));
}

/** Who uploads what an adjustment rests on, and who looks at it. */
export function registerAdjustFiles(): void {
  definePurpose({
    code: ADJUST_FILES,
    label: '调账依据',
    types: ['jpg', 'png', 'pdf', 'xlsx'],
    maxSize: 20 * MB,
    count: 10,
    sensitive: true,
    uploadPermissions: [may['adjust.make'].code],
  });
  const reads = async ({ db, staff }: Parameters<Parameters<typeof registerOwner>[1]['canRead']>[0], id: string) => {
    const row = await own(db).selectFrom('ledgerAdjustment').select('book').where('id', '=', id).executeTakeFirst();
    return row !== undefined && staff.permissions.has(may['account.view'].code) && staff.permissions.has(bookPermissions[row.book].code);
  };
  registerOwner(ADJUSTMENT, { canRead: reads, canReadOriginal: reads });
}
