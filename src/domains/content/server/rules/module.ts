import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { ruleConsumers } from './consumers.ts';
import { writeRuleDemo } from './demo/writeRuleDemo.ts';
import { nightlyRules, runRule } from './run.ts';
import { ruleExport, ruleList } from './list.ts';
import { dryRun, operate, publish } from './operate.ts';
import { add, modify, remove } from './rules.ts';
import { runDetail, runList } from './runs.ts';
import { variableList } from './variables.ts';

/** What must never be found of rules, as the number of rows that break it. */
const ruleInvariants: readonly (readonly [name: string, statement: string])[] = [
  [
    '试运行或已中止的执行改变了打标',
    `select count(*)::int as n from content_mark_rule_run where (kind = 'DRY' or state = 'ABORTED') and added + removed > 0`,
  ],
  [
    '规则标签没有对应的规则',
    `select count(*)::int as n from content_mark_binding b where b.source = 'RULE' and b.ended_at is null and b.source_id is not null
      and not exists (select from content_mark_rule r where r.id = b.source_id and r.published_seq > 0)`,
  ],
];

/** Rules that put and take away marks. */
export const rulesModule: FeatureModule = {
  handlers: (kernel) => [
    ruleList(kernel).handler,
    variableList(kernel),
    add(kernel),
    modify(kernel),
    remove,
    publish,
    operate,
    dryRun,
    runList.handler,
    runDetail(kernel),
  ],
  jobs: [runRule, nightlyRules],
  consumers: ruleConsumers,
  exports: (kernel) => [ruleExport(kernel)],
  demo: writeRuleDemo,
  invariants: ruleInvariants,
};
