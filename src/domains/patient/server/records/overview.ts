import { sql } from 'kysely';
import { dayOf, daysBetween, type Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { queryIndicatorCodes, queryIndicatorTrend, queryPatientOverview } from '../../contract/calls/ehr.ts';
import { indicatorOf, referenceFor } from '../../contract/indicators.ts';
import { ageOn } from '../../contract/idNumber.ts';
import type { Medicine } from '../../contract/modules.ts';
import { openPatient } from '../access.ts';
import { own } from '../database.ts';
import { short } from './modules.ts';
import { daysLeft, stackSupplies, suppliesOf, type OrderLine, type Stacked } from './supplies.ts';
import { timelineOf } from './timeline.ts';

/** Everything that was supplied and when it ends. */
export async function stackedOf(db: Db, groupIds: readonly string[]): Promise<Stacked[]> {
  const orders = await own(db)
    .selectFrom('patientRecordOrder')
    .select(['orderNo', 'orderTime', 'lines'])
    .where('patientId', 'in', [...groupIds])
    .where('dead', '=', false)
    .orderBy('orderTime')
    .execute();
  return stackSupplies(
    suppliesOf(orders.map(({ orderNo, orderTime, lines }) => ({ orderNo, orderDay: dayOf(orderTime), lines: lines as OrderLine[] }))),
  );
}

interface LastValue {
  code: string;
  value: string;
  flag: string;
  at: string;
  count: number;
  before: string | null;
}
/** The last value of each indicator from reports that were read. */
const lastValues = (groupIds: readonly string[]) => sql<LastValue>`
  select code, value::text as value, flag, inspection_time as at, count, before::text as before
    from (
      select v.code, v.value, v.flag, v.inspection_time, count(*) over (partition by v.code)::int as count,
          row_number() over (partition by v.code order by v.inspection_time desc, v.id desc) as n,
          lead(v.value) over (partition by v.code order by v.inspection_time desc, v.id desc) as before
        from patient_indicator v
        join patient_inspection i on i.id = v.inspection_id and i.status = '2' and i.voided_at is null
        where v.patient_id = any(${[...groupIds]}::bigint[])
    ) x
    where n = 1
    order by code`;

interface Point {
  code: string;
  at: string;
  value: string;
  flag: string;
  inspectionId: string | null;
  source: 'REPORT' | 'PATIENT';
}
const pointsOf = (groupIds: readonly string[], codes: readonly string[], from: Day, to: Day) => sql<Point>`
  select *
    from (
      select v.code, v.inspection_time as at, v.value::text as value, v.flag, v.inspection_id, 'REPORT' as source
        from patient_indicator v
        join patient_inspection i on i.id = v.inspection_id and i.status = '2' and i.voided_at is null
        where v.patient_id = any(${[...groupIds]}::bigint[]) and v.code = any(${[...codes]}::text[])
      union all
      select r.code, r.at, r.value::text, 'N', null, 'PATIENT'
        from patient_reported_value r
        where r.patient_id = any(${[...groupIds]}::bigint[]) and r.code = any(${[...codes]}::text[])
    ) x
    where (at at time zone 'Asia/Shanghai')::date between ${from}::date and ${to}::date
    order by at`;

/** Begin and end of treatments and supplies in a period, for the marks of the chart. */
async function touchesOf(db: Db, groupIds: readonly string[], from: Day, to: Day, today: Day) {
  const { rows } = await sql<{ regimen: string; startOn: Day; endOn: Day | null }>`
    select t.regimen, t.start_on, t.end_on
      from patient_treatment t
      join patient_diagnosis d on d.id = t.diagnosis_id and d.voided_at is null
      where d.patient_id = any(${[...groupIds]}::bigint[])
        and t.voided_at is null
        and t.start_on <= ${to}::date
        and (t.end_on is null or t.end_on >= ${from}::date)`.execute(db);
  const marks = rows.flatMap(({ regimen, startOn, endOn }) => [
    { on: startOn, kind: 'START' as const, label: regimen },
    ...(endOn === null ? [] : [{ on: endOn, kind: 'STOP' as const, label: regimen }]),
  ]);
  const byMedicine = Map.groupBy(await stackedOf(db, groupIds), ({ medicineKey }) => medicineKey);
  for (const supplies of byMedicine.values()) {
    supplies.forEach((supply, index) => {
      const gap = index === 0 || supply.from > supplies[index - 1]!.until;
      if (gap) marks.push({ on: supply.from, kind: 'START', label: supply.medicineName });
      const next = supplies[index + 1];
      if ((!next || next.from > supply.until) && supply.until <= today)
        marks.push({ on: supply.until, kind: 'STOP', label: supply.medicineName });
    });
  }
  return marks.filter(({ on }) => on >= from && on <= to).toSorted((a, b) => a.on.localeCompare(b.on));
}

export const overviewHandlers: readonly Handler[] = [
  query(queryPatientOverview, async ({ patientId }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: '概览' });
    const [medicines, stacked, last, timeline] = await Promise.all([
      own(ctx.db)
        .selectFrom('patientMedicineSuggested')
        .select(['suggestNo', 'doctorName', 'validUntil', 'medicines'])
        .where('patientId', 'in', seen.groupIds)
        .where('status', 'in', ['1', '2'])
        .where('validUntil', '>=', ctx.today)
        .orderBy('prescriptionTime', 'desc')
        .limit(20)
        .execute(),
      stackedOf(ctx.db, seen.groupIds),
      lastValues(seen.groupIds).execute(ctx.db),
      timelineOf(ctx.db, seen.groupIds),
    ]);
    return {
      medicines: medicines.map((row) => ({ ...row, medicines: row.medicines as Medicine[] })),
      supplies: stacked
        .filter(({ until }) => until >= ctx.today)
        .map(({ medicineName, orderNo, from, until }) => ({ medicineName, orderNo, from, until, daysLeft: daysBetween(ctx.today, until) })),
      supplyDaysLeft: daysLeft(stacked, ctx.today),
      indicators: last.rows.map(({ code, value, flag, at, before }) => ({
        code,
        name: indicatorOf(code)?.name ?? code,
        value: short(value),
        unit: indicatorOf(code)?.unit ?? '',
        flag,
        at,
        before: before === null ? null : short(before),
      })),
      timeline,
    };
  }),
  query(queryIndicatorCodes, async ({ patientId }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now);
    const { rows } = await lastValues(seen.groupIds).execute(ctx.db);
    return rows.map(({ code, value, flag, at, count }) => ({
      code,
      name: indicatorOf(code)?.name ?? code,
      unit: indicatorOf(code)?.unit ?? '',
      count,
      lastAt: at,
      lastValue: short(value),
      lastFlag: flag,
    }));
  }),
  query(queryIndicatorTrend, async ({ patientId, codes, from, to }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: '指标趋势' });
    const { rows } = await pointsOf(seen.groupIds, codes, from, to).execute(ctx.db);
    const age = seen.birthDate === null ? null : ageOn(seen.birthDate, ctx.today);
    return {
      series: codes.flatMap((code) => {
        const definition = indicatorOf(code);
        if (!definition) return [];
        const band = referenceFor(definition, seen.gender, age);
        return [
          {
            code,
            name: definition.name,
            unit: definition.unit,
            refLow: band.low,
            refHigh: band.high,
            points: rows.filter((row) => row.code === code).map(({ code: _code, ...point }) => ({ ...point, value: short(point.value) })),
          },
        ];
      }),
      touches: await touchesOf(ctx.db, seen.groupIds, from, to, ctx.today),
    };
  }),
];
