import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { dayOf, days, hours, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { stillOpen } from '#kernel/server/money/inquiry.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { TitleCode } from '../../../contract/dictionaries.ts';
import { discountOf } from '../../../contract/rules/discount.ts';
import type { PriceBands } from '../../../contract/rules/price.ts';
import { demoPatients, type DemoPatient } from '../../attribution/demo.ts';
import { json, ownTx } from '../../database.ts';
import { patientMobileHash } from '../create.ts';
import { ORDERS, planOrders, STORY, type PlannedOpening, type PlannedOrder, type PlannedPatient } from './plan.ts';
import { consultOrderMachine } from '../../../contract/orderStates.ts';
import { ORDER_TARGET } from '../access.ts';

interface Step {
  action: keyof typeof consultOrderMachine.transitions & string;
  from: string;
  to: string;
  at: RawBuilder<unknown>;
  when: RawBuilder<SqlBool>;
}

/** How the orders of the demonstration came to where they are. */
const demoSteps: readonly Step[] = [
  { action: 'create', from: 'WAIT_PAY', to: 'WAIT_PAY', at: sql`o.created_at`, when: sql<SqlBool>`true` },
  { action: 'pay', from: 'WAIT_PAY', to: 'PAID', at: sql`o.paid_at`, when: sql<SqlBool>`o.paid_at is not null` },
  { action: 'timeout', from: 'WAIT_PAY', to: 'CLOSED', at: sql`o.ended_at`, when: sql<SqlBool>`o.state = 'CLOSED'` },
  { action: 'accept', from: 'PAID', to: 'SERVING', at: sql`o.accepted_at`, when: sql<SqlBool>`o.accepted_at is not null` },
  { action: 'reply', from: 'SERVING', to: 'SERVING', at: sql`o.first_reply_at`, when: sql<SqlBool>`o.first_reply_at is not null` },
  { action: 'complete', from: 'SERVING', to: 'COMPLETED', at: sql`o.completed_at`, when: sql<SqlBool>`o.completed_at is not null` },
  { action: 'systemRefund', from: 'PAID', to: 'REFUNDING', at: sql`o.ended_at`, when: sql<SqlBool>`o.state = 'REFUNDED'` },
  { action: 'refundedAll', from: 'REFUNDING', to: 'REFUNDED', at: sql`o.ended_at`, when: sql<SqlBool>`o.state = 'REFUNDED'` },
  {
    action: 'refund',
    from: 'SERVING',
    to: 'REFUNDING',
    at: sql`(select r.created_at from doctor_consult_refund r where r.order_id = o.id limit 1)`,
    when: sql<SqlBool>`o.state = 'REFUNDING'`,
  },
];

async function writeTrails(tx: Tx, steps: readonly Step[]): Promise<void> {
  for (const { action, from, to, at, when } of steps) {
    await sql`
      insert into kernel_audit_trail (
        target_type, target_id, machine, action, label, from_state, to_state, diff, at, trace_id, display_name
      )
      select ${ORDER_TARGET}, o.id::text, ${consultOrderMachine.name}, ${action}, ${consultOrderMachine.transitions[action].label}, ${from},
        ${to}, '[]'::jsonb, ${at}, 'demo', ${action === 'refund' ? '医生运营' : '系统'}
      from doctor_consult_order o where ${when} order by o.id`.execute(tx);
  }
}

const CHUNK = 100;
const VIP_BP = 1_250;

interface Opening extends PlannedOpening {
  itemId: string;
  itemCode: string;
  itemName: string;
  careKind: string;
  billing: string;
  acceptHours: number;
  replyHours: number;
  validHours: number;
  quotaReplies: number | null;
  periodDays: number | null;
  durationMin: number | null;
  refundRuleCode: string;
  priceFen: string;
  needSlot: boolean;
  adcode: string | null;
  titleCode: TitleCode;
  priceBands: PriceBands;
  productLineId: string | null;
  assistantId: string | null;
}
const openingsOf = async (tx: Tx): Promise<Opening[]> =>
  (
    await sql<Opening>`
    select o.id as opening_id, o.doctor_id, o.item_id, i.item_type, i.item_code, i.name as item_name, i.care_kind, i.billing,
        i.accept_hours, i.reply_hours, i.valid_hours, i.quota_replies, i.period_days, i.duration_min, i.refund_rule_code, o.price_fen,
        d.department_name, d.name as doctor_name, i.need_slot, d.adcode, d.title_code, i.price_bands, i.product_line_id,
        (
          select b.assistant_id from doctor_assistant_bind b where b.doctor_id = d.id and b.role = 'PRIMARY' and b.ended_at is null limit 1
        ) as assistant_id
      from doctor_service_opening o
      join doctor_service_item i on i.id = o.item_id
      join doctor_doctor d on d.id = o.doctor_id
      where o.state = 'ON' and o.price_fen > 0
      order by o.id`.execute(tx)
  ).rows;

interface Attribution {
  id: string;
  subjectId: string;
  channelId: string | null;
  agentId: string | null;
}

function orderOf(
  kernel: DemoContext['kernel'],
  n: number,
  { state, createdAt, opening, ...plan }: PlannedOrder<Opening>,
  attribution: Attribution,
  orderNo: string,
  person: DemoPatient,
) {
  const isStory = n === STORY;
  const isFollowUp = opening.itemType === 'FOLLOW_UP';
  const { patientId, name, mobile } = person;
  const priceFen = isStory ? 9_900 : (plan.priceFen ?? Number(opening.priceFen));
  const lowest = opening.priceBands[opening.titleCode]?.minFen ?? priceFen;
  const discountFen = isStory
    ? 1_237
    : plan.priceFen === null && attribution.channelId !== null && n % 5 === 0
      ? discountOf(priceFen, VIP_BP, lowest)
      : 0;
  const payFen = priceFen - discountFen;
  const paidAt = state === 'WAIT_PAY' || state === 'CLOSED' ? null : plusMs(createdAt, minutes(3));
  const wasAccepted = state === 'SERVING' || state === 'COMPLETED' || state === 'REFUNDING';
  const acceptedAt = paidAt !== null && wasAccepted ? plusMs(paidAt, isFollowUp ? 0 : minutes(n === 109 ? 6 : 15 + (n % 40))) : null;
  const firstReplyAt = acceptedAt !== null && (state !== 'SERVING' || n % 4 !== 3) ? plusMs(acceptedAt, minutes(5 + (n % 30))) : null;
  const completedAt = state === 'COMPLETED' ? plusMs(acceptedAt!, days(isFollowUp ? 9 : 2)) : null;
  const snapshot = {
    itemCode: opening.itemCode,
    itemName: opening.itemName,
    serviceType: opening.itemType,
    careKind: opening.careKind,
    billing: opening.billing,
    acceptHours: opening.acceptHours,
    replyHours: opening.replyHours,
    validHours: opening.validHours,
    quotaReplies: opening.quotaReplies,
    periodDays: opening.periodDays,
    durationMin: opening.durationMin,
    priceFen,
    refundRuleCode: opening.refundRuleCode,
  };
  return {
    orderNo,
    doctorId: opening.doctorId,
    openingId: opening.openingId,
    itemId: opening.itemId,
    itemType: opening.itemType,
    itemSnapshot: json(snapshot),
    productLineId: opening.productLineId,
    patientId,
    patientNameCipher: kernel.secrets.encrypt(name),
    patientNameMasked: mask('name', name),
    patientMobileCipher: kernel.secrets.encrypt(mobile),
    patientMobileHash: patientMobileHash(kernel, mobile),
    patientMobileMasked: mask('mobile', mobile),
    adcode: opening.adcode,
    channelId: attribution.channelId,
    agentId: attribution.agentId,
    attributionId: attribution.id,
    priceFen: String(priceFen),
    discountFen: String(discountFen),
    payFen: String(payFen),
    discountSource: discountFen > 0 ? ('VIP' as const) : ('NONE' as const),
    budgetUsedUp: discountFen === 0 && attribution.channelId !== null && n % 40 === 6,
    slotAt: opening.needSlot ? plusMs(createdAt, state === 'SERVING' ? hours(1) : days(1)) : null,
    slotHeld: opening.needSlot && state === 'SERVING',
    assistantId: paidAt === null ? null : opening.assistantId,
    expireAt: plusMs(createdAt, opening.needSlot ? minutes(15) : hours(2)),
    payChannel: n % 3 === 0 ? ('ALIPAY' as const) : ('WECHAT' as const),
    payOpenedAt: paidAt,
    payResult: paidAt === null ? null : ('PAID' as const),
    channelTradeNo: paidAt === null ? null : `42000${orderNo.slice(2)}`,
    paidAt,
    acceptDueAt: paidAt === null ? null : plusMs(paidAt, hours(opening.acceptHours)),
    acceptedAt,
    replyDueAt: acceptedAt === null ? null : plusMs(acceptedAt, hours(opening.replyHours)),
    firstReplyAt,
    usedReplies: firstReplyAt === null ? 0 : plan.rounds,
    replySeconds: firstReplyAt === null ? null : (5 + (n % 30)) * 60,
    stars: plan.stars,
    endedAt:
      state === 'CLOSED'
        ? plusMs(createdAt, hours(2))
        : state === 'REFUNDED'
          ? plusMs(paidAt!, plan.refuse ? minutes(40 + (n % 50)) : hours(opening.acceptHours))
          : completedAt,
    completedAt,
    refundedFen: state === 'REFUNDED' ? String(payFen) : '0',
    stateBefore: state === 'REFUNDING' ? ('SERVING' as const) : null,
    closeReason: state === 'CLOSED' ? (n % 3 === 0 ? ('PATIENT' as const) : ('TIMEOUT' as const)) : null,
    state,
    createdAt,
    updatedAt: completedAt ?? paidAt ?? createdAt,
  };
}

/** Refunds of the refunded orders, five that wait for a second person, one whose outcome the channel does not know. */
async function writeRefunds(tx: Tx, now: Instant, refused: ReadonlySet<string>): Promise<void> {
  const orders = await ownTx(tx)
    .selectFrom('doctorConsultOrder')
    .select(['id', 'orderNo', 'payFen', 'payChannel', 'state', 'endedAt', 'paidAt'])
    .where('state', 'in', ['REFUNDED', 'REFUNDING'])
    .orderBy('id')
    .execute();
  const numbers = await nextNumbers(tx, 'ZT', dayOf(now), orders.length);
  const maker = (await sql<{ id: string }>`select id from identity_staff_user where user_name = 'doc_ops'`.execute(tx)).rows[0]?.id ?? null;
  let waiting = 0;
  for (const [n, order] of orders.entries()) {
    const isDone = order.state === 'REFUNDED';
    if (!isDone) waiting += 1;
    const isUnknown = !isDone && waiting === 6;
    const amountFen = isDone ? order.payFen : String(Math.max(1, Math.floor(Number(order.payFen) * 0.6)));
    const at = isDone ? order.endedAt! : plusMs(now, -hours(waiting));
    const calc = {
      rule: isDone ? 'ALL' : 'HAND',
      payFen: Number(order.payFen),
      refundedFen: 0,
      total: null,
      used: null,
      proposedFen: Number(amountFen),
      limitFen: Number(order.payFen),
    };
    await ownTx(tx)
      .insertInto('doctorConsultRefund')
      .values({
        refundNo: numbers[n]!,
        orderId: order.id,
        amountFen,
        calc: json(calc),
        reason: isDone ? (refused.has(order.orderNo) ? 'DOCTOR_REFUSE' : 'NO_ACCEPT') : 'COMPLAINT',
        opinion: isDone ? '自动退款' : '患者投诉回复不及时，协商部分退款',
        patientNote: isDone ? null : '款项将原路退回，请留意到账',
        makerId: isDone ? null : maker,
        state: isDone ? 'SUCCESS' : isUnknown ? 'UNKNOWN' : 'APPLIED',
        ...(isUnknown && stillOpen(null, at)),
        channelRefundNo: isDone ? `50300${order.orderNo.slice(2)}` : null,
        finishedAt: isDone ? at : null,
        createdAt: at,
        createdBy: maker,
        updatedAt: at,
      })
      .execute();
    if (!isUnknown) continue;
    await sql`
      insert into kernel_pay_simulated_refund (
        channel, refund_no, trade_no, amount_fen, state, unknown_until, channel_refund_no, created_at
      )
      values (
        ${order.payChannel}, ${numbers[n]!}, ${order.orderNo}, ${amountFen}, 'SUCCESS', ${plusMs(now, days(90))},
        ${`50300U${order.orderNo.slice(2)}`}, ${at}
      )`.execute(tx);
  }
}

/** Patients who are known for one disease, and can write: the first persons have accounts of their own. */
async function buyersOf(tx: Tx, known: ReadonlyMap<string, unknown>): Promise<PlannedPatient[]> {
  const { rows } = await sql<PlannedPatient>`
    select p.id as patient_id, d.icd10 as icd
      from patient_patient p
      join patient_diagnosis d on d.patient_id = p.id and d.is_primary
      join patient_account_person a on a.patient_id = p.id and a.is_default and a.removed_at is null
      where p.state = 'ACTIVE'
        and p.life_state = 'ALIVE'
        and not (d.icd10 = 'C61' and p.gender = 2)
        and not (d.icd10 like 'C50%' and p.gender = 1)
      order by p.id limit 480`.execute(tx);
  return rows.filter(({ patientId }) => known.has(patientId));
}

/** What consultation reported of these orders, and the booked time of a call that runs. */
async function writeSteps(tx: Tx): Promise<void> {
  await sql`
    insert into doctor_consult_step (order_id, step, used_replies, at)
      select id, 'ACCEPT', 0, accepted_at
        from doctor_consult_order
        where accepted_at is not null
    union all
    select id, 'FIRST_REPLY', 0, first_reply_at
      from doctor_consult_order
      where first_reply_at is not null
    union all
    select id, 'REPLY', n, first_reply_at + (n - 1) * interval '20 minutes'
      from doctor_consult_order, generate_series(1, used_replies) n
      where first_reply_at is not null
    union all
    select id, 'COMPLETE', used_replies, completed_at
      from doctor_consult_order
      where completed_at is not null
    union all
    select o.id, r.reason, 0, r.created_at
      from doctor_consult_order o
      join doctor_consult_refund r on r.order_id = o.id
      where o.state = 'REFUNDED'`.execute(tx);
  await sql`
    insert into doctor_opening_slot (opening_id, slot_at, quota, taken)
      select opening_id, slot_at, 2 + count(*)::int, count(*)::int
        from doctor_consult_order
        where slot_held
        group by opening_id, slot_at
        on conflict (opening_id, slot_at) do update
        set taken = excluded.taken`.execute(tx);
}

/** 600 paid consultations over 90 days in every state, with the stand-in's payments behind them, so that refunds find their way. */
export async function writeOrderDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const openings = await openingsOf(tx);
    const attributions = await ownTx(tx)
      .selectFrom('doctorAttribution')
      .select(['id', 'subjectId', 'channelId', 'agentId'])
      .where('subjectType', '=', 'PATIENT')
      .where('endedAt', 'is', null)
      .orderBy('subjectId')
      .execute();
    if (openings.length === 0 || attributions.length < ORDERS) return;
    const bySubject = new Map(attributions.map((attribution) => [attribution.subjectId, attribution]));
    const plans = planOrders(openings, await buyersOf(tx, bySubject), now);
    // Numbers and ids grow with time, as they do when people buy.
    const inTime = plans.map((plan, n) => ({ plan, n })).toSorted((a, b) => a.plan.createdAt.localeCompare(b.plan.createdAt));
    const numbers: string[] = [];
    for (const [day, ofDay] of Map.groupBy(inTime, ({ plan }) => dayOf(plan.createdAt)))
      numbers.push(...(await nextNumbers(tx, 'ZX', day, ofDay.length)));
    const people = new Map((await demoPatients(tx)).map((person) => [person.patientId, person]));
    const rows = inTime.map(({ plan, n }, place) =>
      orderOf(kernel, n, plan, bySubject.get(plan.patientId)!, numbers[place]!, people.get(plan.patientId)!),
    );
    const refused = new Set(inTime.flatMap(({ plan }, place) => (plan.refuse ? [numbers[place]!] : [])));
    for (let from = 0; from < rows.length; from += CHUNK)
      await ownTx(tx)
        .insertInto('doctorConsultOrder')
        .values(rows.slice(from, from + CHUNK))
        .execute();
    await sql`
      insert into kernel_pay_simulation (channel, trade_no, amount_fen, subject, state, channel_trade_no, paid_at, created_at)
        select pay_channel, order_no, pay_fen, item_snapshot->>'itemName', 'PAID', channel_trade_no, paid_at, created_at
          from doctor_consult_order
          where paid_at is not null and pay_fen > 0`.execute(tx);
    await sql`
      insert into doctor_patient (doctor_id, patient_id, first_source, first_at, last_at, order_count, created_at, updated_at)
        select doctor_id, patient_id, (array['SEARCH', 'SCENE_CODE', 'CARD'])[1 + (min(id) % 3)], min(paid_at), max(paid_at), count(*)::int,
            min(paid_at), max(paid_at)
          from doctor_consult_order
          where paid_at is not null
          group by doctor_id, patient_id`.execute(tx);
    await writeRefunds(tx, now, refused);
    await writeSteps(tx);
    await writeTrails(tx, demoSteps);
  });
}
