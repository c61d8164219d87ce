import { sql, type RawBuilder } from 'kysely';
import { dayOf, daysBetween, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { ageOn } from '../contract/idNumber.ts';
import { indicators } from '../contract/indicators.ts';
import { short } from './records/modules.ts';
import { daysLeft, stackSupplies, suppliesOf, type OrderLine } from './records/supplies.ts';

export interface Fact {
  /** The id that was asked for. */
  patientId: string;
  code: string;
  value: string;
  /** When it was recorded. */
  at: Instant;
  sourceType: string;
  sourceId: string;
}
interface Raw {
  patientId: string;
  value: string;
  at: Instant;
  sourceType: string;
  sourceId: string;
}

/** Asked ids with the ids of their canonical groups. */
const members = (ids: readonly string[]) => sql`
  asked as (
    select a.id as asked_id, p.id as canonical
      from patient_patient a
      join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
      where a.id = any(${[...ids]}::bigint[])
  ),
  member as (select k.asked_id, m.id from asked k join patient_patient m on m.id = k.canonical or m.merged_into_id = k.canonical)`;

const person = (column: RawBuilder<unknown>) => (ids: readonly string[]) =>
  sql<Raw>`
    with ${members(ids)}
    select k.asked_id as patient_id, ${column}::text as value, p.updated_at as at, 'patient' as source_type, p.id as source_id
      from asked k
      join patient_patient p on p.id = k.canonical
      where ${column} is not null`;

/** The latest row of a table per person. */
const latest =
  (table: string, value: RawBuilder<unknown>, at: RawBuilder<unknown>, sourceType: string, where: RawBuilder<unknown>) =>
  (ids: readonly string[]) =>
    sql<Raw>`
      with ${members(ids)}
      select distinct on (m.asked_id) m.asked_id as patient_id, ${value}::text as value, ${at} as at, ${sourceType} as source_type,
          r.id as source_id
        from member m
        join ${sql.table(table)} r on r.patient_id = m.id
        where ${where}
        order by m.asked_id, ${at} desc, r.id desc`;

const indicatorFact = (code: string) => (ids: readonly string[]) =>
  sql<Raw>`
    with ${members(ids)}
    select distinct on (patient_id) *
      from (
        select m.asked_id as patient_id, v.value::text as value, v.inspection_time as at, 'inspection' as source_type,
            v.inspection_id as source_id
          from member m
          join patient_indicator v on v.patient_id = m.id and v.code = ${code}
          join patient_inspection i on i.id = v.inspection_id and i.status = '2' and i.voided_at is null
        union all
        select m.asked_id, r.value::text, r.at, 'PATIENT', r.answer_id
          from member m
          join patient_reported_value r on r.patient_id = m.id and r.code = ${code}
      ) x
      order by patient_id, at desc, source_id desc`;

type Reader = (db: Db, ids: readonly string[], today: Day) => Promise<Raw[]>;
const plain =
  (statement: (ids: readonly string[]) => RawBuilder<Raw>, present: (raw: Raw, today: Day) => string | null = (raw) => raw.value): Reader =>
  async (db, ids, today) => {
    const { rows } = await statement(ids).execute(db);
    return rows.flatMap((raw) => {
      const value = present(raw, today);
      return value === null ? [] : [{ ...raw, value }];
    });
  };
const since = (raw: Raw, today: Day) => String(Math.max(0, daysBetween(raw.value.slice(0, 10), today)));

const medicineDaysLeft: Reader = async (db, ids, today) => {
  const { rows } = await sql<{
    patientId: string;
    orderId: string;
    orderNo: string;
    orderTime: Instant;
    lines: OrderLine[];
  }>`
    with ${members(ids)}
    select m.asked_id as patient_id, r.order_id, r.order_no, r.order_time, r.lines
      from member m
      join patient_record_order r on r.patient_id = m.id
      where not r.dead
      order by r.order_time`.execute(db);
  return [...Map.groupBy(rows, ({ patientId }) => patientId)].flatMap(([patientId, orders]) => {
    const left = daysLeft(stackSupplies(suppliesOf(orders.map((order) => ({ ...order, orderDay: dayOf(order.orderTime) })))), today);
    const last = orders.at(-1)!;
    return left === null ? [] : [{ patientId, value: String(left), at: last.orderTime, sourceType: 'order', sourceId: last.orderId }];
  });
};

const day = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`;
const readers: Readonly<Record<string, Reader>> = {
  'patient.age': plain(person(sql`p.birth_date`), (raw, today) => String(ageOn(raw.value, today))),
  'patient.sex': plain(person(sql`nullif(p.gender, 0)`)),
  'patient.diagnosedDays': plain(
    (ids) => sql<Raw>`
      with ${members(ids)}
      select distinct on (m.asked_id) m.asked_id as patient_id, r.diagnosed_at::text as value, r.created_at as at,
          'diagnosis' as source_type, r.id as source_id
        from member m
        join patient_diagnosis r on r.patient_id = m.id
        where r.voided_at is null and r.state = 'CONFIRMED'
        order by m.asked_id, r.is_primary desc, r.diagnosed_at, r.id`,
    since,
  ),
  'patient.daysSincePurchase': plain(
    latest('patient_record_order', day(sql`r.order_time`), sql`r.order_time`, 'order', sql`not r.dead`),
    since,
  ),
  'patient.purchaseCount': plain(
    (ids) => sql<Raw>`
      with ${members(ids)}
      select m.asked_id as patient_id, count(*)::text as value, max(r.order_time) as at, 'order' as source_type,
          max(r.order_id) as source_id
        from member m
        join patient_record_order r on r.patient_id = m.id
        where not r.dead
        group by 1`,
  ),
  'patient.medicineDaysLeft': medicineDaysLeft,
  'patient.daysSinceInspection': plain(
    latest(
      'patient_inspection',
      day(sql`r.inspection_time`),
      sql`r.inspection_time`,
      'inspection',
      sql`r.status = '2' and r.voided_at is null`,
    ),
    since,
  ),
  'patient.treatmentLine': plain(
    (ids) => sql<Raw>`
      with ${members(ids)}
      select distinct on (m.asked_id) m.asked_id as patient_id, t.line_no::text as value, t.updated_at as at, 'treatment' as source_type,
          t.id as source_id
        from member m
        join patient_diagnosis d on d.patient_id = m.id and d.voided_at is null
        join patient_treatment t on t.diagnosis_id = d.id and t.voided_at is null and t.line_no is not null
        order by m.asked_id, t.start_on desc, t.id desc`,
  ),
  'patient.adverseGrade': plain(
    (ids) => sql<Raw>`
      with ${members(ids)}
      select distinct on (m.asked_id) m.asked_id as patient_id, t.adverse_grade::text as value, t.updated_at as at,
          'treatment' as source_type, t.id as source_id
        from member m
        join patient_diagnosis d on d.patient_id = m.id and d.voided_at is null
        join patient_treatment t on t.diagnosis_id = d.id and t.voided_at is null and t.adverse_grade is not null
        order by m.asked_id, t.start_on desc, t.id desc`,
  ),
  ...Object.fromEntries(
    indicators.flatMap(({ code, fact }) => (fact === null ? [] : [[fact, plain(indicatorFact(code), (raw) => short(raw.value))]])),
  ),
};

/** Codes that `factsFor` answers. */
export const factCodes: readonly string[] = Object.keys(readers);

/** Facts of persons for conditions (R5): one statement a code; no row where nothing is known, never a zero. */
export async function factsFor(db: Db, patientIds: readonly string[], codes: readonly string[], today: Day): Promise<Fact[]> {
  if (patientIds.length === 0) return [];
  const facts: Fact[] = [];
  for (const code of codes) for (const raw of (await readers[code]?.(db, patientIds, today)) ?? []) facts.push({ ...raw, code });
  return facts;
}
