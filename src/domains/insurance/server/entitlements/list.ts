import { sql, type SqlBool } from 'kysely';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { entitlementDefStates, phaseOf } from '../../contract/documents/states.ts';
import { exportEntitlementDefList, queryEntitlementDefList } from '../../contract/entitlements/calls.ts';
import { scopeText, termsText, validityText } from '../../contract/entitlements/document.ts';
import { own } from '../database.ts';
import { definitionOf } from './definitions.ts';

const open = sql`('DRAFT', 'PENDING_AUDIT', 'REJECTED')`;

/** The version that speaks for a definition on a day. */
const speaking = (today: string) => sql<SqlBool>`
  d.id = (
    select w.id
      from insurance_entitlement_def w
      where w.entitlement_code = d.entitlement_code
      order by case
        when w.state = 'PUBLISHED'
        and w.effective_from <= ${today}::date
        and (w.effective_to is null or w.effective_to >= ${today}::date) then 0
        when w.state = 'PUBLISHED' and w.effective_from > ${today}::date then 1
        when w.state in ${open} then 2
        else 3
      end,
        w.version_no desc
      limit 1
  )`;

const phase = (today: string) => sql<string>`case
  when d.state <> 'PUBLISHED' then d.state
  when d.effective_from > ${today}::date then 'WAITING'
  when d.effective_to is not null and d.effective_to < ${today}::date then 'EXPIRED'
  else 'IN_FORCE' end`;

const defList = listOf(queryEntitlementDefList)
  .from(({ db, today }) => own(db).selectFrom('insuranceEntitlementDef as d').where(speaking(today)))
  .with({
    where: {
      keyword: containsOneOf('d.entitlementCode', 'd.name'),
      kind: 'd.kind',
      phase: (_eb, codes, { today }) => sql<SqlBool>`${phase(today)} = any(${codes}::text[])`,
    },
    id: 'd.id',
    sorts: { entitlementCode: 'd.entitlementCode', versionNo: 'd.versionNo', pins: sql.ref('pins') },
    order: [['d.entitlementCode', 'asc']],
    bounded: '权益定义数以百计',
    select: (rows) =>
      rows.selectAll('d').select([
        sql<number>`(select count(*)::int from insurance_entitlement_pin p where p.entitlement_def_id = d.id)`.as('pins'),
        sql<string | null>`(select o.id::text from insurance_entitlement_def o
            where o.entitlement_code = d.entitlement_code and o.state in ${open})`.as('openId'),
        sql<number | null>`(select o.version_no from insurance_entitlement_def o
            where o.entitlement_code = d.entitlement_code and o.state in ${open})`.as('openVersionNo'),
        sql<boolean>`exists (select from insurance_entitlement_def o
            where o.entitlement_code = d.entitlement_code and o.published_at is not null)`.as('everPublished'),
      ]),
    present: (rows, { today, has }) =>
      rows.map((row) => {
        const document = definitionOf(row);
        return {
          id: row.id,
          entitlementCode: row.entitlementCode,
          name: row.name,
          kind: row.kind,
          versionNo: row.versionNo,
          terms: termsText(document),
          validity: validityText(document.validity),
          scopeText: scopeText(document.scope),
          effective: `${row.effectiveFrom} 至 ${row.effectiveTo ?? '长期'}`,
          phase: phaseOf(row, today),
          pins: row.pins,
          version: row.version,
          allowedActions: entitlementDefStates.allowed(row.state, has),
          openId: row.openId,
          openVersionNo: row.openVersionNo,
          everPublished: row.everPublished,
        };
      }),
  });

export const defListHandler = defList.handler;
export const defExport = listExport(defList, { call: exportEntitlementDefList, title: '权益定义', routeKey: 'productHome:entitlement' });
