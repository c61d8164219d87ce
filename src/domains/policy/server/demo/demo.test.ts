import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusMs } from '#kernel/contract/time.ts';
import { startTestApp, TEST_NOW, type TestApp } from '#testing/testApp.ts';
import { queryOverview } from '#domains/insurance/contract/statistics/calls.ts';
import { checkCodes, checkFacts } from '../../contract/abnormal/checks.ts';
import { findingMachine } from '../../contract/abnormal/states.ts';
import { batchMachine } from '../../contract/batchDictionaries.ts';
import { queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { queryPolicyTotal } from '../../contract/calls/policies.ts';
import { queryTableData, queryViewList } from '../../contract/calls/query.ts';
import { endorsementKinds, policyTypes } from '../../contract/dictionaries.ts';
import { premiumMachine } from '../../contract/premiumStates.ts';
import { lineOf } from '../../contract/rules/premium.ts';
import { endorsementMachine, policyMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { termsOf } from '../premium/lines.ts';
import { SERIES } from './specs.ts';

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
/** Policies, and what hangs on them, but for those that hold violations on purpose. */
const outside = (column: string) => `${column} in (select id from policy_policy where policy_no not like '${SERIES}%')`;
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

  it('counts the insured once: 数据统计 and 保单查询 say the same', async () => {
    const as = await app.staff({ permissions: ['insurance.stat.view', 'policy.policy.view'] });
    const month = TEST_NOW.slice(0, 7);
    const { now } = await app.ok(queryOverview, { from: month, to: month }, { as });
    expect(now.insured).toBeGreaterThan(10_000);
    expect((await app.ok(queryPolicyTotal, {}, { as })).insured).toBe(now.insured);
  });

  it('has something in every state and of every kind', async () => {
    for (const [table, column, codes] of [
      ['policy_policy', 'state', Object.keys(policyMachine.states)],
      ['policy_policy', 'policy_type', policyTypes.codes],
      ['policy_endorsement', 'state', Object.keys(endorsementMachine.states)],
      ['policy_endorsement', 'kind', endorsementKinds.codes],
      ['policy_premium_order', 'state', Object.keys(premiumMachine.states)],
      ['policy_premium_order', 'direction', ['COLLECT', 'REFUND']],
      ['policy_insured_batch', 'state', Object.keys(batchMachine.states)],
      ['policy_cover_use', 'state', ['OPEN', 'LIVE', 'PAID', 'ENDED']],
      // RECHECK lasts as long as one call: whoever hands in that he mended something is told at once.
      ['policy_abnormal_finding', 'state', Object.keys(findingMachine.states).filter((code) => code !== 'RECHECK')],
    ] as const)
      expect(Object.keys(await counts(table, column)).toSorted(), `${table}.${column}`).toEqual(codes.toSorted());
  });

  const today = `date '${TEST_NOW.slice(0, 10)}'`;
  const orders = `policy_premium_order where ${outside('policy_id')}`;
  const endorsements = `policy_endorsement where ${outside('policy_id')}`;
  it.each([
    ['policies', 40, `policy_policy where ${outside('id')}`],
    [
      'policies that end within thirty days',
      6,
      `policy_policy where ${outside('id')} and state in ('IN_FORCE', 'SUSPENDED') and coverage_end between ${today} and ${today} + 30`,
    ],
    ['renewals', 2, `policy_policy where ${outside('id')} and renewal_of_policy_id is not null`],
    ['persons', 12_000, `policy_insured_item where ${outside('policy_id')}`],
    [
      'persons of the largest city',
      8_000,
      `policy_insured_item i join policy_policy p on p.id = i.policy_id where p.insured_count >= 8000`,
    ],
    ['dependants', 900, `policy_insured_item where main_insured_item_id is not null and ${outside('policy_id')}`],
    [
      'persons with several slices',
      300,
      `(select from policy_cover_slice where ${outside('policy_id')} group by insured_item_id having count(*) > 1) s`,
    ],
    ['endorsements', 90, endorsements],
    ['endorsements that were taken back', 6, `${endorsements} and state = 'UNDONE'`],
    ['endorsements that wait', 3, `${endorsements} and state = 'PENDING_AUDIT'`],
    ['endorsements that were rejected', 2, `${endorsements} and state = 'REJECTED'`],
    ['templates', 9, 'policy_insured_template'],
    [
      'lists',
      26,
      `policy_insured_batch where not exists (select from policy_policy p where p.id = any(chosen_policy_ids) and p.policy_no like '${SERIES}%')`,
    ],
    ['premium orders', 160, orders],
    ['premium orders that wait for a second check', 4, `${orders} and state = 'PENDING_SECOND'`],
    [
      'premium orders past their day',
      9,
      `${orders} and state in ('APPROVED', 'PART_SETTLED') and direction = 'COLLECT' and due_on < ${today}`,
    ],
    ['pairs of a reversed order and its counter order', 2, `${orders} and reverses_order_id is not null`],
    ['receipts', 110, 'policy_premium_receipt'],
    ['receipts that nobody allocated', 5, 'policy_premium_receipt where allocated_fen = 0'],
    ['receipts over several orders', 3, '(select from policy_premium_allocation group by receipt_id having count(*) > 1) a'],
    ['nightly runs', 14, 'policy_abnormal_run'],
    ['findings', 60, 'policy_abnormal_finding'],
  ])('shows as many %s as designed: %i', async (_what, many, from) => {
    expect(await number(`select count(*) from ${from}`)).toBe(many);
  });

  it('stops a full list in which 26 of a hundred are missing', async () => {
    const { rows } = await sql<{ fault: string }>`select fault from policy_insured_batch where mode = 'FULL'`.execute(app.db);
    expect(rows).toEqual([{ fault: expect.stringMatching(/^全量清单缺少\d+人（26%），请确认文件完整$/) }]);
  });

  it('every check found something in the series that is there for it, but the one that the database refuses to everybody', async () => {
    const { rows } = await sql<{ code: string }>`
      select distinct f.check_code as code
        from policy_abnormal_finding f
        left join policy_insured_batch b on b.id = f.subject_id and f.subject_type = 'batch'
        join policy_policy p on p.id = f.policy_id or p.id = any(b.chosen_policy_ids)
        where starts_with(p.policy_no, ${SERIES})`.execute(app.db);
    const found = new Set(rows.map(({ code }) => code));
    // Overlapping slices: at commit, for every endorsement. Orders past their day, receipts and gaps of renewals stand among the others.
    expect(checkCodes.codes.filter((code) => !found.has(code))).toEqual(['AB04', 'AB11', 'AB21', 'AB22']);
    expect(Object.keys(await counts('policy_abnormal_finding', 'check_code'))).toHaveLength(checkCodes.codes.length - 1);
  });

  it('what waits has the owner of its kind from the first on', async () => {
    const { rows } = await sql<{ code: string; user: string | null }>`
      select distinct f.check_code as code, u.user_name as user from policy_abnormal_finding f
      left join identity_staff_user u on u.id = f.owner_user_id where f.state = 'OPEN'`.execute(app.db);
    const expected = { INSURER: 'product_a', FINANCE: 'fin_a', PRODUCT: 'product_a', SYSTEM: 'admin' } as const;
    for (const { code, user } of rows) {
      const { owner = 'INSURER' } = checkFacts[checkCodes.schema.parse(code)];
      expect([code, user]).toEqual([code, expected[owner]]);
    }
    expect(rows.length).toBeGreaterThan(15);
  });

  describe('tells the stories', () => {
    const batchesOf = async (holderName: string) =>
      (
        await sql<{
          mode: string;
          state: string;
          orders: string | null;
          reverses: boolean;
          appliedAt: string;
          undoneAt: string | null;
          policyId: string;
        }>`
          select b.mode, b.state, b.reverse_of_batch_id is not null as reverses, b.applied_at, b.undone_at, p.id::text as policy_id,
              (
                select string_agg(o.state || ' ' || o.direction, ',')
                  from policy_premium_order o
                  join policy_endorsement e on e.id = o.source_endorsement_id
                  where e.batch_id = b.id
              ) as orders
            from policy_insured_batch b
            join policy_policy p on p.id = b.chosen_policy_ids[1]
            where p.holder_name = ${holderName} and b.applied_at is not null
            order by b.id`.execute(app.db)
      ).rows;

    it('of people who came late and of eight who left, one with an open claim, and of the money for both', async () => {
      const [came, left] = await batchesOf('江南科技有限公司');
      expect(came).toMatchObject({ mode: 'ADD', state: 'APPLIED', orders: 'SETTLED COLLECT' });
      expect(left).toMatchObject({ mode: 'REMOVE', state: 'APPLIED', orders: 'SETTLED REFUND' });
      expect(
        await number(`select count(*) from policy_insured_batch_row r join policy_insured_batch b on b.id = r.batch_id
          join policy_cover_use u on u.insured_item_id = r.insured_item_id and u.ref_type = 'CLAIM' and u.state = 'OPEN'
          where b.mode = 'REMOVE' and b.state = 'APPLIED' and b.checker_id is not null and r.warnings @> '[{"code": "W05"}]'`),
      ).toBe(1);
    });

    it('of a wrong file: asked as of before it, while it held and now, the list of persons differs', async () => {
      const [wrong, right] = await batchesOf('滨江建设集团有限公司');
      expect(wrong).toMatchObject({ state: 'UNDONE' });
      expect(right).toMatchObject({ state: 'APPLIED' });
      const as = await app.staff({ permissions: ['policy.insured.view'] });
      const coveredAt = async (asOfTime: string) => {
        const wish = { policyId: wrong!.policyId, asOfDay: TEST_NOW.slice(0, 10), asOfTime, pageSize: 100 };
        let covered = 0;
        for (let pageNo = 1, total = 1; (pageNo - 1) * wish.pageSize < total; pageNo += 1) {
          const page = await app.ok(queryInsuredPersonList, { ...wish, pageNo }, { as });
          total = page.total ?? 0;
          covered += page.rows.filter(({ state }) => state === 'ACTIVE').length;
        }
        return covered;
      };
      const before = await coveredAt(plusMs(wrong!.appliedAt, -1_000));
      expect(await coveredAt(plusMs(wrong!.appliedAt, 1_000))).toBe(before + 18);
      expect(await coveredAt(plusMs(wrong!.undoneAt!, 1_000))).toBe(before);
      expect(await coveredAt(plusMs(right!.appliedAt, 1_000))).toBe(before + 15);
    });

    it('of a list whose undoing is refused because two signed, and of the one that reverses it without them', async () => {
      const [list, reversing] = await batchesOf('沪上金融服务有限公司');
      expect(list).toMatchObject({ mode: 'ADD', state: 'APPLIED', reverses: false });
      expect(reversing).toMatchObject({ state: 'APPLIED', reverses: true });
      expect(await number(`select remove_rows from policy_insured_batch where reverse_of_batch_id is not null`)).toBe(7);
    });

    it('of a payer who was late, rested, paid and goes on', async () => {
      const { rows } = await sql<{ kind: string; state: string }>`
        select e.kind, p.state from policy_endorsement e join policy_policy p on p.id = e.policy_id
        where p.holder_name = '江城制造集团有限公司' and e.kind in ('SUSPEND', 'REINSTATE') order by e.seq`.execute(app.db);
      expect(rows).toEqual([
        { kind: 'SUSPEND', state: 'IN_FORCE' },
        { kind: 'REINSTATE', state: 'IN_FORCE' },
      ]);
      expect(
        await number(`select count(*) from policy_premium_order o join policy_policy p on p.id = o.policy_id
          join policy_premium_allocation a on a.premium_order_id = o.id join policy_premium_receipt r on r.id = a.receipt_id
          where p.holder_name = '江城制造集团有限公司' and r.paid_on > o.due_on + 14`),
      ).toBeGreaterThan(0);
    });

    it.each([
      ['张建国', 'STANDARD'],
      ['王志强', 'SAAS'],
      ['李秀兰', 'HMO'],
      ['刘洋', 'DAAS'],
    ])('of %s, covered by %s, with a contract and a paid claim', async (name, line) => {
      expect(
        await number(`select count(distinct u.ref_type) from policy_insured_item i join policy_policy p on p.id = i.policy_id
          join policy_cover_use u on u.insured_item_id = i.id
            and ((u.ref_type = 'CONTRACT' and u.state = 'LIVE') or (u.ref_type = 'CLAIM' and u.state = 'PAID'))
          where i.name = '${name}' and i.patient_id is not null and i.state_cache = 'ACTIVE' and p.product_line = '${line}'`),
      ).toBe(2);
    });
  });

  it.each([
    [
      'V1 live slices of a person do not overlap',
      `
        select count(*)
          from (
            select s.insured_item_id, s.coverage_start,
                lag(s.coverage_end) over (partition by s.insured_item_id order by s.coverage_start) as before_end
              from policy_cover_slice s
              join policy_endorsement e on e.id = s.created_by_endorsement_id and e.state = 'VISIBLE'
              where not exists (
                select from policy_cover_supersede u
                  join policy_endorsement x on x.id = u.endorsement_id and x.state = 'VISIBLE'
                  where u.slice_id = s.id
              )
          ) o
          where before_end >= coverage_start`,
    ],
    [
      'V2 of what was taken back no order is owed',
      `select count(*) from policy_premium_order o join policy_endorsement e on e.id = o.source_endorsement_id
        where e.state = 'UNDONE' and o.state not in ('VOIDED', 'REVERSED') and ${outside('o.policy_id')}`,
    ],
    [
      'V4 an order is the sum of its lines',
      `
        select count(*)
          from policy_premium_order o
          where o.amount_fen <> abs(
            (
              select coalesce(sum(l.amount_fen), 0)
                from policy_premium_order_item l
                where l.premium_order_id = o.id and l.generation = o.generation
            )
          )
            and ${outside('o.policy_id')}`,
    ],
    [
      'V4 what is settled is what was shared',
      `select count(*) from policy_premium_order o where ${outside('o.policy_id')} and (o.settled_fen > o.amount_fen
        or o.settled_fen <> (select coalesce(sum(a.amount_fen), 0) from policy_premium_allocation a where a.premium_order_id = o.id))`,
    ],
    [
      'V5 no receipt is shared beyond its amount',
      `select count(*) from policy_premium_receipt r where r.allocated_fen > r.amount_fen
        or r.allocated_fen <> (select coalesce(sum(a.amount_fen), 0) from policy_premium_allocation a where a.receipt_id = r.id)`,
    ],
    [
      'V7 endorsements are numbered without a gap',
      `
        select count(*)
          from policy_policy p
          where ${outside('p.id')}
            and (
              p.endorsement_seq <> (select count(*) from policy_endorsement e where e.policy_id = p.id and e.seq is not null)
              or p.endorsement_seq <> (select coalesce(max(e.seq), 0) from policy_endorsement e where e.policy_id = p.id)
            )`,
    ],
    [
      'V8 nobody checked his own',
      `select (select count(*) from policy_endorsement where checker_id = maker_id or undone_by = maker_id)
        + (
          select count(*) from policy_premium_order where first_checker_id = maker_id or second_checker_id in (maker_id, first_checker_id)
        )`,
    ],
    [
      'V11 an order and its counter order sum to nothing',
      `
        select count(*)
          from policy_premium_order c
          join policy_premium_order o on o.id = c.reverses_order_id
          where o.state <> 'REVERSED'
            or c.state <> 'REVERSED'
            or (select sum(l.amount_fen) from policy_premium_order_item l where l.premium_order_id in (o.id, c.id)) <> 0`,
    ],
    [
      'V10 rows of a list are numbered as in their sheet, behind its header, each once',
      `select count(*) from (select from policy_insured_batch_row r join policy_insured_batch b on b.id = r.batch_id
        where b.file_id is not null and r.from_sheet group by b.id having min(r.row_no) <> 2 or max(r.row_no) <> count(*) + 1) f`,
    ],
    [
      'V12 a finding stands once while it is open',
      `
        select count(*)
          from (
            select from policy_abnormal_finding
              where state <> 'RESOLVED'
              group by check_code, subject_type, subject_id, fingerprint
              having count(*) > 1
          ) f`,
    ],
    [
      'nothing happened later than now',
      `select count(*) from policy_endorsement where visible_at > (select max(at) from kernel_setting) or undone_at < visible_at`,
    ],
  ])('%s', async (_what, query) => {
    expect(await number(query)).toBe(0);
  });

  it('V3 what an endorsement did is never changed once anybody could see it', async () => {
    for (const statement of [
      `update policy_cover_slice set coverage_end = coverage_end`,
      `delete from policy_cover_supersede`,
      `update policy_premium_order_item set amount_fen = amount_fen`,
      `update policy_premium_receipt set amount_fen = amount_fen + 1`,
      `update policy_premium_allocation set amount_fen = amount_fen`,
    ])
      await expect(sql.raw(statement).execute(app.db), statement).rejects.toThrow(/never|visible|permission/);
  });

  it('V9 each row of a list that took effect wrote its slice once', async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n
        from policy_insured_batch_row r
        join policy_insured_batch b on b.id = r.batch_id and b.state = 'APPLIED' and b.mode = 'ADD'
        left join policy_cover_slice s on s.insured_item_id = r.insured_item_id
          and s.created_by_endorsement_id = (select e.id from policy_endorsement e where e.batch_id = b.id)
        where r.result = 'ADD'
        group by r.id
        having count(s.id) <> 1`.execute(app.db);
    expect(rows).toEqual([]);
  });

  it('V6 what people were charged less what they got back is what their covered days cost', async () => {
    const policies = await own(app.db)
      .selectFrom('policyPolicy as p')
      .selectAll()
      .where('p.payMode', '=', 'LUMP')
      .where('p.policyType', '<>', 'CITY')
      .where('p.policyNo', 'not like', `${SERIES}%`)
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
       where not exists (
         select from policy_cover_supersede u
           join policy_endorsement x on x.id = u.endorsement_id and x.state = 'VISIBLE'
           where u.slice_id = s.id
       )`.execute(app.db);
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
