/** What must never be found of rules, as the number of rows that break it. */
export const ruleInvariants: readonly (readonly [name: string, statement: string])[] = [
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
