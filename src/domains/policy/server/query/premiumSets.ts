import { sql, type RawBuilder } from 'kysely';
import { premiumRow } from '../../contract/calls/premium.ts';
import { directions, premiumBases } from '../../contract/premiumStates.ts';
import { insurerNumbersShown, moneySeen } from '../access.ts';
import { isLive } from '../cover/live.ts';
import { isDue, isWaiting, signed } from '../premium/due.ts';
import { dayColumn, ownColumn, shownIn, type Dataset } from './dataset.ts';
import { ofPerson, policyFacts } from './facts.ts';

const ofOrder = shownIn(premiumRow);

const orderFacts = [
  ofOrder('premiumOrderNo', sql`o.premium_order_no`),
  ofOrder('kind', sql`o.kind`),
  ofOrder('direction', sql`o.direction`),
  ofOrder('periodFrom', sql`o.period_from`),
  ofOrder('periodTo', sql`o.period_to`),
  ofOrder('dueOn', sql`o.due_on`),
  { ...ofOrder('state', sql`o.state`, { as: 'orderState', label: '订单状态' }) },
];

const insurers = (value: RawBuilder<unknown>) => sql`(case when ${insurerNumbersShown('p.productLine')} then ${value} end)`;

export const premiumOrderSet: Dataset = {
  code: 'premiumOrder',
  asOf: false,
  from: () => sql`policy_premium_order o join policy_policy p on p.id = o.policy_id`,
  insurer: 'p.insurerId',
  id: sql`o.id`,
  columns: [
    ...orderFacts,
    ...policyFacts,
    ofOrder('personCount', sql`o.person_count`),
    ofOrder('amountFen', sql`o.amount_fen`),
    ownColumn('netFen', '净保费（退为负）', 'MONEY', sql`(${signed('o.amountFen')})`),
    ownColumn('premiumFen', '应收保费', 'MONEY', sql`(case when ${isDue} then ${signed('o.amountFen')} else 0 end)`),
    ownColumn('waitingFen', '待审保费', 'MONEY', sql`(case when ${isWaiting} then ${signed('o.amountFen')} else 0 end)`),
    ofOrder('statedFen', insurers(sql`o.stated_fen`)),
    ofOrder('differenceFen', insurers(sql`o.stated_fen - o.amount_fen`)),
    ofOrder('settledFen', sql`o.settled_fen`),
    ownColumn(
      'openFen',
      '未收付',
      'MONEY',
      sql`(case when o.state in ('APPROVED', 'PART_SETTLED') then o.amount_fen - o.settled_fen else 0 end)`,
    ),
    ofOrder('maker', sql`o.maker_name`),
    ofOrder('insurerInvoiceNo', insurers(sql`o.insurer_invoice_no`)),
    dayColumn('createdOn', '创建日期', 'o.createdAt'),
  ],
};

export const premiumItemSet: Dataset = {
  code: 'premiumItem',
  asOf: false,
  from: () => sql`policy_premium_order_item t
    join policy_premium_order o on o.id = t.premium_order_id and o.generation = t.generation
    join policy_policy p on p.id = o.policy_id
    join policy_insured_item i on i.id = t.insured_item_id`,
  insurer: 'p.insurerId',
  id: sql`t.id`,
  columns: [
    ...orderFacts,
    ...policyFacts,
    ownColumn('lineNo', '行号', 'NUMBER', sql`t.line_no`, { aggregations: ['COUNT'] }),
    ofPerson('name', sql`i.name`),
    ofPerson('idNo', sql`i.id_no_masked`, { cipher: sql`i.id_no_cipher` }),
    ofPerson('employeeNo', sql`i.employee_no`),
    ofPerson('planCode', sql`t.plan_code`),
    { ...ownColumn('basis', '计费方式', 'OPTION', sql`t.basis`), dictionary: premiumBases },
    ownColumn('dateFrom', '计费起', 'DATE', sql`t.date_from`),
    ownColumn('dateTo', '计费止', 'DATE', sql`t.date_to`),
    ownColumn('days', '计费天数', 'NUMBER', sql`t.days`, { unit: '天' }),
    ofPerson('annualPremiumFen', sql`t.annual_premium_fen`),
    ownColumn('feeFen', '退保手续费', 'MONEY', sql`t.fee_fen`),
    ownColumn('amountFen', '明细金额', 'MONEY', sql`t.amount_fen`),
  ],
};

/** Bank money with its shares, for those who see all insurers. */
export const receiptSet: Dataset = {
  code: 'receipt',
  asOf: false,
  from: () => sql`policy_premium_receipt r
    left join policy_premium_allocation a on a.receipt_id = r.id
    left join policy_premium_order o on o.id = a.premium_order_id
    left join policy_policy p on p.id = o.policy_id`,
  insurer: 'p.insurerId',
  seen: (viewer) => moneySeen(viewer),
  id: sql`r.id, a.id`,
  columns: [
    ownColumn('bankFlowNo', '银行流水号', 'TEXT', sql`r.bank_flow_no`),
    { ...ownColumn('receiptDirection', '收/退', 'OPTION', sql`r.direction`), dictionary: directions },
    ownColumn('paidOn', '到账日期', 'DATE', sql`r.paid_on`),
    ownColumn('payerName', '付款人', 'TEXT', sql`r.payer_name`),
    ownColumn('bankAccount', '银行账号', 'TEXT', sql`r.bank_account_masked`, { mask: 'bankCard', cipher: sql`r.bank_account_cipher` }),
    // A receipt stands once for each of its shares: its own amounts would be summed several times.
    ownColumn('receiptFen', '到账金额', 'MONEY', sql`r.amount_fen`, { aggregations: ['COUNT', 'MAX', 'MIN'] }),
    ownColumn('restFen', '未分配', 'MONEY', sql`(r.amount_fen - r.allocated_fen)`, { aggregations: ['COUNT', 'MAX', 'MIN'] }),
    ownColumn('shareFen', '分配金额', 'MONEY', sql`a.amount_fen`),
    ownColumn('madeBy', '分配人', 'TEXT', sql`a.made_by_name`),
    dayColumn('madeOn', '分配日期', 'a.at'),
    ofOrder('premiumOrderNo', sql`o.premium_order_no`),
    ...policyFacts.filter(({ key }) => key !== 'productLine' && key !== 'policyType'),
  ],
};

const earnedUntil = (amount: string, day: string) =>
  sql`floor((2 * ${sql.ref(amount)}::numeric * least(greatest(${sql.ref(day)} - o.s, 0), o.total) + o.total) / (2 * o.total))`;
/** A plan's part: what the plans up to it earn together, less what those before it do. */
const partUntil = (day: string) => sql`(${earnedUntil('o.upTo', day)} - ${earnedUntil('o.earlier', day)})`;
/** The same of money that came in for the whole order; it goes by the plans' amounts. */
const shareUpTo = (amount: string) => sql`floor((2 * a.amount_fen::numeric * ${sql.ref(amount)} + o.amount) / (2 * o.amount))`;
const share = sql`case when o.amount = 0 then 0 else ${shareUpTo('o.upTo')} - ${shareUpTo('o.earlier')} end`;

/**
 * Premium by month, product, insurer and plan. Insurance's statistics earn order by order; rounded by plan the two pages would differ by
 * fen. So the plans of an order stand in a row and each takes what the row up to it earns beyond the row before it: together they
 * are the order to the fen.
 */
export const premiumMonthSet: Dataset = {
  code: 'premiumMonth',
  asOf: false,
  from: ({ scope }) => sql`
    (
      with whole as (
        select o.id, o.generation, p.product_id, p.product_name, p.insurer_key, p.insurer_id, p.insurer_name,
            (${signed('o.amountFen')}) as amount, o.period_from as s, o.period_to - o.period_from + 1 as total
          from policy_premium_order o
          join policy_policy p on p.id = o.policy_id
          where ${isDue} and ${scope('p.insurerId')}
      ),
      plans as (
        select w.*, coalesce(t.plan_code, '') as plan_code, sum(t.fen) over (partition by w.id order by t.plan_code) as up_to_lines,
            lead(w.id) over (partition by w.id order by t.plan_code) as next
          from whole w
          left join lateral (
            select t.plan_code, sum(t.amount_fen) as fen
              from policy_premium_order_item t
              where t.premium_order_id = w.id and t.generation = w.generation
              group by 1
          ) t on true
      ),
      ends as (select *, case when next is null then amount else up_to_lines end as up_to from plans),
      o as (select *, coalesce(lag(up_to) over (partition by id order by plan_code), 0) as earlier from ends),
      m as (
        select d::date as a, (d + interval '1 month')::date as b
          from generate_series((
            select date_trunc('month', min(s)) from o
          ), (select date_trunc('month', max(s + total - 1)) from o), interval '1 month') d
      ),
      facts as (
        select m.a, o.product_id, o.product_name, o.insurer_key, o.insurer_id, o.insurer_name, o.plan_code,
            case when o.s >= m.a then o.up_to - o.earlier else 0 end as written, ${partUntil('m.b')} - ${partUntil('m.a')} as earned,
            0::numeric as settled, 0::bigint as persons
          from m
          join o on o.s < m.b and o.s + o.total > m.a
        union all
        select date_trunc('month', r.paid_on)::date, o.product_id, o.product_name, o.insurer_key, o.insurer_id, o.insurer_name, o.plan_code,
            0, 0, case r.direction when 'COLLECT' then 1 else -1 end * (${share}), 0
          from o
          join policy_premium_allocation a on a.premium_order_id = o.id
          join policy_premium_receipt r on r.id = a.receipt_id
        union all
        select m.a, p.product_id, p.product_name, p.insurer_key, p.insurer_id, p.insurer_name, s.plan_code, 0, 0, 0,
            count(distinct s.insured_item_id)
          from m
          join policy_cover_slice s on s.coverage_start < m.b and s.coverage_end >= m.b - 1 and ${isLive('s', null)}
          join policy_policy p on p.id = s.policy_id
          where ${scope('p.insurerId')}
          group by 1, 2, 3, 4, 5, 6, 7
      )
      select a as month, product_id, insurer_key, plan_code, max(insurer_id) as insurer_id, max(product_name) as product_name,
          max(insurer_name) as insurer_name, sum(written)::bigint as written, sum(earned)::bigint as earned,
          sum(settled)::bigint as settled, sum(persons)::bigint as persons
        from facts
        group by a, product_id, insurer_key, plan_code
    ) m`,
  insurer: 'm.insurerId',
  id: sql`m.month, m.product_id, m.insurer_key, m.plan_code`,
  columns: [
    ownColumn('month', '月份', 'TEXT', sql`to_char(m.month, 'YYYY-MM')`),
    ownColumn('monthStart', '月份起始日', 'DATE', sql`m.month`),
    ofOrder('insurerName', sql`m.insurer_name`),
    ofOrder('productName', sql`m.product_name`),
    ofPerson('planCode', sql`m.plan_code`),
    ownColumn('writtenFen', '签单保费', 'MONEY', sql`m.written`),
    ownColumn('earnedFen', '已赚保费', 'MONEY', sql`m.earned`),
    ownColumn('settledFen', '已收付保费', 'MONEY', sql`m.settled`),
    // People of different months are mostly the same ones.
    ownColumn('persons', '月末在保人数', 'NUMBER', sql`m.persons`, { aggregations: ['AVG', 'MAX', 'MIN'] }),
  ],
};
