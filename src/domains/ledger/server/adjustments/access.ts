import { sql } from 'kysely';
import { refuse } from '../../../../kernel/contract/errors.ts';
import type { CommandContext, Context, Db, Tx } from '../../../../kernel/server/context.ts';
import { requireVersion } from '../../../../kernel/server/record/requireVersion.ts';
import { platformErrors } from '../../../../kernel/contract/errors.ts';
import { definePurpose, registerOwner } from '../../../files/server/index.ts';
import { adjustmentStates, SECOND_CHECK_FEN, type AdjustmentAction, type AdjustmentState } from '../../contract/adjustments.ts';
import type { Book, Side } from '../../contract/books.ts';
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
  lastDay: string | null;
}

export interface Adjustment {
  id: string;
  adjustNo: string;
  book: Book;
  reasonCode: 'POSTING_ERROR' | 'BANK_DIFF' | 'DATA_FIX' | 'WRITE_OFF';
  reason: string;
  legs: StoredLeg[];
  totalFen: string;
  attachmentIds: string[];
  status: AdjustmentState;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  secondCheckerId: string | null;
  secondCheckerName: string | null;
  transferId: string | null;
  version: number;
}

const columns = sql`
  d.id, d.adjust_no, d.book, d.reason_code, d.reason, d.legs, d.total_fen, d.attachment_ids::text[] as attachment_ids, d.status, d.maker_id,
  d.maker_name, d.checker_id, d.checker_name, d.second_checker_id, d.second_checker_name, d.transfer_id, d.version`;

const missing = () => refuse(platformErrors.NOT_FOUND, { message: '调账单不存在或已删除' });

/** @throws Refusal SCM90040, SCM90010 for another's book */
export async function requireAdjustment(db: Db | Tx, viewer: Pick<Context, 'has'>, id: string): Promise<Adjustment> {
  const { rows } = await sql<Adjustment>`select ${columns} from ledger_adjustment d where d.id = ${id}`.execute(db);
  if (!rows[0]) throw missing();
  requireBook(viewer, rows[0].book);
  return rows[0];
}

/** @throws Refusal SCM90040, SCM90010, SCM90030 */
export async function lockAdjustment(ctx: CommandContext, id: string, version: number): Promise<Adjustment> {
  const { rows } = await sql<Adjustment>`select ${columns} from ledger_adjustment d where d.id = ${id} for update`.execute(ctx.tx);
  const row = rows[0];
  if (!row) throw missing();
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
