import { sql } from 'kysely';
import type { DraftGroup } from '#kernel/contract/rules/groups.ts';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import type { RuleTestCase } from '../../contract/calls/ruleFields.ts';
import type { strategies } from '../../contract/rules/allocation.ts';
import type { RuleAction } from '../../contract/ruleStates.ts';
import { makeAllocationRule } from '../rules/allocationRules.ts';
import { moveRule, ruleRecords } from '../rules/records.ts';

interface Spec {
  code: string;
  name: string;
  priority: number;
  strategy: (typeof strategies.codes)[number];
  condition: DraftGroup;
  /** Facts with which it hits, and with which it does not. */
  hit: RuleTestCase['facts'];
  miss: RuleTestCase['facts'];
  /** How many of the running suppliers it asks; all without. */
  most?: number;
  /** Days before today on which it was written; it is in force from the next one on. */
  since: number;
  steps: readonly RuleAction[];
}
type Operator = '=' | '>=' | 'in' | 'range';
const when = (variable: string, operator: Operator, value: string): DraftGroup => ({ op: 'AND', items: [{ variable, operator, value }] });
const fact = (variable: string, value: string): RuleTestCase['facts'] => [{ variable, value }];
const APPROVED = ['submit', 'approve'] as const;
const OPINIONS: Partial<Record<RuleAction, string>> = { approve: '条件与用例核对无误', disable: '夜间订单改由白天统一分配' };

const RULES: readonly Spec[] = [
  {
    code: 'AR001',
    name: '冷链药品就近发货',
    priority: 10,
    strategy: 'NEAREST',
    condition: when('coldChain', '=', '1'),
    hit: fact('coldChain', '1'),
    miss: fact('coldChain', '0'),
    since: 150,
    steps: APPROVED,
  },
  {
    code: 'AR002',
    name: '大额订单成本最低',
    priority: 20,
    strategy: 'LOWEST_COST',
    condition: when('payableFen', '>=', '500000'),
    hit: fact('payableFen', '500000'),
    miss: fact('payableFen', '499999'),
    since: 150,
    steps: APPROVED,
  },
  {
    code: 'AR003',
    name: '江浙沪订单按合作比例分配',
    priority: 30,
    strategy: 'WEIGHTED',
    condition: when('provinceCode', 'in', '310000,320000,330000'),
    hit: fact('provinceCode', '330000'),
    miss: fact('provinceCode', '440000'),
    since: 140,
    steps: APPROVED,
  },
  {
    code: 'AR004',
    name: '健康管理业务指定供应商',
    priority: 15,
    strategy: 'FIXED',
    condition: { op: 'AND', items: [...when('bizLine', '=', 'HMO').items, ...when('orderType', '=', 'B2C').items] },
    hit: [...fact('bizLine', 'HMO'), ...fact('orderType', 'B2C')],
    miss: [...fact('bizLine', 'OWN'), ...fact('orderType', 'B2C')],
    most: 1,
    since: 2,
    steps: ['submit'],
  },
  {
    code: 'AR005',
    name: '三十天内重复购药优先老供应商',
    priority: 40,
    strategy: 'PRIORITY',
    condition: when('sameGoods30d', '>=', '3'),
    // still being written: a case that should hit does not
    hit: fact('sameGoods30d', '2'),
    miss: fact('sameGoods30d', '0'),
    most: 2,
    since: 1,
    steps: [],
  },
  {
    code: 'AR006',
    name: '夜间订单',
    priority: 50,
    strategy: 'PRIORITY',
    condition: when('hourOfDay', 'range', '1,6'),
    hit: fact('hourOfDay', '3'),
    miss: fact('hourOfDay', '12'),
    since: 130,
    steps: [...APPROVED, 'disable'],
  },
];

/** Rules of each strategy, in force and on the way there. */
export const writeRules = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const { tx } = writing;
    const { rows: people } = await sql<{ name: string; userName: string }>`
      select display_name as name, user_name from identity_staff_user where user_name in ('fulfil_a', 'fulfil_s')`.execute(tx);
    const nameOf = (userName: string) => people.find((one) => one.userName === userName)?.name ?? userName;
    const { rows: suppliers } = await sql<{ id: string }>`
      select id::text as id from order_supplier where status = 'ENABLED' order by id`.execute(tx);
    if (suppliers.length === 0) return;
    const today = dayOf(demo.now);
    for (const { code, name, priority, strategy, condition, hit, miss, most, since, steps } of RULES) {
      const acting = (userName: string, daysLater: number) => ({
        ...asSystem(writing, { now: startOfDay(plusDays(today, Math.min(daysLater - since, 0)), '10:30'), traceId: 'demo' }),
        actorName: nameOf(userName),
      });
      const asked = suppliers.slice(0, most);
      const share = Math.floor(100 / asked.length);
      const { id } = await makeAllocationRule(acting('fulfil_a', 0), {
        ruleCode: code,
        ruleName: name,
        priority,
        condition,
        effectiveFrom: plusDays(today, 1 - since),
        effectiveTo: null,
        testCases: [
          { name: '应当命中的订单', expected: true, facts: hit },
          { name: '不应命中的订单', expected: false, facts: miss },
        ],
        strategy,
        candidates: asked.map(({ id: supplierId }, at) => ({
          supplierId,
          priority: at + 1,
          weightPct: strategy === 'WEIGHTED' ? (at === 0 ? 100 - share * (asked.length - 1) : share) : 0,
        })),
        allowSplit: strategy !== 'FIXED',
        maxSplit: strategy === 'FIXED' ? 1 : 3,
      });
      for (const [at, action] of steps.entries()) {
        const by = action === 'submit' ? 'fulfil_a' : 'fulfil_s';
        const rule = await ruleRecords.lock(tx, ruleRecords.everyone, id);
        await moveRule(acting(by, at === 2 ? since - 3 : at), rule, action, { opinion: OPINIONS[action] ?? '' });
      }
    }
  });
