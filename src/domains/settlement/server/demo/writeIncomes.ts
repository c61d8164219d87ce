import { sql } from 'kysely';
import { dayOf, minutes, plusDays, plusMs, startOfDay, type Day } from '#kernel/contract/time.ts';
import { checkCharacter } from '#kernel/contract/idNumber.ts';
import { mask } from '#kernel/contract/masking.ts';
import { incomeMachine } from '../../contract/states.ts';
import { incomeRecords } from '../access.ts';
import { mobileColumns } from '../accounts/handlers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own } from '../database.ts';
import { bookOrder } from '../income/book.ts';
import { matureIncomes } from '../income/mature.ts';
import { backOf, moveIncome, settleBooks } from '../income/write.ts';
import { daysAgo, type Stage } from './stage.ts';

interface Order {
  orderId: string;
  completedAt: string;
}

/** What doctors' domain tells of each order that is over. */
async function writeFacts({ tx }: Stage): Promise<Order[]> {
  await sql`
    insert into settlement_fact (
      order_id, order_no, doctor_id, service_item_id, service_type, product_line_id, channel_id, agent_id, pay_fen, list_fen, refunded_fen,
      completed_at, created_at
    )
      select o.id, o.order_no, o.doctor_id, o.item_id, o.item_type, o.product_line_id, o.channel_id, o.agent_id, o.pay_fen, o.price_fen,
          o.refunded_fen, o.completed_at, o.completed_at
        from doctor_consult_order o
        where o.state = 'COMPLETED' and o.completed_at is not null`.execute(tx);
  return own(tx).selectFrom('settlementFact').select(['orderId', 'completedAt']).orderBy('completedAt').execute();
}

async function matureUntil(stage: Stage, day: Day): Promise<void> {
  const at = startOfDay(day, '00:05');
  const due = await own(stage.tx)
    .selectFrom('settlementIncome')
    .select('id')
    .where('status', '=', 'PENDING')
    .where('availableAt', '<=', at)
    .orderBy('id')
    .execute();
  await matureIncomes(
    stage.at(at),
    stage.ledger,
    due.map(({ id }) => id),
  );
}

/** Day by day what was completed becomes income, and what is due becomes payable; `each` ends a day. */
export async function writeIncomes(stage: Stage, each: (day: Day) => Promise<void>): Promise<void> {
  const orders = (await writeFacts(stage)).filter(({ completedAt }) => completedAt < stage.now);
  const byDay = Map.groupBy(orders, ({ completedAt }) => dayOf(completedAt));
  const [first] = orders;
  if (!first) return;
  for (let day = dayOf(first.completedAt); day <= stage.today; day = plusDays(day, 1)) {
    await matureUntil(stage, day);
    for (const { orderId, completedAt } of byDay.get(day) ?? [])
      await bookOrder(stage.at(plusMs(completedAt, minutes(1))), stage.ledger, orderId);
    await each(day);
  }
}

/** Some of what is open is stopped, and some was taken back. */
export async function writeStops(stage: Stage): Promise<void> {
  const at = daysAgo(stage, 0, '08:40');
  const open = await own(stage.tx)
    .selectFrom('settlementIncome')
    .selectAll()
    .where('status', 'in', ['PENDING', 'AVAILABLE'])
    .where('incomeType', 'in', ['CONSULT', 'FOLLOW_UP'])
    .where('createdAt', '<', at)
    .orderBy('id', 'desc')
    .limit(12)
    .execute();
  for (const [n, income] of open.entries()) {
    const steps = (action: 'hold' | 'reverse', opinion: string) =>
      stage.trail(incomeMachine, { type: incomeRecords.type, id: income.id }, [
        { action, at, by: action === 'hold' ? ('fin_a' as const) : ('fin_r' as const), opinion },
      ]);
    if (n % 3 === 0) {
      const reason = '患者投诉处理中，暂缓结算';
      await own(stage.tx)
        .updateTable('settlementIncome')
        .set({
          status: 'HELD',
          holdReason: reason,
          version: income.version + 1,
          ...updatedColumns({ now: at, userId: stage.staff.fin_a.id }),
        })
        .where('id', '=', income.id)
        .execute();
      steps('hold', reason);
    } else if (n % 3 === 1) {
      const reversed = await moveIncome(stage.at(at, 'fin_r'), income, 'reverse', '服务质量核查不通过，冲回收入');
      await settleBooks(stage.at(at), stage.ledger, backOf(reversed));
    }
  }
}

const BANKS = ['招商银行', '中国工商银行', '中国建设银行', '交通银行'] as const;
const CNAPS = ['308290003020', '102290000022', '105290000018', '301290000007'] as const;

/** Most doctors have an account that was looked at; some have not, and one may not be paid. */
export async function writeAccounts(stage: Stage): Promise<void> {
  const { secrets } = stage.kernel;
  const doctors = await own(stage.tx)
    .selectFrom('settlementAccount as a')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'a.doctorId')
    .select(['a.id', 'd.name'])
    .where('a.payeeNo', '=', 0)
    .orderBy('a.id')
    .execute();
  const at = daysAgo(stage, 100);
  for (const [n, { id, name }] of doctors.entries()) {
    const fate = n % 12 === 7 ? 'UNVERIFIED' : n % 12 === 9 ? 'FAILED' : n % 12 === 11 ? 'EMPTY' : 'VERIFIED';
    if (fate === 'EMPTY') continue;
    const body = `31010119${60 + (n % 30)}0${1 + (n % 9)}1${n % 10}${String(100 + n).padStart(3, '0')}`;
    const idNo = `${body}${checkCharacter(body)}`;
    const card = `62258${String(8_000_000_000 + n * 7_919).padStart(11, '0')}`;
    await own(stage.tx)
      .updateTable('settlementAccount')
      .set({
        realName: name,
        idType: 'ID_CARD',
        idNoCipher: secrets.encrypt(idNo),
        idNoMasked: mask('idNo', idNo),
        bankName: BANKS[n % 4]!,
        branchName: '上海分行营业部',
        cnapsCode: CNAPS[n % 4]!,
        bankAccountCipher: secrets.encrypt(card),
        bankAccountMasked: mask('bankCard', card),
        ...mobileColumns(secrets, `138${String(10_000_000 + n * 37).padStart(8, '0')}`),
        verifyStatus: fate,
        verifiedAt: fate === 'VERIFIED' ? at : null,
        verifyMessage: fate === 'FAILED' ? '开户姓名与银行预留信息不一致' : null,
        payeeNo: 1,
        version: 3,
        ...updatedColumns({ now: at, userId: stage.staff.fin_a.id }),
        ...(n === 5 && { settleState: 'FROZEN' as const, freezeReason: '合作协议到期，续签前暂停结算' }),
      })
      .where('id', '=', id)
      .execute();
  }
}
