import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { contractPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { storedHash } from './document.ts';

/** Contracts that break a rule, by their numbers; `:today` is the day. */
export const contractInvariants: readonly (readonly [name: string, statement: string])[] = [
  [
    '同一被保人、产品、药品存在多份未结束合同',
    `select min(contract_no) as no from enrolment_contract
      where state in ('WAIT_SIGN', 'WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED')
      group by insured_item_id, product_id, drug_key having count(*) > 1`,
  ],
  [
    '审核合同没有对应的申请或申请重复',
    `select min(contract_no) as no from enrolment_contract
      where apply_id is not null and cancel_reason is distinct from 'REVOKED'
      group by apply_id having count(*) > 1`,
  ],
  [
    '生效中合同的期限、签署或支付不符',
    `select c.contract_no as no from enrolment_contract c where c.state = 'ACTIVE' and (
      c.start_date > :today or c.end_date < :today
      or c.origin <> 'AUTO' and c.sign_sha256 is null
      or c.pay_mode = 'PLATFORM' and c.paid_fen - c.refunded_fen < coalesce((
        select sum(p.amount_fen) from enrolment_contract_pay p
          where p.contract_id = c.id and p.state not in ('CLOSED', 'FAILED') and p.due_on < :today - 15
      ), 0) and not exists (
        select from enrolment_contract_refund r where r.contract_id = c.id and r.state = 'SUCCESS'
      ))`,
  ],
  [
    '合同已付、已退金额与支付、退款不符',
    `select c.contract_no as no from enrolment_contract c where
      c.paid_fen <> coalesce((select sum(p.amount_fen) from enrolment_contract_pay p where p.contract_id = c.id and p.state = 'SUCCESS'), 0)
      or c.refunded_fen <> coalesce((
        select sum(r.amount_fen) from enrolment_contract_refund r where r.contract_id = c.id and r.state = 'SUCCESS'
      ), 0)
      or exists (select from enrolment_contract_pay p where p.contract_id = c.id and p.refunded_fen > p.amount_fen)`,
  ],
  [
    '合同变更序号不连续',
    `select c.contract_no as no from enrolment_contract c where c.amend_seq <> (
      select count(*) from enrolment_amendment a where a.contract_id = c.id and a.state = 'APPROVED'
    ) or c.amend_seq <> coalesce((select max(a.seq) from enrolment_amendment a where a.contract_id = c.id and a.state = 'APPROVED'), 0)`,
  ],
  [
    '支付结果未知超过24小时',
    `select pay_no as no from enrolment_contract_pay
      where state = 'UNKNOWN' and unknown_since < (:today)::timestamptz - interval '24 hours'`,
  ],
];

const NAMED = 10;
/** Numbers of what breaks a rule on a day. */
export async function brokenContracts(db: JobContext['db'], statement: string, today: string): Promise<string[]> {
  const { rows } = await sql.raw<{ no: string }>(`${statement.replaceAll(':today', `date '${today}'`)} order by no`).execute(db);
  return rows.map(({ no }) => no);
}

const AT_ONCE = 200;
/** Signed files whose stored bytes are not those that were signed. */
export async function alteredContracts(ctx: Pick<JobContext, 'db' | 'kernel' | 'signal'>): Promise<string[]> {
  const altered: string[] = [];
  let after = '0';
  for (;;) {
    const rows = await own(ctx.db)
      .selectFrom('enrolmentContract')
      .select(['id', 'contractNo', 'signFileId', 'signSha256'])
      .where('id', '>', after)
      .where('signSha256', 'is not', null)
      .where('state', 'in', ['WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED'])
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const last = rows.at(-1);
    if (!last || ctx.signal.aborted) return altered;
    after = last.id;
    for (const { contractNo, signFileId, signSha256 } of rows)
      if (signFileId === null || (await storedHash(ctx.kernel, ctx.db, signFileId)) !== signSha256) altered.push(contractNo);
  }
}

/** Every night what must never break is asked for; each rule that is broken is told with the numbers that break it. */
export const contractCheck = job({
  name: 'enrolment.contractCheck',
  label: '签约合同数据核对',
  cron: '50 2 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const today = dayOf(ctx.now);
    const wrong: string[] = [];
    const report = (name: string, numbers: readonly string[]) => {
      if (numbers.length > 0)
        wrong.push(`${name}：${numbers.slice(0, NAMED).join('、')}${numbers.length > NAMED ? `等${numbers.length}项` : ''}`);
    };
    for (const [name, statement] of contractInvariants) report(name, await brokenContracts(ctx.db, statement, today));
    report('签署文件与签署时不一致', await alteredContracts(ctx));
    if (wrong.length === 0) return;
    await ctx.transaction(({ tx }) =>
      ctx.kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `enrolment.contractCheck:${today}`,
          title: '签约合同数据核对发现异常',
          body: wrong.join('；'),
          link: '/signContractList',
          permission: contractPermissions['contract.terminate'].code,
        },
        ctx.now,
      ),
    );
  },
});
