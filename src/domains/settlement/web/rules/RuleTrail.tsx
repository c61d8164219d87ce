import { TrailDrawer } from '#kernel/web/detail/TrailDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { querySettlementRuleTrail, type RuleVersionRow } from '../../contract/calls/rules.ts';
import { ruleVersionMachine } from '../../contract/states.ts';

/** Who wrote, passed and ended a version. */
export function RuleTrail({ row, onClose }: { row: RuleVersionRow; onClose(): void }) {
  const trail = useData(querySettlementRuleTrail, { id: row.id }, { quiet: true });
  return <TrailDrawer title={`审核记录 ${row.ruleCode} 第${row.versionNo}版`} of={trail} machine={ruleVersionMachine} onClose={onClose} />;
}
