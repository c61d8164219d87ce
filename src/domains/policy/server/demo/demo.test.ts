import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { queryTableData, queryViewList } from '../../contract/calls/query.ts';
import { endorsementKinds } from '../../contract/dictionaries.ts';
import { premiumMachine } from '../../contract/premiumStates.ts';
import { lineOf } from '../../contract/rules/premium.ts';
import { endorsementMachine, policyMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { termsOf } from '../premium/lines.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

const counts = async (table: string, column: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ code: string; n: number }>`
    select ${sql.ref(column)} as code, count(*)::int as n from ${sql.table(table)} group by 1`.execute(app.db);
  return Object.fromEntries(rows.map(({ code, n }) => [code, n]));
};
const number = async (query: string) => (await sql<{ n: number }>`select (${sql.raw(query)})::int as n`.execute(app.db)).rows[0]!.n;

describe('the demonstration of policies', () => {
  it('has views for everybody that find something, and views of people’s own', async () => {
    expect(await counts('policy_query_view', 'scope')).toEqual({ ALL: 5, PRIVATE: 1, ROLE: 1 });
    const as = await app.staff({ permissions: ['policy.query.view'] });
    const { views } = await app.ok(queryViewList, {}, { as });
    for (const { viewName, dataset, config } of views) {
      if (!config) throw new Error(`${viewName} cannot be asked`);
      const { rows } = await app.ok(queryTableData, { dataset, config }, { as });
      expect(rows.length, viewName).toBeGreaterThan(0);
    }
  });

  it('has something in every state and of every kind', async () => {
    expect(Object.keys(await counts('policy_policy', 'state')).toSorted()).toEqual(Object.keys(policyMachine.states).toSorted());
    expect(Object.keys(await counts('policy_endorsement', 'state')).toSorted()).toEqual(Object.keys(endorsementMachine.states).toSorted());
    expect(Object.keys(await counts('policy_endorsement', 'kind')).toSorted()).toEqual(endorsementKinds.codes.toSorted());
    expect(Object.keys(await counts('policy_premium_order', 'state')).toSorted()).toEqual(Object.keys(premiumMachine.states).toSorted());
    expect(await number('select count(*) from policy_policy')).toBe(40);
    expect(await number('select count(*) from policy_insured_item')).toBeGreaterThan(11_500);
    expect(await number(`select max(insured_count) from policy_policy where policy_type = 'CITY'`)).toBe(8000);
    expect(await number('select count(*) from policy_premium_receipt where allocated_fen < amount_fen')).toBe(5);
    expect(
      await number('select count(*) from (select from policy_premium_allocation group by receipt_id having count(*) > 1) a'),
    ).toBeGreaterThan(2);
    expect(
      await number(`select count(*) from policy_insured_item where patient_id is not null and real_name_state = 'PASSED'`),
    ).toBeGreaterThan(80);
  });

  it.each([
    [
      'V1 live slices of a person do not overlap',
      `select count(*) from (select s.insured_item_id, s.coverage_start, lag(s.coverage_end) over (partition by s.insured_item_id order by s.coverage_start) as before_end
        from policy_cover_slice s join policy_endorsement e on e.id = s.created_by_endorsement_id and e.state = 'VISIBLE'
        where not exists (select from policy_cover_supersede u join policy_endorsement x on x.id = u.endorsement_id and x.state = 'VISIBLE' where u.slice_id = s.id)) o
        where before_end >= coverage_start`,
    ],
    [
      'V2 of what was taken back no order is owed',
      `select count(*) from policy_premium_order o join policy_endorsement e on e.id = o.source_endorsement_id
        where e.state = 'UNDONE' and o.state not in ('VOIDED', 'REVERSED')`,
    ],
    [
      'V4 an order is the sum of its lines',
      `select count(*) from policy_premium_order o where o.amount_fen <> abs((select coalesce(sum(l.amount_fen), 0) from policy_premium_order_item l
        where l.premium_order_id = o.id and l.generation = o.generation))`,
    ],
    [
      'V4 what is settled is what was shared',
      `select count(*) from policy_premium_order o where o.settled_fen > o.amount_fen
        or o.settled_fen <> (select coalesce(sum(a.amount_fen), 0) from policy_premium_allocation a where a.premium_order_id = o.id)`,
    ],
    [
      'V5 no receipt is shared beyond its amount',
      `select count(*) from policy_premium_receipt r where r.allocated_fen > r.amount_fen
        or r.allocated_fen <> (select coalesce(sum(a.amount_fen), 0) from policy_premium_allocation a where a.receipt_id = r.id)`,
    ],
    [
      'V7 endorsements are numbered without a gap',
      `select count(*) from policy_policy p where p.endorsement_seq <> (select count(*) from policy_endorsement e where e.policy_id = p.id and e.seq is not null)
        or p.endorsement_seq <> (select coalesce(max(e.seq), 0) from policy_endorsement e where e.policy_id = p.id)`,
    ],
    [
      'V8 nobody checked his own',
      `select (select count(*) from policy_endorsement where checker_id = maker_id or undone_by = maker_id)
        + (select count(*) from policy_premium_order where first_checker_id = maker_id or second_checker_id in (maker_id, first_checker_id))`,
    ],
    [
      'V11 an order and its counter order sum to nothing',
      `select count(*) from policy_premium_order c join policy_premium_order o on o.id = c.reverses_order_id where o.state <> 'REVERSED' or c.state <> 'REVERSED'
        or (select sum(l.amount_fen) from policy_premium_order_item l where l.premium_order_id in (o.id, c.id)) <> 0`,
    ],
    [
      'nothing happened later than now',
      `select count(*) from policy_endorsement where visible_at > (select max(at) from kernel_setting) or undone_at < visible_at`,
    ],
  ])('%s', async (_what, query) => {
    expect(await number(query)).toBe(0);
  });

  it('V6 what people were charged less what they got back is what their covered days cost', async () => {
    const policies = await own(app.db)
      .selectFrom('policyPolicy as p')
      .selectAll()
      .where('p.payMode', '=', 'LUMP')
      .where('p.policyType', '<>', 'CITY')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('policyPremiumOrder as o').select('o.id').whereRef('o.policyId', '=', 'p.id').where('o.state', '=', 'REVERSED'),
          ),
        ),
      )
      .execute();
    const { rows: paid } = await sql<{ policyId: string; insuredItemId: string; fen: string }>`
      select o.policy_id, l.insured_item_id, sum(l.amount_fen - l.fee_fen)::text as fen from policy_premium_order o
        join policy_premium_order_item l on l.premium_order_id = o.id and l.generation = o.generation
        join policy_endorsement e on e.id = o.source_endorsement_id and e.state = 'VISIBLE'
       group by 1, 2`.execute(app.db);
    const { rows: live } = await sql<{ insuredItemId: string; from: string; to: string; annual: string }>`
      select s.insured_item_id, s.coverage_start as "from", s.coverage_end as "to", s.annual_premium_fen as annual
        from policy_cover_slice s join policy_endorsement e on e.id = s.created_by_endorsement_id and e.state = 'VISIBLE'
       where not exists (select from policy_cover_supersede u join policy_endorsement x on x.id = u.endorsement_id and x.state = 'VISIBLE' where u.slice_id = s.id)`.execute(
      app.db,
    );
    const slices = Map.groupBy(live, ({ insuredItemId }) => insuredItemId);
    const termsById = new Map(policies.map((policy) => [policy.id, termsOf(policy)]));
    const wrong = paid.filter(({ policyId, insuredItemId, fen }) => {
      const terms = termsById.get(policyId);
      if (!terms) return false;
      const due = (slices.get(insuredItemId) ?? []).reduce(
        (sum, { from, to, annual }) =>
          sum + lineOf(terms, { basis: 'CHARGE', annualFen: BigInt(annual), from, to, withFee: false }).amountFen,
        0n,
      );
      return due !== BigInt(fen);
    });
    expect(policies.length).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });
});
