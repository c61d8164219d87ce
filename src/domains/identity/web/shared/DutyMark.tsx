import { dutySentence, type DutyConflict } from '../../contract/duties.ts';
import { Mark } from './Mark.tsx';

/** 职责冲突 with the rights that join, for rows of roles and of people: red where money moves. */
export function DutyMark({ conflicts }: { conflicts: readonly DutyConflict[] }) {
  if (conflicts.length === 0) return null;
  const money = conflicts.some((conflict) => conflict.money);
  return (
    <Mark tone={money ? 'error' : 'warning'} title={conflicts.map(dutySentence).join('\n')}>
      职责冲突
    </Mark>
  );
}
